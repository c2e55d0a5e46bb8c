/**
 * Row `stored`: bytes that an order leaves in tables and indexes, quotes made before, against what it left in release a21d688;
 * the bytes that it writes to the log as a bound.
 */
import { seedMarket } from '../test/support/market.ts';
import type { Measure, Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import { growthLines, readSizes, type Sizes } from './table-sizes.ts';
import type { World } from './world.ts';

const STORED_BEFORE = 5_100;
const LOGGED_BEFORE = 8_000;
const LOGGED_TARGET = 0.375;

export async function stored(world: World, { size }: Run): Promise<Measure> {
  const operators = await world.createOperators('stored', 50, 4);
  const market = await seedMarket(world.sql, 'bench-stored', DEEP);
  const api = await world.startApi();
  const count = size(ORDERS, IN_FLIGHT);

  async function send(name: string): Promise<{ bytes: number; logged: number; lines: readonly string[] }> {
    await confirmBook(world, market);
    const shots = await orderShots(world, api.url, operators, market.contractId, name, count);
    const before = await stateOf(world);
    await load(world, { url: api.url, inFlight: IN_FLIGHT, shots });
    const after = await stateOf(world);
    return {
      bytes: (after.bytes - before.bytes) / count,
      logged: (after.logged - before.logged) / count,
      lines: growthLines(before.sizes, after.sizes, count),
    };
  }

  // pages that are written for the first time after a checkpoint go into the log whole
  await send('warm');
  const { bytes, logged, lines } = await send('counted');
  await api.close();
  return {
    measured: bytes,
    baseline: STORED_BEFORE,
    unit: 'bytes',
    costs: { storedBytes: bytes, loggedBytes: logged },
    bounds: [{ what: 'log an order', value: logged / LOGGED_BEFORE, unit: 'times', atMost: LOGGED_TARGET }],
    profile: lines,
    note: `${logged.toFixed(0)} bytes of log an order; the baseline is release a21d688, ${LOGGED_BEFORE} bytes of log`,
  };
}

async function stateOf(world: World): Promise<{ bytes: number; logged: number; sizes: Sizes }> {
  const [row] = await world.sql<{ bytes: number; logged: number }[]>`
    select sum(pg_total_relation_size(oid))::float8 as bytes, (pg_current_wal_lsn() - '0/0')::float8 as logged
    from pg_class where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace and relname not like 'bench%'`;
  if (row === undefined) {
    throw new Error('the database did not tell its size');
  }
  return { ...row, sizes: await readSizes(world.sql) };
}
