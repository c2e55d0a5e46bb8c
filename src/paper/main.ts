/**
 * The paper venue as a separate process: `main NAME [--seed S] [--port P]`. All its state is in its own folder. It uses
 * the database to be the only instance, to register its address, and to keep a second copy of its records. It ends with
 * its parent.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { projectRoot, readEnvironment } from '../core/environment.ts';
import { createLog } from '../core/log.ts';
import { loadSecrets } from '../core/secret.ts';
import { systemClock } from '../core/time.ts';
import { connect } from '../db/client.ts';
import { acquireLease, type Lease } from '../db/lease.ts';
import { readFixtures } from './catalogue/fixture.ts';
import { loadRecordStore, openJournal } from './journal.ts';
import { openPaperVenue } from './venue.ts';

const LEASE = 'paper-venue';
/** How often the folder is tried again, which another process of this machine may still be releasing. */
const FOLDER_MS = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: 'inlay' }, port: { type: 'string', default: '0' } },
});
const name = positionals[0] ?? 'paper';
const environment = readEnvironment(process.env);
const log = createLog(environment.logLevel).child({ venue: name });
const folder = join(environment.dataDir, 'paper');
const sql =
  environment.databaseUrl === undefined
    ? undefined
    : connect(environment.databaseUrl, { max: 1, applicationName: `inlay-${name}` });

const stopping = new AbortController();
let ending = false;
let end: () => Promise<void> = async () => {};
const stop = () => {
  if (ending) {
    return;
  }
  ending = true;
  stopping.abort();
  end()
    .catch((error: unknown) => log.error({ err: error }, 'the paper venue did not stop cleanly'))
    .finally(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.once('disconnect', stop);

async function register(url: string): Promise<void> {
  if (sql === undefined) {
    return;
  }
  await sql`insert into settings (name, value) values (${`venue:${name}`}, ${sql.json({ url })})
    on conflict (name) do update set value = excluded.value, updated_at = now()
    where settings.value is distinct from excluded.value`;
}

/**
 * Waits for the lease of this venue.
 * @returns null if there is no database, or if the process is shutting down
 */
async function take(): Promise<Lease | null> {
  return environment.databaseUrl === undefined
    ? null
    : acquireLease({
        url: environment.databaseDirectUrl ?? environment.databaseUrl,
        applicationName: `inlay-${name}-lease`,
        name: `${LEASE}.${name}`,
        signal: stopping.signal,
      });
}

/**
 * Takes the lease again each time it is lost. While the database is not available, no process can take it, and the
 * venue continues. If another process had it meanwhile, this one ends, because it does not know which orders the other
 * one received.
 */
async function keep(first: Lease, registerAgain: () => Promise<void>): Promise<void> {
  for (let lease: Lease | null = first; lease !== null; ) {
    held = lease;
    if ((await lease.ended) === 'resigned') {
      return;
    }
    const next = await take();
    if (next === null) {
      return;
    }
    if (next.fence.epoch !== lease.fence.epoch + 1n) {
      await next.resign();
      stop();
      return;
    }
    lease = next;
    await registerAgain().catch((error: unknown) =>
      log.warn({ err: error }, 'the paper venue could not register its address; workers may not find it'),
    );
  }
}

let held: Lease | null = null;
const hold = await (async () => {
  held = await take();
  while (!ending) {
    const folderLock = lockFolder(folder, name);
    if (folderLock !== undefined) {
      return folderLock;
    }
    await sleep(FOLDER_MS);
  }
  return undefined;
})();
if (hold !== undefined) {
  const store = sql === undefined ? undefined : await loadRecordStore(sql, name);
  const venue = await openPaperVenue({
    fixtures: readFixtures(join(projectRoot, 'fixtures', 'catalogue')),
    venue: name,
    seed: values.seed,
    journal: openJournal(folder, name, store),
    now: () => systemClock.now().getTime(),
    port: Number(values.port),
    secrets: loadSecrets(environment),
  });
  end = async () => {
    await venue.close();
    await store?.saved();
    hold.release();
    await held?.resign();
    await sql?.end({ timeout: 1 });
  };
  try {
    await register(venue.url);
  } catch (error) {
    // If the process is shutting down, the connection is closed already.
    if (!ending) {
      throw error;
    }
  }
  if (held !== null) {
    keep(held, () => register(venue.url)).catch((error: unknown) => {
      log.error({ err: error }, 'the paper venue could not keep its lease; another process may take its place');
    });
  }
  log.debug({ contracts: venue.exchange.contracts.size }, 'the paper venue is open');
}

interface InstanceLock {
  release(): void;
}

/**
 * Lets one process alone use the state folder, by a file with its process number. The lock of a process that has ended
 * is taken over.
 *
 * @returns undefined while another living process has the lock
 */
function lockFolder(folder: string, name: string): InstanceLock | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.pid`);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    if (lives(holderOf(path))) {
      return undefined;
    }
    rmSync(path, { force: true });
  }
  return undefined;
}

function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

function lives(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) {
    return false;
  }
  try {
    process.kill(pid, 0);
    // Process numbers are reused, so the process of this number may be another program, which does not have the lock.
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('paper');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
