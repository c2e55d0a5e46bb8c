/** A PostgreSQL server from Debian's package, which has the programs for backups that the embedded one lacks. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from '../../src/db/embedded/cluster-paths.ts';
import { freePort } from './free-port.ts';

const HOME = '/usr/lib/postgresql';
const BIN = (existsSync(HOME) ? readdirSync(HOME) : [])
  .map((release) => join(HOME, release, 'bin'))
  .filter((folder) => existsSync(join(folder, 'pg_verifybackup')) && existsSync(join(folder, 'initdb')))
  .at(-1);
const ENVIRONMENT = { PATH: `${BIN}:/usr/bin:/bin`, LC_ALL: 'C', TZ: 'UTC' };

export const hasDebianServer = BIN !== undefined;
if (!hasDebianServer) {
  process.stderr.write("Debian's PostgreSQL is missing: the test of backups is skipped (apt-get install postgresql)\n");
}

export interface BackupMachine {
  /** A folder that the account of PostgreSQL owns. */
  readonly folder: string;
  /** Runs a program as the account of PostgreSQL. @returns what it printed @throws if it fails */
  run(program: string, ...args: string[]): string;
  /** Starts a server on a cluster in the folder. */
  start(cluster: string, settings: readonly string[]): Promise<{ readonly port: number; stop(): Promise<void> }>;
  close(): void;
}

export function openBackupMachine(): BackupMachine {
  const account = chooseAccount();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-backup-'));
  chmodSync(folder, 0o755);
  const own = (path: string) => account !== null && chownSync(path, account.uid, account.gid);
  own(folder);
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      ...account,
      cwd: '/',
      env: ENVIRONMENT,
      encoding: 'utf8',
    });
    if (status !== 0) {
      throw new Error(`${program} failed (${status}): ${stderr}`);
    }
    return stdout.trim();
  };
  for (const name of ['wal', 'base']) {
    mkdirSync(join(folder, name));
    own(join(folder, name));
  }
  return {
    folder,
    run,
    start: async (cluster, settings) => {
      const port = await freePort();
      const all = [...settings, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
      const args = ['-D', join(folder, cluster), '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
      const server = spawn(join(BIN ?? '', 'postgres'), args, {
        ...account,
        cwd: '/',
        env: ENVIRONMENT,
        stdio: 'ignore',
      });
      const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
      return {
        port,
        stop: async () => {
          server.kill('SIGINT');
          await exited;
        },
      };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
