/**
 * `npm run ha -- [--events N] [--only TEXT] [--minutes N] [--citus]`: builds the cluster of deploy/patroni on loopback with two API
 * processes and two workers, trades, and kills, freezes and switches it. With --citus it is the cluster of deploy/citus, whose groups
 * take turns, and it is backed up under load, restored as another one and traded on. Prints the gap of each event; ends with 0 if every
 * event was measured, nothing was lost or doubled and no process of ours restarted, with 5 otherwise, and with 0 and a line that says
 * why if the programs are missing.
 */
import { parseArgs } from 'node:util';
import { connect } from '../../src/db/client.ts';
import { findCitus } from '../citus/lab.ts';
import { timePasses } from '../support/until.ts';
import { type Backups, openBackups } from './backups.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { KINDS, planEvents } from './events.ts';
import { findUnmeasured, longestGap, type Observed, tableOf } from './gaps.ts';
import { type Load, startLoad } from './load.ts';
import { findPrograms, type Programs } from './programs.ts';
import { type RestorePoint, tradeRestored } from './restored.ts';
import { openService, type Service } from './service.ts';
import type { Plan } from './topology.ts';
import { findFaults } from './verdict.ts';
import { acknowledgedAfter, whole } from './waits.ts';

/** Orders of the time after an event that belong to it. */
const AFTER_MS = 1_000;
const BEFORE_MS = 500;
const AROUND_POINT_MS = 5_000;
const FAULTS = 5;
/** The coordinator and two workers. */
const CITUS = [3, 3, 3];

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '120' },
    citus: { type: 'boolean', default: false },
  },
});
const kinds = KINDS.filter(({ name }) => values.only.split(',').some((part) => name.includes(part)));
if (![values.events, values.minutes].every((text) => /^\d{1,5}$/.test(text)) || kinds.length === 0) {
  process.stderr.write(
    `--events and --minutes are whole numbers; --only is parts of names, with commas: ${KINDS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const programs = findAllPrograms();
if (typeof programs === 'string') {
  process.stdout.write(`skipped: ${programs}\n`);
  process.exit(0);
}

const say = (text: string) => void process.stdout.write(`${text}\n`);
const open: { close(): Promise<void> | void }[] = [];
const keep = <T extends { close(): Promise<void> | void }>(one: T): T => {
  open.push(one);
  return one;
};
/** @param to how many stay open */
const close = async (to = 0) => {
  for (const one of open.splice(to).reverse()) {
    await one.close();
  }
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(130)));
}
let faults: string[] = [];
try {
  faults = values.citus ? await runCitus(programs) : (await runCluster(programs, { groups: [3] })).faults;
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await close();
}
say(
  faults.length === 0
    ? 'every event measured, nothing lost, nothing doubled, no process restarted'
    : `FAULTS\n${faults.join('\n')}`,
);
process.exit(faults.length === 0 ? 0 : FAULTS);

function findAllPrograms(): Programs | string {
  try {
    return values.citus ? findPrograms(findCitus(process.env['CITUS_PG_CONFIG'])) : findPrograms();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function start(found: Programs, plan: Plan): Promise<Cluster> {
  const cluster = keep(await startCluster(found, plan, (name) => say(`${name} was reset by its watchdog`)));
  await whole(cluster);
  return cluster;
}

async function runCitus(found: Programs): Promise<string[]> {
  const backups = keep(openBackups(found, CITUS.length));
  const plan = { groups: CITUS, archive: backups.archive };
  const { faults: before, service, point } = await runCluster(found, plan, backups);
  if (point === undefined) {
    return before;
  }
  await close(1);
  const restore = (group: number, data: string) => backups.restore(point.name, group, data);
  const restored = await start(found, { ...plan, restore });
  return [...before, ...(await tradeRestored(restored, service, point, say))];
}

async function runCluster(
  found: Programs,
  plan: Plan,
  backups?: Backups,
): Promise<{ faults: string[]; service: Service; point?: RestorePoint }> {
  const cluster = await start(found, plan);
  const service = keep(await openService(cluster, backups?.folder));
  const load = startLoad(service.urls, service.traders);
  keep({ close: () => load.stop() });
  const observed: Observed[] = [];
  const unmeasured: string[] = [];
  const started = performance.now();
  await acknowledgedAfter(load, service.traders, started);
  const events = planEvents(Number(values.events), kinds);
  const end = started + Number(values.minutes) * 60_000;
  for (const [index, { name, run }] of events.entries()) {
    if (performance.now() > end) {
      break;
    }
    const number = index % cluster.groups.length;
    const group = cluster.groups[number] as Cluster['groups'][number];
    const kind = cluster.groups.length === 1 ? name : `${number === 0 ? 'coordinator' : 'worker'}: ${name}`;
    await timePasses(BEFORE_MS);
    const from = performance.now();
    try {
      const remark = await run(group, (await group.leader()) ?? '');
      await whole(cluster);
      const wholeMs = performance.now() - from;
      await timePasses(AFTER_MS);
      await acknowledgedAfter(load, service.traders, performance.now());
      const gapMs = longestGap(load.acknowledged, from, performance.now());
      observed.push({ kind, gapMs, wholeMs });
      const [gap, all] = [gapMs, wholeMs].map((ms) => (ms / 1000).toFixed(1));
      say(
        [
          `${index + 1}/${events.length} ${kind}: gap ${gap} s, whole after ${all} s, ${load.acknowledged.length} orders`,
          ...(remark === undefined ? [] : [remark]),
        ].join(', '),
      );
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error);
      unmeasured.push(`${kind}: ${because}`);
      say(`${index + 1}/${events.length} ${kind}: not measured: ${because}`);
    }
  }
  const point = backups && (await backUp(cluster, backups, service, load));
  await load.stop();
  const minutes = ((performance.now() - started) / 60_000).toFixed(0);
  const live = load.acknowledged.filter((one) => one.live).length;
  const sandbox = load.acknowledged.length - live;
  say(
    `\n${tableOf(observed)}\n\n${observed.length} of ${events.length} events measured in ${minutes} minutes; ${sandbox} sandbox and ${live} live orders acknowledged`,
  );
  say(`refused: ${JSON.stringify([...load.refusals].sort(([, one], [, other]) => other - one))}`);
  const sql = connect(service.ownerUrl, { max: 1, applicationName: 'inlay-ha' });
  try {
    const missing = findUnmeasured(events.length, observed.length, unmeasured);
    const found = await findFaults(sql, load.acknowledged, service.environment);
    return { faults: [...missing, ...service.restarted(), ...found], service, ...(point && { point }) };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A copy while it trades, then orders that only the log has, a restore point, and orders after it. */
async function backUp(cluster: Cluster, backups: Backups, { traders }: Service, load: Load): Promise<RestorePoint> {
  await backups.copy(cluster);
  await timePasses(AROUND_POINT_MS);
  await acknowledgedAfter(load, traders, performance.now());
  const before = [...load.acknowledged];
  const name = await backups.mark(cluster);
  const from = load.acknowledged.length;
  await timePasses(AROUND_POINT_MS);
  await acknowledgedAfter(load, traders, performance.now());
  return { name, before, after: load.acknowledged.slice(from) };
}
