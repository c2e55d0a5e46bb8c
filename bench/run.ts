/** `npm run bench`: ratios measured in one run on one machine, each against its baseline, as a table or as JSON. */

import { prepareBaselines } from './baselines.ts';
import { type Measure, ordersHot, ordersP99, ordersSpread, quotes } from './orders.ts';
import { openWorld, type World } from './world.ts';

interface Row {
  readonly key: string;
  readonly target: number;
  /** Whether the ratio should be at least or at most the target. */
  readonly better: 'higher' | 'lower';
  readonly measure: (world: World, rounds: number) => Promise<Measure>;
}

const ROWS: readonly Row[] = [
  { key: 'orders-spread', target: 1, better: 'higher', measure: ordersSpread },
  { key: 'orders-hot', target: 1, better: 'higher', measure: ordersHot },
  { key: 'orders-p99', target: 5, better: 'lower', measure: ordersP99 },
  { key: 'quotes', target: 0.6, better: 'higher', measure: quotes },
];

const flags = process.argv.slice(2);
const json = flags.includes('--json');
const rounds = Number(flags.find((flag) => flag.startsWith('--rounds='))?.slice('--rounds='.length) ?? 5);
const wanted = flags.filter((flag) => !flag.startsWith('--'));
const results: object[] = [];
for (const row of ROWS.filter((one) => wanted.length === 0 || wanted.includes(one.key))) {
  const world = await openWorld();
  try {
    await prepareBaselines(world.database.ownerUrl);
    const { measured, baseline, unit, note } = await row.measure(world, rounds);
    const ratio = measured / baseline;
    const reached = row.better === 'higher' ? ratio >= row.target : ratio <= row.target;
    results.push({
      key: row.key,
      measured,
      baseline,
      unit,
      ratio,
      target: row.target,
      better: row.better,
      reached,
      note,
    });
    if (!json) {
      const sign = row.better === 'higher' ? '>=' : '<=';
      process.stdout.write(
        `${row.key.padEnd(20)} ${measured.toFixed(1).padStart(12)} ${unit.padEnd(6)} baseline ${baseline.toFixed(1).padStart(12)}  ratio ${ratio.toFixed(2).padStart(6)}  target ${sign} ${row.target}  ${reached ? 'reached' : 'not reached'}${note === undefined ? '' : `  (${note})`}\n`,
      );
    }
  } finally {
    await world.close();
  }
}
if (json) {
  process.stdout.write(`${JSON.stringify({ node: process.version, rounds, rows: results }, null, 2)}\n`);
}
