/** An operator that has traded at an exchange moves: what ties it to the account of its cell, and the accounts of both cells afterwards. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { listExamples } from '../../src/emulators/kalshi/example-markets.ts';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startFeedSealing, startSealing } from '../../src/jobs/seals.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { listStops } from '../../src/trading/account/trading-stop.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { openDeployedVenues } from '../../src/venues/registry.ts';
import { newKalshiKey } from '../emulators/kalshi-venue.ts';
import { hold } from '../support/held-lock.ts';
import { openTenant, type Tenant } from '../support/live.ts';
import { startInlay } from '../support/process.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTwoCells, type TestCell, type TwoCells } from '../support/two-cells.ts';
import { until } from '../support/until.ts';

const LONG_MS = 240_000;
const SLOW_MS = 60_000;
const TICKER = 'KXEXAMPLE-RAIN';

let emulator: KalshiEmulator;
let cells: TwoCells;
let inlay: RunCommand;
let settings: Record<string, string>;
let tenant: Tenant;
let contractId = '';
const running: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  listExamples(emulator);
  cells = await startTwoCells((cell) => ({
    INLAY_VENUES: 'kalshi',
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: cell,
    INLAY_KALSHI_PRIVATE_KEY_FILE: newKalshiKey(emulator, cell),
  }));
  settings = {
    INLAY_CELLS_FILE: cells.cellsFile,
    INLAY_SECRET: 'a secret that only tests know',
    INLAY_DATA_DIR: cells.folder,
    NO_COLOR: '1',
    LOG_LEVEL: 'silent',
  };
  inlay = await commandRunner(settings);
  for (const { service, database } of [cells.east, cells.west]) {
    const worker = openContext(service.context.environment, database.url, 'worker');
    running.push(startIngestion(worker), await startTransmission(worker), await startSettlement(worker));
    running.push(await startSealing(worker), await startFeedSealing(worker), worker);
    contractId = await until(
      async () => {
        const [row] = await database.sql<{ contractId: string }[]>`
          select contract_id from listings where listing_id = ${TICKER}`;
        return service.context.board.contracts.get(row?.contractId ?? '')?.books.length === 1
          ? (row?.contractId ?? '')
          : '';
      },
      (id) => id !== '',
      SLOW_MS,
    );
    await untilCashIsKnown(service.sql);
  }
  tenant = await openTenant(cells.east.service, { contractId });
}, LONG_MS);
afterAll(async () => {
  delete process.env['INLAY_CELLS_FILE'];
  for (const one of running) {
    await one.close();
  }
  await cells?.close();
  await emulator?.close();
});

/** The account must be compared once before anything moves: its cash then is where the comparison begins. */
const untilCashIsKnown = (sql: TestCell['database']['sql']) =>
  until(
    () =>
      sql<{ opening: bigint | null }[]>`select opening_micros as opening from venue_accounts where venue = 'kalshi'`,
    ([row]) => row !== undefined && row.opening !== null,
    SLOW_MS,
  );

const slug = () => tenant.operator.slug;
const move = (from: string, to: string, ...flags: string[]) =>
  inlay('operators', 'move', slug(), '--from', from, '--to', to, '--max-pause', '600', '--yes', '--json', ...flags);

/** Trades in a cell, with the key that it has had from the beginning. */
async function trade({ service }: TestCell, quote: object, until_ = 'filled'): Promise<string> {
  const request = (path: string, body: object) => service.request('POST', path, { key: tenant.key, user: 'ann', body });
  const quoted = await until(
    () => request('/api/v1/quotes', { marketId: contractId, side: 'YES', action: 'buy', ...quote }),
    ({ status }) => status === 200,
    SLOW_MS,
  );
  const { body } = await request('/api/v1/orders', {
    quoteId: quoted.body.quoteId,
    clientOrderId: quoted.body.quoteId,
    reserveReference: 'held',
  });
  await until(
    () => service.request('GET', `/api/v1/orders/${body.orderId}`, { key: tenant.key }),
    (order) => order.body.status === until_,
    SLOW_MS,
  );
  return body.executionRef;
}

async function heldContracts({ service }: TestCell): Promise<number> {
  const { body } = await service.request('GET', '/api/v1/positions', { key: tenant.key });
  return Number(body.positions.find(({ status }: { status: string }) => status === 'open')?.quantity ?? 0);
}

const sellAll = async (cell: TestCell) =>
  trade(cell, { action: 'sell', stake: undefined, contracts: await heldContracts(cell) });

