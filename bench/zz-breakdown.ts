import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openWorld } from '/work/main/bench/world.ts';
import { booksOf } from '/work/main/bench/books.ts';
const world = await openWorld();
try {
const b = await booksOf(world, { rounds: 1, size: () => Number(process.env.BLOCKS ?? 4) } as never);
const c = new pg.Client({ connectionString: world.database.ownerUrl }); await c.connect();
const op = `'${b.operator.operatorId}'`;
await c.query('set max_parallel_workers_per_gather = 0');
const explain = async (file: string, index: number) => {
const body = readFileSync('/work/main/sql/functions/' + file, 'utf8').split('$$')[index]!.replaceAll('p_operator_id', op).replaceAll('p_base', '0::bigint').replaceAll('p_since', "'-infinity'::timestamptz");
for (let i = 0; i < 2; i++) {
const r = await c.query('explain (analyze, costs off, buffers off, timing on, summary on) ' + body);
if (i === 1) console.log('=====', file, index, '\n' + r.rows.map((x) => x['QUERY PLAN'].slice(0, 170)).filter((l: string) => !/never executed|Index Searches|Heap Fetches|rest/.test(l)).join('\n'));
}};
await explain('53_check_orders.sql', 1); await explain('53_check_orders.sql', 3); await explain('54_check_positions.sql', 1);
await explain('52_check_ledger.sql', 1);
await c.end();
} catch (e) { console.log(e); }
await world.close(); process.exit(0);
