/**
 * Trading on a coordinator with two workers, while shards move, a worker is killed and the coordinator is killed. Every order that was acknowledged over HTTP is counted against the rows afterwards, no live order was sent
 * twice, every feed is dense and its balances add up, and the auditor finds nothing. INLAY_CITUS_TIMES says how often each fault happens, and
 * INLAY_CITUS_UPGRADE names the pg_config of a newer Citus that takes the place of the first.
 */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { percentile } from '../../bench/measure.ts';
import { logLeftOut } from '../../src/db/by-operator.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { checkServers } from '../../src/operations/checks.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { relayEvents } from '../../src/webhooks/relay.ts';
import { setBook } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { findCitus, type Server, serverAt } from './lab.ts';

const OPERATORS = 6;
/** Of them trade at a venue. */
const LIVE = 2;
const CUSTOMERS = 2;
const RETRY_MS = 100;
/** After so many orders another customer goes on, before the simulated wallet is empty. */
const PURCHASES = 500;
/** Orders that are acknowledged before a fault, and after it. */
const ENOUGH = 12;
const WITHIN_MS = 90_000;
/** The venue sends its prices again: old ones are refused. */
const PRICES_EVERY_MS = 10_000;
const TIMES = {
  moves: 1,
  splits: 1,
  kills: 1,
  coordinators: 1,
  ...(JSON.parse(process.env['INLAY_CITUS_TIMES'] ?? '{}') as object),
};
const NEWER = process.env['INLAY_CITUS_UPGRADE'];
const within = (times: number) => ({ timeout: 180_000 + times * 60_000 });

let world: Live;
let tenants: Tenant[];
let servers: Server[];
let database: string;
beforeAll(async () => {
  const bin = findCitus(process.env['CITUS_PG_CONFIG']);
  servers = inject('places').map((place) => serverAt(bin, place));
  world = await openLive({ keepTrading: true });
  database = new URL(world.database.url).pathname.slice(1);
  tenants = await Promise.all(
    Array.from({ length: OPERATORS }, (_, index) =>
      index < LIVE ? world.tenant({ collateralMinor: 100_000_000n }) : world.tenant({ mode: 'sandbox' }),
    ),
  );
});
afterAll(() => world.close());

/** Customers of all operators who buy until they are stopped; what fails is asked again, under another key. */
function startTrading() {
  const acknowledged = new Map(tenants.map(({ operator }) => [operator.operatorId, [] as string[]]));
  const refused: string[] = [];
  let running = true;
  const prices = setInterval(() => {
    setBook(world.sql, world.market).catch(() => {});
  }, PRICES_EVERY_MS);
  const buyer = async (tenant: Tenant, name: string) => {
    for (let bought = 0; running; ) {
      const user = `${name}-${Math.floor(bought / PURCHASES)}`;
      const quoted = await tenant.quote(user);
      const placed =
        quoted.status === 200
          ? await tenant.order(user, {
              quoteId: quoted.body.quoteId,
              clientOrderId: quoted.body.quoteId,
              ...(tenant.operator.mode === 'live' && { reserveReference: quoted.body.quoteId }),
            })
          : quoted;
      if (placed.status === 201) {
        bought += 1;
        acknowledged.get(tenant.operator.operatorId)?.push(placed.body.orderId);
      } else {
        refused.push(placed.text);
        await timePasses(RETRY_MS);
      }
    }
  };
  const buyers = tenants.flatMap((tenant) =>
    Array.from({ length: CUSTOMERS }, (_, index) => buyer(tenant, `buyer-${index}`)),
  );
  return {
    acknowledged,
    refused,
    /** Until so many operators have as many more as are enough. */
    more: async (operators = OPERATORS) => {
      const from = new Map([...acknowledged].map(([operatorId, orders]) => [operatorId, orders.length]));
      const satisfied = () =>
        [...acknowledged].filter(([operatorId, orders]) => orders.length >= (from.get(operatorId) ?? 0) + ENOUGH);
      await until(
        () => expect(satisfied().length, `last refused: ${refused.at(-1)}`).toBeGreaterThanOrEqual(operators),
        WITHIN_MS,
      );
    },
    stop: async () => {
      running = false;
      clearInterval(prices);
      await Promise.all(buyers);
    },
  };
}