/** Whether the account of each cell agrees with its books, positions and cash. */
async function expectAccountsAgree(): Promise<void> {
  for (const { service, database } of [cells.east, cells.west]) {
    const venues = openDeployedVenues(service.context);
    try {
      const ports = { ...createRecordPorts(database.sql), log: service.context.log };
      expect(await compareAccount(ports, venues.get('kalshi'), 0, 0)).toEqual([]);
      expect(await listStops(database.sql)).toEqual([]);
    } finally {
      await venues.close();
    }
  }
}

const ordersAt = (account: string) => emulator.state.accounts.get(account)?.orders.size;

test(
  'what it holds and what is not known keep it in its cell, and the refusal names them',
  async () => {
    await trade(cells.east, { stake: 10 });
    const held = await move('east', 'west');
    expect(held.exitCode).toBe(2);
    expect(held.json.message).toMatch(
      new RegExp(`contracts in the account of cell east.*of ${contractId} \\(YES\\) at kalshi`),
    );
    // it trades on
    await sellAll(cells.east);

    const [attempt] = await cells.east.database.sql<{ orderId: string; ref: string }[]>`
    select order_id, execution_ref as ref from orders where operator_id = ${tenant.operator.operatorId} limit 1`;
    await cells.east.database.sql`
    update transmissions set state = 'unknown', next_lookup_at = now() + interval '1 hour', sent_at = now() - interval '1 minute'
    where order_id = ${attempt?.orderId ?? ''}`;
    const unknown = await move('east', 'west');
    expect(unknown.json.message).toContain(`${attempt?.ref} at kalshi (unknown)`);
    await cells.east.database.sql`update transmissions set state = 'done' where order_id = ${attempt?.orderId ?? ''}`;
    expect(await cells.west.database.sql`select from operator_moves`).toHaveLength(0);
  },
  LONG_MS,
);

test(
  'once it holds nothing it moves with its orders, and the account of each cell agrees with its books',
  async () => {
    const sent = ordersAt('east');
    await expectAccountsAgree();
    const moved = await move('east', 'west');
    expect(moved.json, JSON.stringify(moved.json)).toMatchObject({ moved: true });
    const orders = await cells.west.service.request('GET', '/api/v1/orders', { key: tenant.key });
    expect(orders.body.orders).toHaveLength(2);
    await expectAccountsAgree();
    expect([ordersAt('east'), ordersAt('west')]).toEqual([sent, 0]);

    await trade(cells.west, { stake: 10 });
    await expectAccountsAgree();
    await sellAll(cells.west);
    expect([ordersAt('east'), ordersAt('west')]).toEqual([sent, 2]);
    await expectAccountsAgree();
  },
  LONG_MS,
);

test(
  'it moves back, and each cell still knows which orders were its own',
  async () => {
    const back = await move('west', 'east');
    expect(back.json, JSON.stringify(back.json)).toMatchObject({ moved: true });
    await expectAccountsAgree();
    await trade(cells.east, { stake: 10 });
    await sellAll(cells.east);
    await expectAccountsAgree();
    const marked = await cells.east.database.sql<{ cell: string }[]>`
    select cell from transmissions_elsewhere where operator_id = ${tenant.operator.operatorId}`;
    expect(marked.map(({ cell }) => cell)).toEqual(['west', 'west']);
  },
  LONG_MS,
);

test.each([
  ['while it pauses the operator', 'lock table operators in share mode'],
  ['while it copies the rest', 'lock table positions in share mode'],
])(
  'a mover that is killed %s is finished by the same command, and no order is sent again',
  async (_phase, lock) => {
    const sent = [ordersAt('east'), ordersAt('west')];
    const [from, to] = (await isIn(cells.east)) ? (['east', 'west'] as const) : (['west', 'east'] as const);
    const cell = lock.includes('operators') ? cells[from] : cells[to];
    const held = await hold(cell, lock);
    const mover = startInlay(
      ['operators', 'move', slug(), '--from', from, '--to', to, '--max-pause', '600', '--yes', '--json'],
      {
        env: { ...process.env, ...settings },
      },
    );
    await held.untilWaitedFor('inlay-move');
    mover.child.kill('SIGKILL');
    await mover.ended.catch(() => {});
    await held.release();
    await held.untilGone('inlay-move');
    await expectAccountsAgree();
    const finished = await move(from, to);
    expect(finished.json, JSON.stringify(finished.json)).toMatchObject({ moved: true });
    await expectAccountsAgree();
    expect([ordersAt('east'), ordersAt('west')]).toEqual(sent);
    expect(await isIn(cells[to])).toBe(true);
  },
  LONG_MS,
);

const isIn = async ({ service }: TestCell): Promise<boolean> =>
  (await service.request('GET', '/api/v1/whoami', { key: tenant.key })).status === 200;
