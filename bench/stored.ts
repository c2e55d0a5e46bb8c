/**
 * Row `stored`: bytes that an order leaves in tables and indexes, quotes made before, against the same in release a21d688. The note has the
 * bytes that it writes to the log, and those that the auditor, which reads afterwards, keeps of it.
 */
import { listUnread, readOn } from '../src/audit/read-on.ts';
import { connect } from '../src/db/client.ts';
import { toldOf } from '../src/ledger/render/told.ts';
import { seedMarket } from '../test/support/market.ts';
import type { Measure, Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import { growthLines, readSizes, type Sizes } from './table-sizes.ts';
import type { World } from './world.ts';

const STORED_BEFORE = 5_100;
const LOGGED_BEFORE = 8_000;
const MOST_BYTES = 2_000;

export async function stored(world: World, { size }: Run): Promise<Measure> {
  const operators = await world.createOperators('stored', 50, 4);
  const market = await seedMarket(world.sql, 'bench-stored', DEEP);
  const api = await world.startApi();
  const count = size(ORDERS, IN_FLIGHT);

  const audit = connect(world.database.auditUrl, { max: 1, applicationName: 'inlay-bench-audit' });

  async function send(name: string): Promise<{ orders: Growth; books: Growth }> {
    await confirmBook(world, market);
    const shots = await orderShots(world, api.url, operators, market.contractId, name, count);
    return {
      orders: await growthOf(world, 'public', count, () => load(world, { url: api.url, inFlight: IN_FLIGHT, shots })),
      books: await growthOf(world, 'audit', count, async () => {
        for (const operatorId of await listUnread(audit)) {
          await readOn(audit, operatorId, toldOf);
        }
      }),
    };
  }

  // pages that are written for the first time after a checkpoint go into the log whole
  await send('warm');
  const { orders, books } = await send('counted');
  await audit.end();
  await api.close();
  return {
    measured: orders.bytes,
    baseline: STORED_BEFORE,
    unit: 'bytes',
    costs: { storedBytes: orders.bytes, loggedBytes: orders.logged },
    bounds: [{ what: 'tables and indexes', value: orders.bytes, unit: 'bytes', atMost: MOST_BYTES }],
    profile: [...orders.lines, '', ...books.lines],
    note:
      `${orders.logged.toFixed(0)} bytes of log an order, and ${books.logged.toFixed(0)} of the auditor's, whose books of it take ${books.bytes.toFixed(0)}; ` +
      `the baseline is release a21d688, ${LOGGED_BEFORE} bytes of log`,
  };
}

/** The bytes that one order adds to the tables of a schema and to the log. */
interface Growth {
  readonly bytes: number;
  readonly logged: number;
  readonly lines: readonly string[];
}

async function growthOf(world: World, schema: string, count: number, work: () => Promise<unknown>): Promise<Growth> {
  const before = await stateOf(world, schema);
  await work();
  const after = await stateOf(world, schema);
  return {
    bytes: (after.bytes - before.bytes) / count,
    logged: (after.logged - before.logged) / count,
    lines: growthLines(before.sizes, after.sizes, count),
  };
}

async function stateOf(world: World, schema: string): Promise<{ bytes: number; logged: number; sizes: Sizes }> {
  const [row] = await world.sql<{ bytes: number; logged: number }[]>`
    select sum(pg_total_relation_size(oid))::float8 as bytes, (pg_current_wal_lsn() - '0/0')::float8 as logged
    from pg_class where relkind in ('r', 'm') and relnamespace = ${schema}::regnamespace and relname not like 'bench%'`;
  if (row === undefined) {
    throw new Error('the database did not return its size');
  }
  return { ...row, sizes: await readSizes(world.sql, schema) };
}
