/**
 * What changed after an order was decided is verified by the statement that records it, under the customer's lock: it refuses
 * with the code of the first check that fails, or says what has to be decided again, and writes nothing.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operator } from '../../src/operators/operator.ts';
import { findOperator } from '../../src/operators/operators.ts';
import { composeOrder, decideOrder, newOrderIds } from '../../src/trading/orders/decide-order.ts';
import type { Intent, OrderCommand } from '../../src/trading/orders/order.ts';
import { createOrderContextReader, createPlaceOrders, type PlaceOrders } from '../../src/trading/orders/orders.ts';
import { createRelayWaker } from '../../src/webhooks/relay.ts';
import { documented } from '../support/documented.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let owner: pg.Client;
let place: PlaceOrders;
let tenants = 0;

beforeAll(async () => {
  service = await documented(await openWorld());
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  place = createPlaceOrders(service.sql, createRelayWaker(service.sql));
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

interface Room {
  readonly operator: Operator;
  readonly market: TestMarket;
  quote(user: string, body?: object): Promise<string>;
  /** The command of an order as this process decides it now; nothing is written yet. */
  decide(user: string, quoteId: string, clientOrderId: string, intent?: Intent): Promise<OrderCommand>;
}

/** A sandbox tenant with a market of its own. */
async function openRoom(): Promise<Room> {
  tenants += 1;
  const { slug } = await service.createOperator({ slug: `early-${tenants}`, mode: 'sandbox', platformFeeBps: 200 });
  const operator = (await findOperator(service.sql, slug)) as Operator;
  const { apiKey } = await service.issueKey(operator);
  const market = await service.openMarket(`early-${tenants}`);
  const { board, clock, sql } = service.context;
  await board.refresh();
  const read = createOrderContextReader(sql);
  return {
    operator,
    market,
    quote: async (user, body = {}) => {
      const quoted = await service.request('POST', '/api/v1/quotes', {
        key: apiKey,
        user,
        body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10, ...body },
      });
      expect(quoted.status, quoted.text).toBe(200);
      return quoted.body.quoteId as string;
    },
    decide: async (user, quoteId, clientOrderId, intent = 'simulate') => {
      const trader = { operator, externalUserId: user, offering: { categories: null, eventIds: null } };
      const request = {
        quoteId,
        clientOrderId,
        intent,
        reserveReference: null,
        slippageMicros: 0n,
      };
      const { operatorId } = operator;
      const context = await read({
        operatorId,
        externalUserId: user,
        quoteId,
        clientOrderId,
        simulates: intent === 'simulate',
      });
      const decided = decideOrder(board, trader, request, context, newOrderIds(), clock.now(), null);
      return composeOrder(trader, request, context, decided);
    },
  };
}

