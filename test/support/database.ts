/** A database of its own for a test file: a clone of the migrated template, dropped on close. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { type Listener, listenerName, openListener } from '../../src/db/listener.ts';
import { migrate, roleOf } from '../../src/db/schema/migrate.ts';
import { until } from './until.ts';

export interface TestDatabase {
  /** Connection string of the service's own role. */
  readonly url: string;
  /** Connection string of the role that owns the tables. */
  readonly ownerUrl: string;
  /** Connection string of the role of the service operator's commands; it has rights after `separateAdministrators`. */
  readonly adminUrl: string;
  /** Connection string of the auditor's role; it has rights after a migration that names it. */
  readonly auditUrl: string;
  /** A pool of the service's own role. */
  readonly sql: Sql;
  /** Its session is named `inlay-test-listener`. */
  readonly listener: Listener;
  /** A name that this database and its copies have not had yet: `key-1`, `key-2` and so on. */
  newName(kind: string): string;
  close(): Promise<void>;
}

/** @param options.max connections of the pool `sql`. */
export function createTestDatabase(options: { max?: number } = {}): Promise<TestDatabase> {
  return createFrom(new URL(inject('templateUrl')).pathname.slice(1), options.max ?? 10);
}

/** A copy of a database as it is now, as a restored backup would be. Its sessions are ended for that; pools come back. */
export async function copyDatabase(original: TestDatabase): Promise<TestDatabase> {
  const name = new URL(original.url).pathname.slice(1);
  await asOwner(`alter database ${name} allow_connections false`);
  try {
    await asOwner(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
    return { ...(await createFrom(name, 10)), newName: original.newName };
  } finally {
    await asOwner(`alter database ${name} allow_connections true`);
  }
}

/** Ends what a database does now, as its own superuser: some sessions of Citus belong to that role. */
export async function endSessions({ url }: TestDatabase): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const [server = ''] = inject('servers');
  await runOn(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

async function createFrom(original: string, max: number): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = new URL(inject('templateUrl'));
  await asOwner(`create database ${name} template ${original} owner ${template.username} strategy file_copy`);
  const url = withDatabase(inject('templateServiceUrl'), name);
  const sql = connect(url, { max, applicationName: 'inlay-test' });
  const listener = openListener(url, listenerName('test'));
  return {
    url,
    ownerUrl: withDatabase(template.href, name),
    adminUrl: withDatabase(inject('templateAdminUrl'), name),
    auditUrl: withDatabase(inject('templateAuditUrl'), name),
    sql,
    listener,
    newName: nameMaker(),
    close: async () => {
      await Promise.all([listener.close(), sql.end({ timeout: 1 })]);
      // again where a server of Citus was just beginning to look after it
      await until(() => asOwner(`drop database if exists ${name} with (force)`));
    },
  };
}

/** See `newName`. */
export function nameMaker(): (kind: string) => string {
  const last = new Map<string, number>();
  return (kind) => {
    const number = (last.get(kind) ?? 0) + 1;
    last.set(kind, number);
    return `${kind}-${number}`;
  };
}

/** From now on the service's role may not do what the service operator's commands do, as in a deployment with three roles. */
export async function separateAdministrators({ ownerUrl, url, adminUrl }: TestDatabase): Promise<void> {
  await migrate(ownerUrl, roleOf(url), { adminRole: roleOf(adminUrl) });
}

/** Run on every server, from its maintenance database, since a template may have no sessions. */
async function asOwner(statement: string): Promise<void> {
  await Promise.all(inject('servers').map((server) => runOn(server, statement)));
}

async function runOn(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
