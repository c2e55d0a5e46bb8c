/** A migrated PostgreSQL server of its own that starts in recovery, as a standby does, and can be promoted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PROGRAM_ENVIRONMENT } from '../../src/db/embedded/cluster.ts';
import { findClusterPaths, prepareBinaries } from '../../src/db/embedded/cluster-paths.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';
import { serverSettings } from '../../src/db/embedded/postmaster.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface Standby {
  /** Of the service's role. */
  readonly url: string;
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** @param prepare works on the server before it becomes a standby. */
export async function startStandby(prepare: (url: string) => Promise<void> = async () => {}): Promise<Standby> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-standby-'));
  chmodSync(dataDir, 0o711);
  const database = await startDatabase(dataDir, { durable: false });
  await migrate(database.ownerUrl);
  await prepare(database.url);
  await database.close();
  const paths = findClusterPaths(dataDir);
  const signal = join(paths.clusterDir, 'standby.signal');
  writeFileSync(signal, '');
  if (paths.account !== null) {
    chownSync(signal, paths.account.uid, paths.account.gid);
  }
  const port = await freePort();
  const settings = serverSettings({ durable: false, maxConnections: 100 }).flatMap((setting) => ['-c', setting]);
  const server: ChildProcess = spawn(
    join(prepareBinaries(paths.location, paths.account), 'bin', 'postgres'),
    ['-D', paths.clusterDir, '-p', String(port), ...settings],
    { ...paths.account, cwd: '/', env: PROGRAM_ENVIRONMENT, stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const at = (url: string) => {
    const moved = new URL(url);
    moved.port = String(port);
    return moved.href;
  };
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: at(database.ownerUrl) });
    await client.connect();
    try {
      return (await client.query<{ answer: boolean }>(statement)).rows[0]?.answer === true;
    } finally {
      await client.end();
    }
  };
  await until(() => ask('select pg_is_in_recovery() as answer').catch(() => false), Boolean, 60_000);
  return {
    url: at(database.url),
    promote: async () => {
      await ask('select pg_promote(true, 60) as answer');
    },
    close: async () => {
      server.kill('SIGINT');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
