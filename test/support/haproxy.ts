/** A real HAProxy with the files that `inlay cells map` writes. Debian's package has the program. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const PROGRAM = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/usr/local/sbin/haproxy'].find(existsSync);

export const hasHaproxy = PROGRAM !== undefined;
if (!hasHaproxy) {
  process.stderr.write(
    'haproxy is missing: the tests of several cells behind it are skipped (apt-get install haproxy)\n',
  );
}

export interface Haproxy {
  readonly url: string;
  readonly bind: string;
  /** Starts with the files as they are now, and takes over from the process before, which ends when it is idle. */
  load(configuration: string): Promise<void>;
  close(): Promise<void>;
}

export async function startHaproxy(): Promise<Haproxy> {
  const bind = `127.0.0.1:${await freePort()}`;
  const url = `http://${bind}`;
  const folder = mkdtempSync(join(tmpdir(), 'inlay-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const children: ChildProcess[] = [];
  const settings = 'defaults\n  timeout connect 2s\n  timeout client 30s\n  timeout server 30s\n';
  return {
    url,
    bind,
    load: async (configuration) => {
      const previous = children.at(-1)?.pid;
      const takeOver = previous === undefined ? [] : ['-sf', String(previous)];
      writeFileSync(file, `${settings}${configuration}`);
      const child = spawn(PROGRAM ?? '', ['-db', '-q', '-f', file, ...takeOver], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let complaint = '';
      child.stderr.on('data', (text) => {
        complaint += String(text);
      });
      children.push(child);
      await until(
        async () => {
          if (child.exitCode !== null) {
            throw new Error(`haproxy ended: ${complaint}`);
          }
          return (await fetch(`${url}/api/health`)).status;
        },
        (status) => status === 200,
      );
    },
    close: async () => {
      for (const child of children) {
        if (child.exitCode === null && child.signalCode === null) {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          await ended;
        }
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
