/** Markets of both versions of Polymarket's protocol side by side, its newer data API, and answers whose words are new. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPolymarketEvents } from '../../src/venues/polymarket/catalogue.ts';
import { EXCHANGE_V3 } from '../../src/venues/polymarket/sign.ts';
import { takerFeeMicros } from '../../src/venues/polymarket/trading-terms.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, SIGNER, send } from './polymarket-venue.ts';

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
});
afterEach(() => exchange.close());

const CLOSES = '2099-01-01T00:00:00Z';
const tokenOf = (name: string) => exchange.emulator.state.markets.get(name)?.tokens[0] ?? '';

function listSecondVersion(): string {
  const { tell } = exchange;
  tell({ do: 'market', name: 'v2', title: 'Of the second version', closeTime: CLOSES, protocol: 'v2' });
  tell({ do: 'book', name: 'v2', bids: [['0.40', '50']], asks: [['0.46', '100']] });
  return tokenOf('v2');
}

describe('a market of the second version', () => {
  test('is listed, held and settled beside one of the first', async () => {
    const listingId = listSecondVersion();
    const { events, invalid } = await exchange.venue.catalogue([]);
    const listings = events.flatMap(({ markets }) => markets.map((market) => [market.listingId, market.status]));
    expect(listings).toContainEqual([listingId, 'open']);
    expect(listings).toContainEqual([exchange.market.tokens[0], 'open']);
    expect(invalid).toEqual([]);
    exchange.tell({ do: 'oracle', name: 'v2', status: 'resolved', payout: ['1', '0'] });
    const closed = (await exchange.venue.catalogue([listingId])).events.flatMap(({ markets }) => markets);
    expect(closed.find((market) => market.listingId === listingId)).toMatchObject({
      status: 'resolved',
      resolution: { outcome: 'YES' },
    });
  });

  test('takes an order that is signed for its own contract, and a sale of what was bought', async () => {
    const listingId = listSecondVersion();
    const bought = await prepare(exchange.venue, orderOf(exchange, { listingId }));
    expect(await exchange.venue.placeOrder(bought, () => true)).toMatchObject({ outcome: 'accepted' });
    expect(await exchange.venue.findOrder(bought.ourId, bought)).toMatchObject({
      outcome: 'found',
      order: { listingId, state: 'closed', fills: [{ quantityMicros: 20_000_000n }] },
    });
    const sale = orderOf(exchange, {
      listingId,
      action: 'SELL',
      quantityMicros: 20_000_000n,
      limitPriceMicros: 400_000n,
      spendMicros: undefined,
    });
    expect(await send(exchange.venue, sale)).toMatchObject({ outcome: 'accepted' });
  });

  test('that allows its contract nothing is not sent an order', async () => {
    const listingId = listSecondVersion();
    exchange.tell({ do: 'wallet', signer: SIGNER, cash: '1000', allowance: '1' });
    expect(await exchange.venue.prepareOrder?.(orderOf(exchange, { listingId }))).toEqual({ unfit: 'unpaid' });
    const said = (await exchange.venue.account?.inspect?.())?.find(({ name }) => name === 'allowance');
    expect(said?.detail).toContain('protocol version 2');
    expect(EXCHANGE_V3).toMatch(/^0xe3333/);
  });
});

describe('the version that a market names decides', () => {
  const market = {
    conditionId: '0xc',
    question: 'Q',
    outcomes: '["Yes","No"]',
    clobTokenIds: '["11","12"]',
    positionIds: ['21', '22'],
    active: true,
    closed: false,
    acceptingOrders: true,
    enableOrderBook: true,
    endDate: CLOSES,
    feesEnabled: true,
    feeSchedule: { rate: 0.05, exponent: 1 },
  };
  const event = { id: '1', slug: 's', title: 'T', tags: [{ slug: 'politics' }] };
  const noted: unknown[] = [];
  const read = (changes: object) =>
    readPolymarketEvents([{ ...event, markets: [{ ...market, ...changes }] }], (about, word) =>
      noted.push([about, word]),
    );

  test.each([
    [undefined, '11'],
    ['v1', '11'],
    ['v2', '21'],
  ])('%s', (version, listingId) => {
    expect(read({ version }).events[0]?.markets[0]).toMatchObject({ listingId, status: 'open' });
  });

  test('and one that is not known is kept as evidence', () => {
    const { events, invalid } = read({ version: 'v3' });
    expect(events).toEqual([]);
    expect(invalid).toMatchObject([{ about: 'market', reason: expect.stringContaining('v3') }]);
    expect(noted).toEqual([['market version', 'v3']]);
  });

  test('a fee with an exponent below 1 has no bound, so the market is shown and not sold', () => {
    expect(read({ feeSchedule: { rate: 0.05, exponent: 0.5 } }).events[0]?.markets[0]?.status).toBe('paused');
    expect(read({ feeSchedule: { rate: 0.05 } }).events[0]?.markets[0]?.status).toBe('paused');
    expect(read({ feeSchedule: { rate: 0.05, exponent: 2 } }).events[0]?.markets[0]).toMatchObject({
      status: 'open',
      fee: { bps: 500, known: false },
    });
  });
});

test('a fee is computed with an exponent that is no integer', () => {
  const fee = (exponent: number, price: bigint) =>
    takerFeeMicros({ rateMicros: 50_000n, exponent }, price, 100_000_000n);
  expect(fee(1, 500_000n)).toBe(1_250_000n);
  expect(fee(0, 20_000n)).toBe(5_000_000n);
  // 100 * 0.05 * (0.02 * 0.98) ^ 0.5
  expect(fee(0.5, 20_000n)).toBe(700_000n);
});

describe('what the wallet holds', () => {
  async function buy(): Promise<void> {
    const one = await prepare(exchange.venue, orderOf(exchange));
    await exchange.venue.placeOrder(one, () => true);
    await exchange.venue.findOrder(one.ourId, one);
  }

  test.each([[['v2']], [['v1']], [['v1', 'v2']]])('is read where the data API answers in %j', async (versions) => {
    await buy();
    exchange.tell({ do: 'data', versions });
    expect(await exchange.venue.account?.positions()).toMatchObject([
      { listingId: exchange.market.tokens[0], side: 'YES' },
    ]);
    exchange.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['1', '0'] });
    expect(await exchange.venue.account?.positions()).toHaveLength(1);
    expect(await exchange.venue.account?.redeemable?.()).toHaveLength(1);
  });

  test('is there until it is redeemed although it was lost, and is worth nothing', async () => {
    await buy();
    exchange.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0', '1'] });
    expect(await exchange.venue.account?.positions()).toHaveLength(1);
    expect(await exchange.venue.account?.redeemable?.()).toEqual([]);
  });

  test('counts below a tenth of a share', async () => {
    exchange.account.shares.set(exchange.market.tokens[1], 50_000n);
    expect(await exchange.venue.account?.positions()).toMatchObject([{ side: 'NO', quantityMicros: 50_000n }]);
  });

  test('is read to its last page', { timeout: 60_000 }, async () => {
    for (let number = 0; number < 501; number += 1) {
      exchange.tell({ do: 'market', name: `h${number}`, title: `H ${number}`, closeTime: CLOSES });
      exchange.account.shares.set(tokenOf(`h${number}`), 1_000_000n);
    }
    expect(await exchange.venue.account?.positions()).toHaveLength(501);
  });

  test('is not known where neither version answers', async () => {
    exchange.tell({ do: 'data', versions: [] });
    await expect(exchange.venue.account?.positions()).rejects.toMatchObject({ name: 'VenueUnknown' });
  });
});

test('a trade whose state is new or not broadcast yet keeps its order open and loses no page', async () => {
  exchange.tell({ do: 'settlement', minedMs: 600_000, finalMs: 600_000 });
  const one = await prepare(exchange.venue, orderOf(exchange));
  await exchange.venue.placeOrder(one, () => true);
  const found = async () => exchange.venue.findOrder(one.ourId, one);
  expect(exchange.account.trades[0]?.status).toBe('MATCHED_NOT_BROADCASTED');
  expect(await found()).toMatchObject({ outcome: 'found', order: { state: 'working', fills: [] } });
  expect(exchange.venue.unknowns?.()).toEqual([]);
  Object.assign(exchange.account.trades[0] ?? {}, { status: 'TRADE_STATUS_PONDERED' });
  expect(await found()).toMatchObject({ outcome: 'found', order: { state: 'working', fills: [] } });
  expect(exchange.venue.unknowns?.()).toEqual([{ about: 'trade status', word: 'PONDERED', seen: 1 }]);
});

test('the retired adapter still has to be allowed for markets that exclude each other', async () => {
  const { tell, venue } = exchange;
  tell({ do: 'market', name: 'n', title: 'N', closeTime: CLOSES, negRisk: true });
  tell({ do: 'book', name: 'n', bids: [], asks: [['0.46', '100']] });
  tell({ do: 'wallet', signer: SIGNER, cash: '1000', adapterAllowance: '1' });
  const listingId = tokenOf('n');
  expect(await venue.prepareOrder?.(orderOf(exchange, { listingId }))).toEqual({ unfit: 'unpaid' });
  expect(await venue.prepareOrder?.(orderOf(exchange))).toHaveProperty('venueRef');
  const said = (await venue.account?.inspect?.())?.find(({ name }) => name === 'allowance');
  expect(said).toMatchObject({ ok: false, detail: expect.stringContaining('adapter') });
});

test('four hundred events are read although a page has a hundred at most', async () => {
  for (let number = 0; number < 450; number += 1) {
    exchange.tell({ do: 'market', name: `m${number}`, title: `M ${number}`, closeTime: CLOSES });
  }
  const { events } = await exchange.venue.catalogue([]);
  expect(events).toHaveLength(400);
});