async function ordersOf({ operator }: Room): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from orders where operator_id = ${operator.operatorId}`;
  return row?.count ?? -1;
}

type Change = readonly [code: string, what: string, change: (room: Room, quoteId: string) => Promise<unknown>];
const contract = (column: string, value: unknown) => (room: Room) =>
  service.sql`update contracts set ${service.sql({ [column]: value } as never)} where contract_id = ${room.market.contractId}`;
const operator = (column: string, value: unknown) => (room: Room) =>
  service.sql`update operators set ${service.sql({ [column]: value } as never)} where operator_id = ${room.operator.operatorId}`;
const customer = (column: string, value: unknown) => (room: Room) =>
  service.sql`update customers set ${service.sql({ [column]: value } as never)} where operator_id = ${room.operator.operatorId}`;

const CHANGES: readonly Change[] = [
  ['operator_suspended', 'the operator was suspended', operator('status', 'suspended')],
  ['user_suspended', 'the customer was suspended', customer('status', 'suspended')],
  ['trading_paused', 'the operator paused trading', operator('trading_paused', true)],
  [
    'quote_not_found',
    'the quote is of another customer',
    (_, quoteId) => owner.query("update quotes set external_user_id = 'ben' where quote_id = $1", [quoteId]),
  ],
  [
    'quote_expired',
    'the quote expired',
    (_, quoteId) => owner.query('update quotes set expires_at = now() where quote_id = $1', [quoteId]),
  ],
  [
    'quote_changed',
    'the quote has other terms',
    (_, quoteId) => owner.query("update quotes set side = 'NO' where quote_id = $1", [quoteId]),
  ],
  ['market_not_open', 'the market was to close', contract('closes_at', new Date(0))],
  ['market_not_open', 'the market stopped trading', contract('trading_closed', true)],
  ['market_unavailable', 'the venue halted the market', contract('status', 'paused')],
  [
    'book_changed',
    'the book moved',
    ({ market }) => setBook(service.sql, market, { bids: [['0.55', '10']], asks: [['0.57', '20']] }),
  ],
  ['jurisdiction', 'the operator enforces jurisdictions', operator('jurisdiction_mode', 'enforced')],
  ['limits', 'the most of one wager was lowered for the customer', customer('max_wager_minor', 999)],
  ['limits', 'the most of one wager was lowered for all', operator('max_wager_minor', 999)],
  ['limits', 'the most of one order was lowered', operator('max_order_minor', 999)],
];

test.each(CHANGES)('%s, where %s after the decision', async (code, _, change) => {
  const room = await openRoom();
  const quoteId = await room.quote('ana');
  const command = await room.decide('ana', quoteId, 'key-1');
  await change(room, quoteId);
  expect(await place(command)).toMatchObject({ code });
  expect(await ordersOf(room)).toBe(0);
});

test('an intent that waits for its venue is recorded, where the book moved after the decision', async () => {
  const room = await openRoom();
  const command = await room.decide('ana', await room.quote('ana'), 'key-1', 'record_intent');
  await setBook(service.sql, room.market, { bids: [['0.55', '10']], asks: [['0.57', '20']] });
  expect(await place(command)).toMatchObject({ code: null, orderId: command.orderId });
});

test('the same command again is the order that it made; another of its key is a replay or a conflict', async () => {
  const room = await openRoom();
  const [quoteId, other] = [await room.quote('ana'), await room.quote('ana')];
  const first = await room.decide('ana', quoteId, 'key-1');
  const again = await room.decide('ana', quoteId, 'key-1');
  const conflict = await room.decide('ana', other, 'key-1');
  expect(await place(first)).toMatchObject({ code: null, orderId: first.orderId });
  expect(await place(first)).toMatchObject({ code: 'created', orderId: first.orderId });
  // before every check, so that a retry is answered whatever changed since
  await operator('status', 'suspended')(room);
  expect(await place(again)).toMatchObject({ code: 'replay', orderId: first.orderId });
  expect(await place(conflict)).toMatchObject({ code: 'idempotency_conflict', orderId: first.orderId });
  expect(await ordersOf(room)).toBe(1);
});

test('a quote is spent once', async () => {
  const room = await openRoom();
  const quoteId = await room.quote('ana');
  const [first, second] = [await room.decide('ana', quoteId, 'key-1'), await room.decide('ana', quoteId, 'key-2')];
  expect(await place(first)).toMatchObject({ code: null });
  expect(await place(second)).toMatchObject({ code: 'quote_already_used', orderId: first.orderId });
  expect(await ordersOf(room)).toBe(1);
});

test('a wallet pays for what it holds, and not twice', async () => {
  const room = await openRoom();
  const quotes = [await room.quote('ana', { stake: 6_000 }), await room.quote('ana', { stake: 6_000 })];
  const [first, second] = await Promise.all(
    quotes.map((quoteId, index) => room.decide('ana', quoteId, `key-${index}`)),
  );
  expect(await place(first as OrderCommand)).toMatchObject({ code: null });
  expect(await place(second as OrderCommand)).toMatchObject({ code: 'insufficient_funds' });
  expect(await ordersOf(room)).toBe(1);
});

test('contracts are sold once, and by a sell that knows what they cost', async () => {
  const room = await openRoom();
  await place(await room.decide('ana', await room.quote('ana'), 'buy'));
  const sell = (contracts: number) => room.quote('ana', { action: 'sell', contracts, stake: undefined });
  const [whole, part] = [await sell(17), await sell(1)];
  const [first, second] = [await room.decide('ana', part, 'part'), await room.decide('ana', part, 'part again')];
  const third = await room.decide('ana', whole, 'whole');
  expect(await place(first)).toMatchObject({ code: null });
  expect(await place(second)).toMatchObject({ code: 'quote_already_used' });
  expect(await place(third)).toMatchObject({ code: 'insufficient_position' });
  const next = await sell(1);
  const decided = await room.decide('ana', next, 'next');
  await place(await room.decide('ana', await room.quote('ana', { stake: 5 }), 'buy more'));
  expect(await place(decided)).toMatchObject({ code: 'position_changed' });
});

test('written where nothing changed, and at the limits exactly', async () => {
  const room = await openRoom();
  const command = await room.decide('ana', await room.quote('ana'), 'key-1');
  await customer('max_wager_minor', 1_000)(room);
  await operator('max_order_minor', 1_000)(room);
  expect(await place(command)).toMatchObject({ code: null });
  expect(await ordersOf(room)).toBe(1);
});
