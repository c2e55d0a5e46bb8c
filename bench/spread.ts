/**
 * The cost of orders, a feed, a settlement and a report on Citus, a coordinator with two workers, beside one plain server of the same
 * PostgreSQL: both sides in one run, in turns, on one machine. `npm run citus` ends with it. Neither side writes through to the disk, so
 * the figures are those of the work alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { connect, type Sql } from '../src/db/client.ts';
import { ADMIN_ROLE, AUDIT_ROLE, OWNER_ROLE } from '../src/db/embedded/cluster.ts';
import { ACCOUNTING_EPOCH, runReport } from '../src/reconciliation/report.ts';
import { settleMarket } from '../src/settlement/settle-market.ts';
import { findCitus, openLab } from '../test/citus/lab.ts';
import { seedMarket, type TestMarket } from '../test/support/market.ts';
import { type LiveTrade, openLiveTrade } from './live-hot.ts';
import { median } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, orderShots, quoteShots } from './orders.ts';
import { cpuOfFamily } from './process-facts.ts';
import { figure } from './results.ts';
import { type BenchOperator, openWorld, type Served, type World } from './world.ts';

const WORKERS = 2;
const ROUNDS = 2;
const OPERATORS = 50;
const ORDERS = 1_920;
const LIVE_ORDERS = 960;
const PAGE = 500;

interface Side {
  readonly world: World;
  /** Processor seconds of the coordinator, or of the one server. */
  coordinatorCpu(): number;
  readonly api: Served;
  readonly auditor: Sql;
  readonly spread: readonly BenchOperator[];
  readonly hot: BenchOperator;
  readonly markets: Map<string, TestMarket>;
  close(): Promise<void>;
}

/** How much was done a second, and the processor time of the database for each, in microseconds: of all servers, and of the coordinator. */
interface Figures {
  readonly rate: number;
  readonly cpu: number;
  readonly coordinator: number;
}

interface Worked {
  readonly done: number;
  readonly seconds: number;
  readonly cpu: number;
  readonly coordinator: number;
}

/** @param round counts from 0, which warms up. @returns how much was done */
type Work = (side: Side, round: number) => Promise<Worked>;

async function openSide(bin: string, workers: number): Promise<Side> {
  const lab = await openLab(bin, workers);
  const pids = [lab.coordinator, ...lab.workers].map(({ data }) =>
    Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
  );
  const world = await openWorld(false, {
    postmasters: pids,
    variables: {
      DATABASE_URL: lab.url(),
      DATABASE_OWNER_URL: lab.url(OWNER_ROLE),
      DATABASE_ADMIN_URL: lab.url(ADMIN_ROLE),
      DATABASE_AUDIT_URL: lab.url(AUDIT_ROLE),
    },
  });
  const spread = await world.createOperators('spread', OPERATORS, 4);
  const auditor = connect(world.database.auditUrl, { max: 1, applicationName: 'inlay-bench' });
  const [hot] = await world.createOperators('hot', 1, 60);
  return {
    world,
    coordinatorCpu: () => cpuOfFamily(pids[0] ?? 0),
    api: await world.startApi(),
    auditor,
    spread,
    hot: hot as BenchOperator,
    markets: new Map(),
    close: async () => {
      await auditor.end({ timeout: 1 });
      await world.close();
      await lab.close();
    },
  };
}

async function timed(side: Side, work: () => Promise<number>): Promise<Worked> {
  const [cpu, coordinator, start] = [side.world.databaseCpu(), side.coordinatorCpu(), performance.now()];
  const done = await work();
  return {
    done,
    seconds: (performance.now() - start) / 1_000,
    cpu: side.world.databaseCpu() - cpu,
    coordinator: side.coordinatorCpu() - coordinator,
  };
}

/** Orders of these operators in a market of the round. */
const orders =
  (name: string, operatorsOf: (side: Side) => readonly BenchOperator[], inFlight = IN_FLIGHT, count = ORDERS): Work =>
  async (side, round) => {
    const market = await seedMarket(side.world.sql, `${name}-${round}`, DEEP);
    side.markets.set(`${name}-${round}`, market);
    await confirmBook(side.world, market);
    const shots = await orderShots(
      side.world,
      side.api.url,
      operatorsOf(side),
      market.contractId,
      `${name}-${round}`,
      count,
    );
    return timed(side, async () => {
      await load(side.world, { url: side.api.url, inFlight, shots });
      return count;
    });
  };