/** What is wrong with the rows, a line each. */
async function findLosses(acknowledged: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const lines: string[] = [];
  for (const [operatorId, orders] of acknowledged) {
    const rows = await world.sql<{ orderId: string }[]>`select order_id from orders where operator_id = ${operatorId}`;
    const stored = new Set(rows.map(({ orderId }) => orderId));
    lines.push(...orders.filter((orderId) => !stored.has(orderId)).map((orderId) => `${orderId} is lost`));
    const [ledger] = await world.sql<{ sequence: bigint; stakes: bigint; platformFees: bigint }[]>`
      select sequence, stakes, platform_fees from operator_ledgers where operator_id = ${operatorId}`;
    const journal = await world.sql<{ sequence: bigint; items: number; stakes: bigint | null; fees: bigint | null }[]>`
      select sequence, items, stakes, platform_fees as fees from journal where operator_id = ${operatorId} order by sequence`;
    let next = 1n;
    let stakes = 0n;
    let fees = 0n;
    for (const row of journal) {
      if (row.sequence !== next) {
        lines.push(`the feed of ${operatorId} goes on at ${row.sequence} where ${next} was due`);
      }
      next = row.sequence + BigInt(row.items);
      stakes += row.stakes ?? 0n;
      fees += row.fees ?? 0n;
    }
    if (next - 1n !== ledger?.sequence || stakes !== ledger.stakes || fees !== ledger.platformFees) {
      lines.push(`the ledger of ${operatorId} and its journal differ`);
    }
    const [told] = await world.sql<{ executed: number }[]>`
      select count(*)::int as executed from journal where operator_id = ${operatorId} and kind in ('order_executed', 'order_recorded')`;
    if (told?.executed !== stored.size) {
      lines.push(`${operatorId} has ${stored.size} orders, and its journal tells ${told?.executed}`);
    }
    const { findings } = await runReport(world.sql, operatorId);
    lines.push(...findings.filter(({ severity }) => severity === 'critical').map((one) => JSON.stringify(one)));
  }
  const twice = [...world.venue.received].filter(([, sent]) => sent.length > 1);
  lines.push(...twice.map(([ourId, sent]) => `${ourId} was sent ${sent.length} times`));
  return lines;
}

async function duringTrade(fault: (trade: ReturnType<typeof startTrading>) => Promise<void>) {
  const trade = startTrading();
  try {
    await trade.more();
    await fault(trade);
    await trade.more();
  } finally {
    await trade.stop();
  }
  const orders = [...trade.acknowledged.values()].reduce((sum, one) => sum + one.length, 0);
  const losses = await findLosses(trade.acknowledged);
  process.stdout.write(
    `${orders} orders acknowledged, ${world.venue.received.size} sent to the venue so far, ${trade.refused.length} requests refused, ${losses.length} losses\n`,
  );
  expect(losses).toEqual([]);
}

test('operators are on both workers, and no row of theirs is on the coordinator', async () => {
  const [placed] = await (servers[0] as Server).query<{ nodes: number }>(
    `select count(distinct groupid)::int as nodes from pg_dist_placement p join pg_dist_shard s using (shardid)
     where s.logicalrelid = 'orders'::regclass and groupid <> 0`,
    database,
  );
  expect(placed?.nodes).toBe(2);
});

test('doctor finds every table placed, and the servers alike', async () => {
  const checks = await checkServers(world.sql);
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['placement', true],
    ['copies', true],
    ['servers', true],
  ]);
});

interface Place {
  readonly shard: string;
  readonly port: number;
  /** Of the worker that does not have it. */
  readonly other: number;
}

async function placeOf(operatorId: string): Promise<Place> {
  const [coordinator] = servers as [Server];
  const shardOf = (id: string) => `get_shard_id_for_distribution_column('operator_ledgers', ${id})`;
  const [place] = await coordinator.query<Place>(
    `select shard, n.nodeport as port, other.nodeport as other
     from (select ${shardOf(`'${operatorId}'`)} as shard) s
       join pg_dist_placement p on p.shardid = shard join pg_dist_node n on n.groupid = p.groupid
       join pg_dist_node other on other.groupid not in (0, n.groupid)`,
    database,
  );
  return place as Place;
}

/** Moves the rows of an operator, and of those that share its shard, to the other worker. @returns seconds */
async function moveToOther({ operator }: Tenant): Promise<number> {
  const [coordinator] = servers as [Server];
  const { shard, port, other } = await placeOf(operator.operatorId);
  const started = performance.now();
  // what an earlier move left behind is removed a little later, and stands in the way until then
  await until(
    () =>
      coordinator.query(
        `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${other}, 'force_logical')`,
        database,
      ),
    WITHIN_MS,
  );
  expect((await placeOf(operator.operatorId)).port).toBe(other);
  return (performance.now() - started) / 1000;
}

test('no acknowledged order is lost while shards move to the other worker', within(TIMES.moves), async () => {
  await duringTrade(async () => {
    const seconds: number[] = [];
    for (let move = 0; move < TIMES.moves; move += 1) {
      seconds.push(await moveToOther(tenants[move % OPERATORS] as Tenant));
    }
    const [median, longest] = [percentile(seconds, 0.5), Math.max(...seconds)].map((time) => time.toFixed(1));
    process.stdout.write(`${TIMES.moves} moves, median ${median} s, longest ${longest} s\n`);
  });
});

