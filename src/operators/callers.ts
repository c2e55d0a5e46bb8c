/**
 * The rights of keys as the database has them. A process remembers them for half a second, counted from before it read
 * them, and reads again in the background meanwhile, so that a busy caller never waits. A command that revokes a right waits
 * as long (`untilForgotten`), so that no process acts on the old one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createBatcher } from '../core/batcher.ts';
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { isUnstorableInput } from '../db/database-errors.ts';
import { type Operator, type OperatorStatus, parseOperator } from './operator.ts';

/** A key as it was presented, and the operator that the aggregator header names, or null. */
export interface Presented {
  /** SHA-256 of the key, lower-case hex. */
  readonly keyHash: string;
  readonly actingFor: string | null;
}

/** The known facts about a key and the operator that it acts for. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** Requests per minute. */
  readonly rateLimit: number;
  /** In the future while a rotated key is in its grace period. */
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
  /** Ranges; null admits every address. */
  readonly allowedAddresses: readonly string[] | null;
  /** The operator of the key. */
  readonly ownId: string;
  readonly ownStatus: OperatorStatus;
  /** The operator whose ceiling counts: that of the key, or the aggregator above it. Children share the ceiling of their parent. */
  readonly holderId: string;
  readonly rateCeiling: number;
  /** The operator that the request acts for: that of the key, or the child that the header names. */
  readonly operator: Operator;
}

export interface Callers {
  /**
   * @returns the caller as it is now or was within the last half second; undefined if the key does not exist
   * @throws service_unavailable if the database is a standby
   */
  find(presented: Presented): Promise<Caller | undefined>;
  /** The caller as it was read last, however long ago. */
  peek(presented: Presented): Caller | undefined;
  forget(presented: Presented): void;
}

export interface CallerMemory {
  /** How long a process remembers, in milliseconds. Only tests that change rows themselves set it. */
  readonly rememberMs?: number;
}

export interface CallerOptions extends CallerMemory {
  /** Receives how many callers one statement read, for the metrics. */
  readonly onRead?: (callers: number) => void;
  /** Receives the time by the database's clock. */
  readonly onClock?: (moment: Date) => void;
}

const REMEMBER_MS = 500;
/** For requests that are on their way when the memory ends. */
const MARGIN_MS = 100;
const MOST_REMEMBERED = 5_000;
const MAX_BATCH = 1_000;
/** The longest wait of a read behind one that the database does not answer; that one ends by its own deadline. */
const MOST_WAIT_MS = 2_000;
/** All strangers that wait together are read with one statement. */
const MOST_STRANGERS = 20_000;

/** Resolves when no process acts any more on rights that it read before this call. */
export async function untilForgotten(): Promise<void> {
  await sleep(REMEMBER_MS + MARGIN_MS);
}

interface Remembered {
  readonly caller: Caller;
  readonly askedAt: number;
  isRefreshing: boolean;
}

