/**
 * `npm run ha -- [--events N] [--only TEXT] [--minutes N]`: builds the cluster of deploy/patroni on loopback with two API processes and two workers,
 * trades, and kills, freezes and switches it. Prints the gap of each event; ends with 0 if every event was
 * measured, nothing was lost or doubled and no process of ours restarted, with 5 otherwise, and with 0 and a line that says why if the programs are missing.
 */
import { parseArgs } from 'node:util';
import { connect } from '../../src/db/client.ts';
import { timePasses, until } from '../support/until.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { KINDS, planEvents } from './events.ts';
import { findUnmeasured, longestGap, type Observed, tableOf } from './gaps.ts';
import { type Load, startLoad } from './load.ts';
import { findPrograms } from './programs.ts';
import { openService, type Service } from './service.ts';
import { findFaults } from './verdict.ts';

const WHOLE_WITHIN_MS = 180_000;
/** Orders of the time after an event that belong to it. */
const AFTER_MS = 1_000;
const BEFORE_MS = 500;
const FAULTS = 5;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '120' },
  },
});
const kinds = KINDS.filter(({ name }) => values.only.split(',').some((part) => name.includes(part)));
if (![values.events, values.minutes].every((text) => /^\d{1,5}$/.test(text)) || kinds.length === 0) {
  process.stderr.write(
    `--events and --minutes are whole numbers; --only is parts of names, with commas: ${KINDS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const programs = findPrograms();
if (typeof programs === 'string') {
  process.stdout.write(`skipped: ${programs}\n`);
  process.exit(0);
}

const say = (text: string) => void process.stdout.write(`${text}\n`);
const cluster = await startCluster(programs, (name) => say(`${name} was reset by its watchdog`));
const open: { close(): Promise<void> }[] = [cluster];
const close = async () => {
  for (const one of open.splice(0).reverse()) {
    await one.close();
  }
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(130)));
}
let faults: string[] = [];
try {
  await whole(cluster);
  const service = await openService(cluster);
  open.push(service);
  const load = startLoad(service.urls, service.traders);
  open.push({ close: () => load.stop() });
  faults = await runEvents(cluster, service, load);
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

async function runEvents(nodes: Cluster, service: Service, load: Load): Promise<string[]> {
  const observed: Observed[] = [];
  const unmeasured: string[] = [];
  const started = performance.now();
  await acknowledgedAfter(load, started);
  const plan = planEvents(Number(values.events), kinds);
  const end = started + Number(values.minutes) * 60_000;
  for (const [index, { name, run }] of plan.entries()) {
    if (performance.now() > end) {
      break;
    }
    await timePasses(BEFORE_MS);
    const from = performance.now();
    try {
      const remark = await run(nodes, (await nodes.leader()) ?? '');
      await whole(nodes);
      const wholeMs = performance.now() - from;
      await timePasses(AFTER_MS);
      await acknowledgedAfter(load, performance.now());
      const gapMs = longestGap(load.acknowledged, from, performance.now());
      observed.push({ kind: name, gapMs, wholeMs });
      const [gap, all] = [gapMs, wholeMs].map((ms) => (ms / 1000).toFixed(1));
      say(
        [
          `${index + 1}/${plan.length} ${name}: gap ${gap} s, whole after ${all} s, ${load.acknowledged.length} orders`,
          ...(remark === undefined ? [] : [remark]),
        ].join(', '),
      );
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error);
      unmeasured.push(`${name}: ${because}`);
      say(`${index + 1}/${plan.length} ${name}: not measured: ${because}`);
    }
  }
  await load.stop();
  const minutes = ((performance.now() - started) / 60_000).toFixed(0);
  const live = load.acknowledged.filter((one) => one.live).length;
  const sandbox = load.acknowledged.length - live;
  say(
    `\n${tableOf(observed)}\n\n${observed.length} of ${plan.length} events measured in ${minutes} minutes; ${sandbox} sandbox and ${live} live orders acknowledged`,
  );
  say(`refused: ${JSON.stringify([...load.refusals].sort(([, one], [, other]) => other - one))}`);
  const sql = connect(service.ownerUrl, { max: 1, applicationName: 'inlay-ha' });
  try {
    const missing = findUnmeasured(plan.length, observed.length, unmeasured);
    return [...missing, ...service.restarted(), ...(await findFaults(sql, load.acknowledged, service.environment))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function whole(nodes: Cluster): Promise<void> {
  const look = async () => {
    if (!(await nodes.isWhole())) {
      throw new Error(`the cluster is not whole: ${JSON.stringify(await nodes.members())}`);
    }
  };
  await until(look, WHOLE_WITHIN_MS);
}

async function acknowledgedAfter({ acknowledged }: Load, at: number): Promise<void> {
  await until(
    () => acknowledged.at(-1)?.at ?? 0,
    (last) => last > at,
    WHOLE_WITHIN_MS,
  );
}
