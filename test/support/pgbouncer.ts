/** A real pgbouncer in transaction mode before the database of a test. Debian's package has the program. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from '../../src/db/embedded/cluster-paths.ts';
import { answersAt, freePort } from './free-port.ts';
import { until } from './until.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync);

export const hasPgbouncer = PROGRAM !== undefined;
if (!hasPgbouncer) {
  process.stderr.write('pgbouncer is missing: the tests behind a pooler are skipped (apt-get install pgbouncer)\n');
}

export interface Pooler {
  /** The database's URL through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** @param serverConnections to PostgreSQL: fewer than the clients hold, so that sessions are really shared. */
export async function startPgbouncer(databaseUrl: string, serverConnections: number): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'inlay-pgbouncer-'));
  const port = await freePort();
  const account = chooseAccount();
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (account !== null) {
      chownSync(file, account.uid, account.gid);
    }
    return file;
  };
  chmodSync(folder, 0o711);
  const users = write('users.txt', `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  const settings = write(
    'pgbouncer.ini',
    [
      '[databases]',
      `* = host=${target.hostname} port=${target.port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${serverConnections}`,
      'ignore_startup_parameters = statement_timeout, tcp_user_timeout',
      'log_connections = 0',
      'log_disconnections = 0',
      '',
    ].join('\n'),
  );
  const child: ChildProcess = spawn(PROGRAM ?? '', ['-q', settings], { ...account, cwd: '/', stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  await until(() => answersAt(port));
  return {
    url: url.href,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
