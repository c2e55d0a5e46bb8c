/** A PostgreSQL server of its own for a test that stops all of it, so that no other test is stopped with it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/db/client.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';
import { listenerName, openListener } from '../../src/db/listener.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { nameMaker, type TestDatabase } from './database.ts';
import { freezeWithChildren, parentOf } from './process.ts';

export interface OwnServer extends TestDatabase {
  /** Stops the postmaster and all its children with SIGSTOP. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** @param parent folder in which its data folder is made */
export async function startOwnServer(parent: string = tmpdir()): Promise<OwnServer> {
  const dataDir = await mkdtemp(join(parent, 'inlay-own-'));
  await chmod(dataDir, 0o711);
  const database = await startDatabase(dataDir, { durable: false, maxConnections: 60 });
  await migrate(database.ownerUrl);
  const sql = connect(database.url, { max: 4, applicationName: 'inlay-test' });
  const listener = openListener(database.url, listenerName('test'));
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = parentOf(row?.pid ?? 0);
  let thaw = () => {};
  return {
    url: database.url,
    ownerUrl: database.ownerUrl,
    adminUrl: database.adminUrl,
    auditUrl: database.auditUrl,
    newName: nameMaker(),
    sql,
    listener,
    freeze: async () => {
      thaw = freezeWithChildren(postmaster);
    },
    thaw: async () => thaw(),
    close: async () => {
      thaw();
      await Promise.all([listener.close(), sql.end({ timeout: 1 })]);
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
