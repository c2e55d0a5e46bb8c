/** Parts of API processes that lease budget, on a database of the test file, and callers for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { type Admit, createAdmission } from '../../src/operators/admission/admission.ts';
import { type BudgetLeases, openBudgetLeases } from '../../src/operators/admission/budget-leases.ts';
import { hashApiKey } from '../../src/operators/api-key.ts';
import { createOperator } from '../../src/operators/create-operator.ts';
import { issueKey, type KeyWishes } from '../../src/operators/issue-key.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** One API process, as far as admission goes. */
export interface Process {
  readonly admit: Admit;
  readonly leases: BudgetLeases;
  readonly sql: Sql;
  /** Requests that were admitted by a lease, and calls of the database. */
  leased: number;
  calls: number;
}

export const LONGEST_LEASE_MS = 500;
export const SCOPES = ['markets:read'];

export let database: TestDatabase;
let made = 0;
let started: Process[] = [];

export function leaseInThisFile(): void {
  beforeAll(async () => {
    database = await createTestDatabase({ max: 4 });
  });

  afterEach(async () => {
    await Promise.all(started.map(({ leases, sql }) => leases.close().then(() => sql.end({ timeout: 1 }))));
    started = [];
  });

  afterAll(async () => {
    await database.close();
  });
}

export function startProcess(): Process {
  const sql = connect(database.url, { max: 2, applicationName: 'inlay-test-process' });
  const leases = openBudgetLeases(sql, database.url);
  const one: Process = {
    sql,
    leases,
    leased: 0,
    calls: 0,
    admit: createAdmission(sql, {
      leases,
      onBatch: () => {
        one.calls += 1;
      },
      onLeased: () => {
        one.leased += 1;
      },
    }),
  };
  started.push(one);
  return one;
}

export const newOperator = (settings: Partial<Parameters<typeof createOperator>[1]> = {}): Promise<Operator> => {
  made += 1;
  return createOperator(database.sql, { slug: `lease-${made}`, mode: 'sandbox', rateCeiling: 100_000, ...settings });
};

export async function newKey(wishes: KeyWishes = {}, operator?: Operator) {
  const owner = operator ?? (await newOperator());
  const key = await issueKey(database.sql, owner, { rateLimit: 6_000, ...wishes });
  return { ...key, operator: owner, keyHash: hashApiKey(key.apiKey) };
}

export type Key = Awaited<ReturnType<typeof newKey>>;

export const ask = ({ admit }: Process, { keyHash }: Pick<Key, 'keyHash'>, actingFor: string | null = null) =>
  admit({ keyHash, actingFor, scopes: SCOPES });

/** Makes requests one after the other until one is admitted by a lease. @returns how many were made */
export async function warm(
  process: Process,
  key: Pick<Key, 'keyHash'>,
  actingFor: string | null = null,
): Promise<number> {
  const before = process.leased;
  for (let count = 1; count < 2_000; count += 1) {
    expect((await ask(process, key, actingFor)).outcome).toBe('admitted');
    if (process.leased > before) {
      return count;
    }
    await sleep(1);
  }
  throw new Error('no lease was granted');
}

/** A process that listens already, so that few requests are made before the first lease. */
export async function startListening(): Promise<Process> {
  const process = startProcess();
  await warm(process, await newKey());
  process.leased = 0;
  process.calls = 0;
  return process;
}

export async function awaitRoomInMinute(seconds: number): Promise<void> {
  const [row] = await database.sql<[{ left: number }]>`
    select (60 - extract(second from clock_timestamp()))::float8 as left`;
  if (row.left < seconds) {
    await sleep(row.left * 1000 + 50);
  }
}

export async function counted(subject: string): Promise<{ count: number; leased: number }> {
  const [row] = await database.sql<{ count: number; leased: number }[]>`
    select count::integer as count, leased from rate_counters where subject = ${subject} order by window_start desc limit 1`;
  return row ?? { count: 0, leased: 0 };
}
