/**
 * Row `settle`: 100,000 positions of one market and one operator, settled with ledger, feed and register, against
 * TPC-B-like; meanwhile the same operator's customers go on ordering. Row `settle-wide`: as many positions of fifty operators,
 * nothing else. The positions are written set-based, as fills leave them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../src/db/client.ts';
import { BATCH, listUnsettled, settleBatch, settleMarket } from '../src/settlement/settle-market.ts';
import { seedMarket } from '../test/support/market.ts';
import { tpcb } from './baselines.ts';
import type { LoadAnswer } from './load-process.ts';
import { interleave, type Measure, median, percentile, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, orderShots } from './orders.ts';
import type { BenchOperator, World } from './world.ts';

const POSITIONS = 100_000;
const WIDE = 50;
const ORDERS_PER_SECOND = 100;
const TRANSACTIONS = 12_000;
/** Batches settled one after the other with without other load, to see how long one takes. */
const ALONE_BATCHES = 60;
/** The first of these, which do not count: statements are planned and pages read for the first time. */
const WARMING = 10;

export async function settle(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const [operator] = await world.createOperators('settling', 1, 60);
  if (operator === undefined) {
    throw new Error('no operator was created');
  }
  const count = size(POSITIONS, 1_000);
  const trading = await seedMarket(world.sql, 'bench-trading', DEEP);
  const api = await world.startApi();
  const held = await settleAlone(world, operator, size(ALONE_BATCHES, WARMING + 5) * BATCH);
  const latencies: number[] = [];
  const cpu: number[] = [];

  async function settleOne(round: number): Promise<number> {
    const { contractId } = await seedMarket(world.sql, `settle-${round}`, DEEP);
    await openPositions(world, operator as BenchOperator, `settle-${round}`, contractId, count);
    await confirmBook(world, trading);
    // which updates statistics, too
    const shots = await orderShots(
      world,
      api.url,
      [operator as BenchOperator],
      trading.contractId,
      `s${round}`,
      // as many as are sent in the time that the settlement takes on a slow machine
      Math.ceil((count / 5_000) * ORDERS_PER_SECOND),
    );
    await resolve(world.sql, contractId);
    const ordering = load(world, { url: api.url, inFlight: IN_FLIGHT, shots, perSecond: ORDERS_PER_SECOND });
    await sleep(200);
    const before = world.databaseCpu();
    const start = performance.now();
    const settled = await settleMarket(world.sql, contractId);
    const took = performance.now() - start;
    cpu.push(((world.databaseCpu() - before) * 1_000_000) / count);
    if (settled !== count) {
      throw new Error(`${settled} of ${count} positions were settled`);
    }
    const answer: LoadAnswer = await ordering;
    latencies.push(...answer.latencies.slice(0, Math.ceil((took / 1000) * ORDERS_PER_SECOND)));
    return (settled * 1000) / took;
  }

  const rates = await interleave(run, settleOne, () => tpcb(world.database.ownerUrl, size(TRANSACTIONS)));
  await api.close();
  return {
    ...rates,
    unit: 'per s',
    note:
      `${count} positions of one operator, ${ORDERS_PER_SECOND} orders a second meanwhile, p99 ${percentile(latencies, 0.99).toFixed(1)} ms; ` +
      `without other load p99 of how long a batch holds the counter ${held.toFixed(1)} ms; ` +
      `${median(cpu.slice(1)).toFixed(0)} µs of CPU a position in the database`,
  };
}

export async function settleWide(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const operators = await world.createOperators('wide', WIDE, 1);
  const each = size(POSITIONS / WIDE, 20);
  const cpu: number[] = [];
  const rates = await interleave(
    run,
    async (round) => {
      const { contractId } = await seedMarket(world.sql, `wide-${round}`, DEEP);
      for (const operator of operators) {
        await openPositions(world, operator, `wide-${round}`, contractId, each);
      }
      await world.analyze();
      await resolve(world.sql, contractId);
      const [before, start] = [world.databaseCpu(), performance.now()];
      const settled = await settleMarket(world.sql, contractId);
      const took = performance.now() - start;
      cpu.push(((world.databaseCpu() - before) * 1_000_000) / settled);
      if (settled !== each * WIDE) {
        throw new Error(`${settled} of ${each * WIDE} positions were settled`);
      }
      return (settled * 1000) / took;
    },
    () => tpcb(world.database.ownerUrl, size(TRANSACTIONS)),
  );
  const note = `${each * WIDE} positions of ${WIDE} operators; ${median(cpu.slice(1)).toFixed(0)} µs of CPU a position in the database`;
  return { ...rates, unit: 'per s', note };
}

