import { readFileSync } from 'node:fs';
import pg from 'pg';
import { booksOf } from './books.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
try {
  const b = await booksOf(world, { rounds: 1, size: () => Number(process.env.BLOCKS ?? 10) } as never);
  console.log(b.entries, b.lines, b.items);
  const c = new pg.Client({ connectionString: world.database.url });
  await c.connect();
  const pid = (await c.query('select pg_backend_pid() p')).rows[0].p;
  const cpu = () => {
    const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(f[11]) + Number(f[12])) * 10;
  };
  const q = async (label: string, text: string, n = 5) => {
    await c.query(text);
    const t = cpu();
    for (let i = 0; i < n; i++) await c.query(text);
    console.log(label.padEnd(28), ((cpu() - t) / n).toFixed(0));
  };
  const op = `'${b.operator.operatorId}'`;
  await c.query('set max_parallel_workers_per_gather = 0');
  await q('baseline sum', `select count(*), sum(amount) from ledger_lines where operator_id = ${op}`, 10);
  await q('account_sums', `select count(*) from account_sums(${op}, 0)`);
  await q('check_ledger', `select check_ledger(${op}, 0)`);
  for (const f of ['check_order_money', 'check_order_fills'])
    await q(f, `select count(*) from ${f}(${op}, '-infinity')`);
  for (const f of [
    'check_position_quantity',
    'check_position_cost',
    'check_settlement_once',
    'wallet_credits',
    'check_wallet_balance',
  ])
    await q(f, `select count(*) from ${f}(${op})`);
  for (const f of ['check_settlement_amount', 'check_feed_gap', 'check_entry_seal'])
    await q(f, `select count(*) from ${f}(${op}, 0)`);
  await q('reconcile', `select reconcile(${op}, '1970-01-01')`);
  await c.end();
} catch (e) {
  console.log(e);
}
await world.close();
process.exit(0);