const quotes: Work = async (side, round) => {
  const market = await seedMarket(side.world.sql, `quotes-${round}`, DEEP);
  await confirmBook(side.world, market);
  const shots = quoteShots(side.spread, market.contractId, ORDERS);
  return timed(side, async () => {
    await load(side.world, { url: side.api.url, inFlight: IN_FLIGHT, shots });
    return ORDERS;
  });
};

const readFeed: Work = async (side) => {
  const pool = new Pool(side.api.url, { connections: 1 });
  const read = await timed(side, async () => {
    let items = 0;
    for (let cursor = '', more = true; more; ) {
      const { body } = await pool.request({
        method: 'GET',
        path: `/api/v1/reconciliation/feed?limit=${PAGE}${cursor}`,
        headers: { authorization: `Bearer ${side.hot.keys[0] ?? ''}` },
      });
      const page = (await body.json()) as { items: unknown[]; nextCursor: string; hasMore: boolean };
      items += page.items.length;
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
      more = page.hasMore;
    }
    return items;
  });
  await pool.close();
  return read;
};

const settle: Work = async (side, round) => {
  const { contractId } = side.markets.get(`orders-hot-${round}`) as TestMarket;
  await side.world.sql`select * from decide_market(${contractId}, 'resolve', 'YES', ${null}::bigint)`;
  return timed(side, () => settleMarket(side.world.sql, contractId));
};

const report: Work = (side) =>
  timed(side, async () => {
    const { ok, scanned, findings } = await runReport(
      side.world.sql,
      side.hot.operatorId,
      ACCOUNTING_EPOCH,
      side.auditor,
    );
    if (!ok) {
      throw new Error(`the report found ${JSON.stringify(findings.slice(0, 3))}`);
    }
    return scanned.entries;
  });

const lives = new Map<Side, LiveTrade>();

/** The last row: the worker that it starts follows the paper venue from then on. */
const liveHot: Work = async (side, round) => {
  const live = lives.get(side) ?? (await openLiveTrade(side.world));
  lives.set(side, live);
  const { during } = await live.trade(side.api.url, `live-${round}`, LIVE_ORDERS);
  return timed(side, async () => {
    await during();
    return LIVE_ORDERS;
  });
};

const ROWS: readonly (readonly [name: string, unit: string, work: Work])[] = [
  ['orders-spread, 64 in flight', 'orders', orders('orders-spread', ({ spread }) => spread)],
  ['orders-spread, 256 in flight', 'orders', orders('orders-wide', ({ spread }) => spread, 256, 2 * ORDERS)],
  ['orders-hot', 'orders', orders('orders-hot', ({ hot }) => [hot])],
  ['one order alone', 'orders', orders('orders-alone', ({ hot }) => [hot], 1, ORDERS / 8)],
  ['quotes', 'quotes', quotes],
  ['feed-read', 'items', readFeed],
  ['settle', 'positions', settle],
  ['report', 'entries', report],
  ['live-hot', 'orders', liveHot],
];

async function measure(side: Side, work: Work, into: Figures[], round: number): Promise<void> {
  const { done, seconds, cpu, coordinator } = await work(side, round);
  if (done === 0) {
    throw new Error('no work was done');
  }
  if (round > 0) {
    into.push({
      rate: done / seconds,
      cpu: (cpu * 1_000_000) / done,
      coordinator: (coordinator * 1_000_000) / done,
    });
  }
}

const bin = findCitus(process.env['CITUS_PG_CONFIG']);
const plain = await openSide(bin, 0);
const citus = await openSide(bin, WORKERS);
try {
  process.stdout.write(
    '| row | plain, a second | Citus | plain, µs of CPU | Citus | of it the coordinator | CPU, times |\n|---|---|---|---|---|---|---|\n',
  );
  for (const [name, unit, work] of ROWS) {
    const [one, many]: [Figures[], Figures[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await measure(plain, work, one, round);
      await measure(citus, work, many, round);
    }
    const of = (figures: Figures[], key: keyof Figures) => median(figures.map((each) => each[key]));
    const cells = [
      of(one, 'rate'),
      of(many, 'rate'),
      of(one, 'cpu'),
      of(many, 'cpu'),
      of(many, 'coordinator'),
      of(many, 'cpu') / of(one, 'cpu'),
    ];
    process.stdout.write(`| ${name} (${unit}) | ${cells.map(figure).join(' | ')} |\n`);
  }
} finally {
  for (const side of [plain, citus]) {
    await lives.get(side)?.worker.close();
    await side.close();
  }
}
process.exit(0);