/**
 * How long a batch holds the operator's counter, milliseconds, the 99th percentile: from the time that was read under its lock, which the
 * batch's rows carry, until the commit returned.
 */
async function settleAlone(world: World, operator: BenchOperator, count: number): Promise<number> {
  const { contractId } = await seedMarket(world.sql, 'settle-alone', DEEP);
  await openPositions(world, operator, 'settle-alone', contractId, count);
  await world.analyze();
  await resolve(world.sql, contractId);
  const sql = connect(world.database.url, { max: 1, applicationName: 'inlay-bench' });
  const unsettled = await listUnsettled(sql, { contractId, days: 1 }, count);
  const times: number[] = [];
  for (let at = 0; at < unsettled.length; at += BATCH) {
    await settleBatch(sql, unsettled.slice(at, at + BATCH));
    const answered = Date.now();
    const [item] = await sql<{ locked: number }[]>`
      select extract(epoch from recorded_at)::float8 * 1000 as locked from journal
      where operator_id = ${operator.operatorId} order by sequence desc limit 1`;
    times.push(answered - (item?.locked ?? 0));
  }
  await sql.end();
  return percentile(times.slice(WARMING), 0.99);
}

async function resolve(sql: Sql, contractId: string): Promise<void> {
  await sql`select * from decide_market(${contractId}, 'resolve', 'YES', ${null}::bigint)`;
}

/**
 * Positions as buys of 2.00 at 0.57 leave them, half of them on YES, each of a separate customer with a wallet; the auditor has read them.
 */
async function openPositions(
  { sql, database }: World,
  { operatorId }: BenchOperator,
  name: string,
  contractId: string,
  count: number,
): Promise<void> {
  await sql`
    with numbered as (
      select n, ${name} || '-' || n as customer from generate_series(1, ${count}::int) n
    ), customer as (
      insert into customers (operator_id, external_user_id) select ${operatorId}, customer from numbered
    ), wallet as (
      insert into wallets (operator_id, external_user_id, available) select ${operatorId}, customer, -999800 from numbered
    )
    insert into positions (operator_id, position_id, external_user_id, contract_id, side, simulated, quantity_micros, cost_basis_minor,
      entry_fees_minor, price_weight, average_price_micros, opened_at, updated_at)
    select ${operatorId}, 'pos_' || replace(uuidv7_text(), '-', ''), customer, ${contractId},
      case n % 2 when 0 then 'YES' else 'NO' end, true, 3438596, 200, 4, 3438596 * 570000::numeric, 570000, now(), now()
    from numbered`;
  const audit = connect(database.auditUrl, { max: 1, applicationName: 'inlay-bench' });
  await audit`
    with position as (
      insert into audit.positions (operator_id, position_id, external_user_id, contract_id, side, simulated, status, quantity_micros, held_quantity_micros,
        cost_basis_minor, entry_fees_minor, price_weight, average_price_micros, realised_pnl_minor, opened_at)
      select operator_id, position_id, external_user_id, contract_id, side, simulated, status, quantity_micros, held_quantity_micros,
        cost_basis_minor, entry_fees_minor, price_weight, average_price_micros, realised_pnl_minor, opened_at
      from positions where operator_id = ${operatorId} and contract_id = ${contractId}
    )
    insert into audit.accounts (operator_id, account_id, balance, debits, lines)
    select operator_id, 'wallet:' || external_user_id, available, 0, 1
    from wallets where operator_id = ${operatorId} and external_user_id like ${`${name}-%`}`;
  await audit.end();
}
