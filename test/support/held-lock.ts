/** Holds locks in the database of a cell, so that a process waits there and can be killed where it waits. */
import pg from 'pg';
import type { TestCell } from './two-cells.ts';
import { until } from './until.ts';

const LONG_MS = 120_000;

export interface HeldLock {
  release(): Promise<void>;
  /** Resolves when a session of this name waits for a lock of the database. */
  untilWaitedFor(application: string): Promise<void>;
  /** Resolves when PostgreSQL has noticed that no process has sessions of this name any more. */
  untilGone(application: string): Promise<void>;
}

/** @param statements each takes a lock, in a transaction that stays open */
export async function hold({ database }: TestCell, ...statements: string[]): Promise<HeldLock> {
  const holder = await connectAsOwner(database.ownerUrl);
  await holder.query('begin');
  for (const statement of statements) {
    await holder.query(statement);
  }
  return {
    release: () => holder.end(),
    untilWaitedFor: (application) =>
      untilSessions(database.ownerUrl, application, `and wait_event_type = 'Lock'`, (sessions) => sessions > 0),
    untilGone: (application) => untilSessions(database.ownerUrl, application, '', (sessions) => sessions === 0),
  };
}

/** Only the owner sees what its sessions wait for. */
export async function untilSessions(
  ownerUrl: string,
  application: string,
  filter: string,
  good: (sessions: number) => boolean,
): Promise<void> {
  const client = await connectAsOwner(ownerUrl);
  const look = `select from pg_stat_activity where datname = current_database() and application_name = $1 ${filter}`;
  try {
    await until(async () => (await client.query(look, [application])).rowCount ?? 0, good, LONG_MS);
  } finally {
    await client.end();
  }
}

async function connectAsOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}