test('no acknowledged order is lost while operators are given shards of their own', within(TIMES.splits), async () => {
  const [coordinator] = servers as [Server];
  const copies = async () => (await checkServers(world.sql)).find(({ name }) => name === 'copies')?.ok;
  await duringTrade(async (trade) => {
    for (let split = 0; split < TIMES.splits; split += 1) {
      const { operatorId } = (tenants[(LIVE + split) % OPERATORS] as Tenant).operator;
      const { shard } = await placeOf(operatorId);
      const started = performance.now();
      await coordinator.query(
        `select isolate_tenant_to_new_shard('operator_ledgers', '${operatorId}', 'CASCADE', shard_transfer_mode := 'block_writes')`,
        database,
      );
      process.stdout.write(`isolated in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
      expect((await placeOf(operatorId)).shard).not.toBe(shard);
      // calls for the new shards go through the coordinator meanwhile
      expect(await copies()).toBe(false);
      await trade.more();
      await migrate(world.database.ownerUrl);
      expect(await copies()).toBe(true);
    }
  });
});

/** A worker that has some of the sandbox operators, and not all of them. */
async function workerOfSome(): Promise<Server> {
  const worker = servers[1] as Server;
  const sandboxes = tenants.slice(LIVE);
  const ports = await Promise.all(sandboxes.map(async ({ operator }) => (await placeOf(operator.operatorId)).port));
  if (new Set(ports).size === 1) {
    await moveToOther(sandboxes[0] as Tenant);
  }
  return worker;
}

test('no acknowledged order is lost with a worker that is killed', within(TIMES.kills), async () => {
  const worker = await workerOfSome();
  await duringTrade(async (trade) => {
    for (let kill = 0; kill < TIMES.kills; kill += 1) {
      worker.kill();
      try {
        // those of the other worker go on
        await trade.more(1);
      } finally {
        worker.start();
      }
      await trade.more();
    }
  });
});

test('a worker that is down delays the settlement and the relay of its own operators only', async () => {
  const market = await world.openMarket('half-settled');
  const sandboxes = tenants.slice(LIVE);
  for (const tenant of sandboxes) {
    await tenant.buy(market, 'patient');
  }
  const worker = await workerOfSome();
  await world.sql`select * from decide_market(${market.contractId}, 'resolve', 'YES')`;
  const told: string[] = [];
  logLeftOut(world.sql, pino({}, { write: (line: string) => void told.push(JSON.parse(line).msg) }));
  worker.kill();
  let paid: number;
  try {
    paid = await settleMarket(world.sql, market.contractId);
    expect((await relayEvents(world.sql)).relayed).toBeGreaterThanOrEqual(0);
  } finally {
    worker.start();
  }
  const first = paid;
  await until(async () => {
    paid += await settleMarket(world.sql, market.contractId);
    expect(paid).toBe(sandboxes.length);
  });
  expect([first > 0, first < sandboxes.length]).toEqual([true, true]);
  expect(told).toEqual([
    'left out a server that did not respond; the work of its operators waits',
    'the job succeeds again',
  ]);
});

test('no acknowledged order is lost with a coordinator that is killed', within(TIMES.coordinators), async () => {
  const coordinator = servers[0] as Server;
  await duringTrade(async (trade) => {
    for (let kill = 0; kill < TIMES.coordinators; kill += 1) {
      const before = trade.refused.length;
      coordinator.kill();
      try {
        await until(() => expect(trade.refused.length).toBeGreaterThan(before));
      } finally {
        coordinator.start();
      }
      await trade.more();
    }
  });
});

// the last one: the servers are of another release afterwards
test.runIf(NEWER !== undefined)('no acknowledged order is lost while Citus is upgraded', async () => {
  const newer = findCitus(NEWER);
  const version = async (server: Server) => {
    const [row] = await server.query<{ version: string }>(
      "select extversion as version from pg_extension where extname = 'citus'",
      database,
    );
    return row?.version;
  };
  const before = await version(servers[0] as Server);
  await duringTrade(async () => {
    for (const server of servers) {
      server.kill();
      serverAt(newer, server).start();
    }
    for (const server of servers) {
      await server.query('alter extension citus update', database);
    }
  });
  const after = await Promise.all(servers.map(version));
  process.stdout.write(`Citus ${before} became ${after.join(', ')}\n`);
  expect(new Set(after).size).toBe(1);
  expect(after[0]).not.toBe(before);
});
