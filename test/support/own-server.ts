/** A PostgreSQL server of its own for a test that stops all of it, so that no other test is stopped with it. */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/db/client.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { nameMaker, type TestDatabase } from './database.ts';

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
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = parentOf(row?.pid ?? 0);
  const frozen = new Set<number>();
  const thaw = async () => {
    for (const pid of frozen) {
      signal(pid, 'SIGCONT');
    }
    frozen.clear();
  };
  return {
    url: database.url,
    ownerUrl: database.ownerUrl,
    adminUrl: database.adminUrl,
    auditUrl: database.auditUrl,
    newName: nameMaker(),
    sql,
    // the parent first: it would replace children that end
    freeze: async () => {
      for (const pid of [postmaster, ...(await childrenOf(postmaster))]) {
        signal(pid, 'SIGSTOP');
        frozen.add(pid);
      }
    },
    thaw,
    close: async () => {
      await thaw();
      await sql.end({ timeout: 1 });
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended meanwhile
  }
}

function parentOf(pid: number): number {
  // the name, in parentheses, may hold blanks
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

async function childrenOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return all.filter((one) => {
    try {
      return parentOf(one) === pid;
    } catch {
      return false;
    }
  });
}