export function createCallers(sql: Sql, { rememberMs = REMEMBER_MS, onRead, onClock }: CallerOptions = {}): Callers {
  const remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });

  async function read(presented: readonly Presented[]): Promise<(Caller | undefined)[]> {
    const askedAt = performance.now();
    const names = presented.map(nameOf);
    const asked = [...new Map(presented.map((one, index) => [names[index] as string, one])).values()];
    onRead?.(asked.length);
    const { callers, moment, isStandby } = await readCallers(sql, asked);
    if (isStandby) {
      // its rows may be old
      throw refuse('service_unavailable');
    }
    onClock?.(moment);
    for (const one of asked) {
      const caller = callers.get(nameOf(one));
      if (caller === undefined) {
        remembered.delete(nameOf(one));
      } else {
        remembered.set(nameOf(actsAsNamed(caller, one) ? one : ofKey(one)), { caller, askedAt, isRefreshing: false });
      }
    }
    return names.map((name) => callers.get(name));
  }

  // Unknown keys have a separate queue, so that the others never wait for many of them.
  const readKnown = createBatcher(read, {
    name: 'read callers',
    maxBatch: MAX_BATCH,
    concurrency: 1,
    waitMs: MOST_WAIT_MS,
    retryAlone: isUnstorableInput,
  });
  const readStrangers = createBatcher(read, {
    name: 'read strangers',
    maxBatch: MOST_STRANGERS,
    concurrency: 1,
    waitMs: MOST_WAIT_MS,
    retryAlone: isUnstorableInput,
  });

  return {
    async find(presented) {
      const known = remembered.get(nameOf(presented));
      if (known === undefined) {
        return readStrangers(presented);
      }
      const age = performance.now() - known.askedAt;
      if (age >= rememberMs) {
        return readKnown(presented);
      }
      if (age >= rememberMs / 2 && !known.isRefreshing) {
        known.isRefreshing = true;
        // if it fails, the request that finds the memory at its end reads again, and is refused with the error
        readKnown(presented).catch(() => {
          known.isRefreshing = false;
        });
      }
      return known.caller;
    },
    peek: (presented) => remembered.peek(nameOf(presented))?.caller,
    forget: (presented) => {
      remembered.delete(nameOf(presented));
    },
  };
}

function nameOf({ keyHash, actingFor }: Presented): string {
  return actingFor === null ? keyHash : `${keyHash} ${actingFor}`;
}

/** The known facts about the key itself, whatever operator it named. */
export function ofKey({ keyHash }: Presented): Presented {
  return { keyHash, actingFor: null };
}

/**
 * Callers choose freely which operators they name. The name of one that the key may not act for is not remembered; the facts that were read
 * are then about the key itself.
 */
function actsAsNamed({ operator }: Caller, { actingFor }: Presented): boolean {
  return actingFor === null || actingFor === operator.operatorId;
}

interface ServerFacts {
  readonly moment: Date;
  readonly isStandby: boolean;
}

interface CallerRow extends Omit<Caller, 'operator'> {
  readonly number: number;
  readonly operatorRow: string;
}

async function readCallers(
  sql: Sql,
  asked: readonly Presented[],
): Promise<ServerFacts & { readonly callers: Map<string, Caller> }> {
  const rows = await sql<(Partial<CallerRow> & ServerFacts)[]>`
    select server.moment, server.is_standby, found.*
    from (select clock_timestamp() as moment, pg_is_in_recovery() as is_standby) server left join (
      select given.number::integer as number, api_key.key_id, api_key.scopes, api_key.rate_limit, api_key.revoked_at,
        api_key.expires_at, api_key.allowed_addresses::text[] as allowed_addresses, own.operator_id as own_id,
        own.status as own_status, coalesce(parent.operator_id, own.operator_id) as holder_id,
        coalesce(parent.rate_ceiling, own.rate_ceiling) as rate_ceiling,
        case when child.operator_id is null then to_jsonb(own) else to_jsonb(child) end::text as operator_row
      from unnest(${asked.map(({ keyHash }) => keyHash)}::text[], ${asked.map(({ actingFor }) => actingFor)}::text[])
          with ordinality given(key_hash, acting_for, number)
        join api_keys api_key on api_key.key_hash = decode(given.key_hash, 'hex')
        join operators own on own.operator_id = api_key.operator_id
        left join operators parent on parent.operator_id = own.parent_id
        left join operators child on child.operator_id = given.acting_for and child.parent_id = own.operator_id
          and child.mode = own.mode and own.parent_id is null
    ) found on true`;
  const callers = new Map<string, Caller>();
  for (const { number, operatorRow, moment: _, isStandby: __, ...facts } of rows) {
    if (number != null && operatorRow !== undefined) {
      const caller = { ...(facts as Omit<Caller, 'operator'>), operator: parseOperator(operatorRow) };
      callers.set(nameOf(asked[number - 1] as Presented), caller);
    }
  }
  const { moment, isStandby } = rows[0] as ServerFacts;
  return { callers, moment, isStandby };
}
