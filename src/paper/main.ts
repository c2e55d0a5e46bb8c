/**
 * The paper venue as a process of its own: `main NAME [--seed S] [--port P]`. It uses the database only to be alone there
 * and to say where it listens; everything it knows is in its own folder. Ends with its parent.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../core/clock.ts';
import { projectRoot, readEnvironment } from '../core/environment.ts';
import { createLog } from '../core/log.ts';
import { connect } from '../db/client.ts';
import { readFixtures } from './fixture.ts';
import { openJournal } from './journal.ts';
import { holdFolder } from './lone.ts';
import { openPaperVenue } from './venue.ts';

const LOCK_KEY = 'inlay.paper-venue';
const WATCH_MS = 2_000;

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

let ending = false;
let end: () => Promise<void> = async () => {};
const stop = () => {
  if (ending) return;
  ending = true;
  end()
    .catch((error: unknown) => log.error({ err: error }, 'the paper venue did not end well'))
    .finally(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.once('disconnect', stop);

/** Session-level, so it is gone with the connection; asked again at each watch, since a pool reconnects by itself. */
async function alone(): Promise<boolean> {
  if (sql === undefined) return true;
  const rows = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(hashtext(${`${LOCK_KEY}.${name}`})) as held`;
  return rows[0]?.held === true;
}

async function register(url: string): Promise<void> {
  if (sql === undefined) return;
  await sql`insert into settings (name, value) values (${`venue:${name}`}, ${sql.json({ url })})
    on conflict (name) do update set value = excluded.value, updated_at = now()
    where settings.value is distinct from excluded.value`;
}

async function isAlone(): Promise<boolean> {
  try {
    return await alone();
  } catch (error) {
    log.warn({ err: error }, 'the database cannot be asked');
    return false;
  }
}

const hold = await (async () => {
  for (;;) {
    if (ending) return undefined;
    const held = (await isAlone()) ? holdFolder(folder, name) : undefined;
    if (held !== undefined) return held;
    await sleep(WATCH_MS);
  }
})();
if (hold !== undefined) {
  const venue = await openPaperVenue({
    fixtures: readFixtures(join(projectRoot, 'fixtures', 'catalogue')),
    venue: name,
    seed: values.seed,
    journal: openJournal(folder, name),
    now: () => systemClock.now().getTime(),
    port: Number(values.port),
  });
  const watch = setInterval(() => {
    alone()
      .then((held) => (held ? register(venue.url) : stop()))
      // The venue lives on without the service's database, as any other venue would.
      .catch(() => {});
  }, WATCH_MS);
  end = async () => {
    clearInterval(watch);
    await venue.close();
    hold.release();
    await sql?.end({ timeout: 1 });
  };
  await register(venue.url);
  log.debug({ contracts: venue.exchange.contracts.size }, 'the paper venue is open');
  if (ending) await end();
}
