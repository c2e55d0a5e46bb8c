/**
 * The auditor beside a row, as a worker runs it: it reads the entries that the row records. Its processor time is measured separately,
 * since it is neither an API process nor the database; its cost inside the database is part of the database's. Before a baseline it has
 * read everything, so that only one look per second remains.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditorOrder } from './auditor-process.ts';
import { cpuSeconds } from './process-facts.ts';
import type { World } from './world.ts';

const LOOK_MS = 20;
const TIMEOUT_MS = 300_000;

export interface Auditor {
  /** Runs the measured work, in which the auditor counts. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Until it has read all that is recorded. */
  rest(): Promise<void>;
  /** The cost of the auditor, or why it did not run; null if nothing was recorded. */
  note(): string | null;
  /** @throws Error if it found anything */
  close(): Promise<void>;
}

/** @param without why a row is measured without it */
export async function openAuditor(world: World, without: string | undefined): Promise<Auditor> {
  return without === undefined ? startAuditor(world) : noAuditor(without);
}

function noAuditor(why: string): Auditor {
  return {
    during: (work) => work(),
    rest: async () => {},
    note: () => `without the auditor: ${why}`,
    close: async () => {},
  };
}

async function startAuditor(world: World): Promise<Auditor> {
  const { url: databaseUrl, auditUrl } = world.database;
  const helper = await world.start('./auditor-process.ts', { databaseUrl, auditUrl } satisfies AuditorOrder);
  let [seconds, recorded, read] = [0, 0, 0];
  return {
    async during(work) {
      const before = { seconds: cpuSeconds(helper.pid), ...(await itemsOf(world)) };
      const result = await work();
      const after = { seconds: cpuSeconds(helper.pid), ...(await itemsOf(world)) };
      seconds += after.seconds - before.seconds;
      recorded += after.recorded - before.recorded;
      read += after.read - before.read;
      return result;
    },
    async rest() {
      const end = Date.now() + TIMEOUT_MS;
      for (;;) {
        const items = await itemsOf(world);
        if (items.read >= items.recorded) {
          return;
        }
        if (Date.now() > end) {
          throw new Error(`the auditor has read ${items.read} of ${items.recorded} items`);
        }
        await sleep(LOOK_MS);
      }
    },
    note: () =>
      recorded === 0
        ? null
        : `the auditor read ${((100 * read) / recorded).toFixed(0)} % of the items meanwhile, ` +
          `${((seconds * 1_000_000) / read).toFixed(0)} µs of its own each`,
    async close() {
      await helper.close();
      const [finding] = await world.sql<{ detail: string }[]>`select detail from audit.findings limit 1`;
      if (finding !== undefined) {
        throw new Error(`the auditor found: ${finding.detail}`);
      }
    },
  };
}

/** Items of all feeds, as they are recorded and as the auditor has read them. */
async function itemsOf(world: World): Promise<{ recorded: number; read: number }> {
  const [row] = await world.sql<{ recorded: number; read: number }[]>`
    select coalesce(sum(ledger.sequence), 0)::float8 as recorded, coalesce(sum(progress.sequence), 0)::float8 as read
    from operator_ledgers ledger left join audit.progress progress on progress.operator_id = ledger.operator_id`;
  if (row === undefined) {
    throw new Error('an aggregate query returned no row');
  }
  return row;
}
