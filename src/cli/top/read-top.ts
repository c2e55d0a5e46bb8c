/**
 * The readings of `top`. Each ends after a few seconds. If the database does not answer, the reading reports the session whose lock it
 * waits for, or the refusal, and the next reading starts again.
 */
import { within } from '../../core/deadline.ts';
import { connect, type Sql } from '../../db/client.ts';
import { isDatabaseAway } from '../../db/database-errors.ts';
import { describeHolder, type LockHolder, listLockHolders } from '../../db/lock-holders.ts';
import { measureDueWork } from '../../operations/due-work.ts';
import { measureLoad, measurePriceAges, measureTenants } from '../../operations/load.ts';
import { measureWebhooks } from '../../webhooks/deliveries.ts';
import { Failure } from '../failure.ts';
import type { ApiClient } from '../service/api.ts';
import { listNamedNewest, listNamedStuck, type NamedOrder, type NamedStuckOrder } from '../service/find-orders.ts';
import { createTopSampler, type TopSample } from './top-sample.ts';

export interface TopReading {
  readonly sample: TopSample;
  readonly stuck: readonly NamedStuckOrder[];
  readonly orders: readonly NamedOrder[];
}

/** The database did not answer a reading in time, or refused it. */
export class NoReading extends Failure {
  /** Cause of the wait or of the refusal; null if it is not known. */
  readonly why: string | null;

  constructor(why: string | null) {
    super('database_unavailable', `The database has given no reading${why === null ? '' : `: ${why}`}.`, {
      next: '"inlay doctor" shows what is wrong.',
    });
    this.why = why;
  }
}

export interface TopReader {
  /** For the other data of a view. Its statements end soon after the limit of a reading. */
  readonly sql: Sql;
  /** @throws NoReading */
  read(): Promise<TopReading>;
  close(): Promise<void>;
}

const READING_MS = 3_000;
const LOOK_MS = 1_000;
/** A reading is seven statements. */
const SESSIONS = 3;
/** More than a screen shows. */
const NEWEST_ORDERS = 100;

/**
 * @param url of the login of this command
 * @param ownerUrl for the session that looks at locks, because the owner sees more of other sessions
 */
export function openTopReader(url: string, ownerUrl: string, api: ApiClient): TopReader {
  // the server cancels a statement later than its reading ends, so that it still waits when it is looked at
  const sql = connect(url, { max: SESSIONS, applicationName: 'inlay-top', deadlineMs: READING_MS * 2 });
  const watch = connect(ownerUrl, { max: 1, applicationName: 'inlay-top-watch', deadlineMs: READING_MS });
  const sample = createTopSampler(api, async () => {
    const [load, deliveries, due, tenants, prices, holders] = await Promise.all([
      measureLoad(sql),
      measureWebhooks(sql),
      measureDueWork(sql),
      measureTenants(sql),
      measurePriceAges(sql),
      listLockHolders(watch),
    ]);
    const locks = holders.map((holder) => ({ held: describeHolder(holder), waiters: holder.waiters.length }));
    return { ...load, deliveries, due, tenants, prices, locks };
  });

  async function readAll(): Promise<TopReading> {
    const [taken, stuck, orders] = await Promise.all([
      sample(),
      listNamedStuck(sql),
      listNamedNewest(sql, NEWEST_ORDERS),
    ]);
    return { sample: taken, stuck, orders };
  }

  async function whyLate(): Promise<string | null> {
    const holders = await within(LOOK_MS, listLockHolders(watch), (): LockHolder[] => []).catch(() => []);
    const [holder] = holders;
    return holder === undefined ? null : `it waits for ${describeHolder(holder)}`;
  }

  return {
    sql,
    read: async () => {
      const reading = await within(READING_MS, readAll(), () => undefined).catch((error: unknown) => {
        throw isDatabaseAway(error) && error instanceof Error ? new NoReading(error.message) : error;
      });
      if (reading === undefined) {
        throw new NoReading(await whyLate());
      }
      return reading;
    },
    close: async () => {
      await Promise.all([sql.end({ timeout: 1 }), watch.end({ timeout: 1 })]);
    },
  };
}
