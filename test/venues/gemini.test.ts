/** The catalogue of Gemini in the form of its OpenAPI document: what is shown, what is sold, and what is evidence. */
import { expect, test } from 'vitest';
import { readGeminiEvents } from '../../src/venues/gemini/catalogue.ts';
import { fillsOf, refusalOf, wasNotLookedAt } from '../../src/venues/gemini/orders.ts';
import { geminiOrder, geminiTrade } from '../../src/venues/gemini/shapes.ts';
import { Unknowns } from '../../src/venues/port.ts';

const END = '2028-12-31T23:59:59.000Z';

function contract(changes: object = {}): object {
  return {
    id: 'contract_123',
    label: 'Above 100,000',
    description: { content: [{ value: 'Yes if ' }, { content: [{ value: 'above.' }] }] },
    prices: { buy: { yes: '0.65', no: '0.35' }, sell: {}, bestBid: '0.64', bestAsk: '0.66', lastTradePrice: '0.65' },
    color: '#00FF00',
    status: 'active',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiryDate: END,
    resolutionSide: null,
    resolvedAt: null,
    instrumentSymbol: 'GEMI-BTC100K2028',
    quantityIncrement: '0.01',
    quantityMinimum: '1.00',
    priceIncrement: '0.0001',
    priceMinimum: '0.0001',
    effectiveDate: '2026-02-01T00:00:00.000Z',
    marketState: 'open',
    strike: { value: '100000', type: 'above', availableAt: null },
    ...changes,
  };
}

function event(changes: object = {}, contracts: readonly object[] = [contract()]): object {
  return {
    id: 'evt_123',
    title: 'Will Bitcoin reach $100k?',
    slug: 'bitcoin-100k-2028',
    description: 'In words.',
    type: 'binary',
    category: 'crypto',
    ticker: 'BTC100K2028',
    status: 'active',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiryDate: END,
    volume: '125000.00',
    contracts,
    ...changes,
  };
}

function read(...events: object[]) {
  const unknowns = new Unknowns();
  const found = readGeminiEvents(events, unknowns.note);
  return { ...found, words: unknowns.take().map(({ about, word }) => `${about}: ${word}`) };
}

test('an event and its contract, with the rules of its rich text, its grid and its fee', () => {
  const { events, invalid, grids, words } = read(event());
  expect(invalid).toEqual([]);
  expect(words).toEqual([]);
  expect(events[0]).toMatchObject({ eventId: 'BTC100K2028', category: 'crypto', kind: 'binary', status: 'open' });
  expect(events[0]?.markets[0]).toMatchObject({
    listingId: 'GEMI-BTC100K2028',
    rules: 'Yes if above.',
    threshold: 100_000,
    direction: 'above',
    status: 'open',
    tickMicros: 100n,
    fee: { model: 'of_variance', bps: 700, known: true },
    teamColor: '#00ff00',
    lastPriceMicros: 650_000n,
    // dollars are not contracts
    volumeMicros: 0n,
  });
  expect(grids.get('GEMI-BTC100K2028')?.quantityMinimumMicros).toBe(1_000_000n);
});

test.each([
  [{ status: 'active' }, 'open'],
  [{ status: 'approved' }, 'closed'],
  [{ status: 'active', marketState: 'closed' }, 'paused'],
  [{ status: 'closed' }, 'closed'],
  [{ status: 'under_review', resolutionSide: 'yes' }, 'closed'],
  [{ status: 'invalid' }, 'closed'],
  [{ status: 'suspended' }, 'paused'],
  [{ priceIncrement: null }, 'paused'],
  [{ quantityIncrement: '0.03' }, 'paused'],
  [{ quantityIncrement: '1' }, 'paused'],
  [{ status: 'settled', resolutionSide: 'no', resolvedAt: END }, 'resolved'],
])('a contract that says %j is %s', (changes, status) => {
  const { events } = read(event({}, [contract(changes)]));
  expect(events[0]?.markets[0]?.status).toBe(status);
});

test('a result is that of a settled contract; one without a winner is evidence, and none is taken before', () => {
  const settled = read(event({}, [contract({ status: 'settled', resolutionSide: 'Yes', resolvedAt: END })]));
  expect(settled.events[0]?.markets[0]?.resolution).toEqual({
    outcome: 'YES',
    yesWorthMicros: null,
    resolvedAt: new Date(END),
  });
  const odd = read(event({}, [contract({ status: 'settled' })]));
  expect([odd.events, odd.invalid[0]?.reason]).toEqual([[], 'settled without a winner']);
  const reviewed = read(event({}, [contract({ status: 'under_review', resolutionSide: 'yes' })]));
  expect(reviewed.events[0]?.markets[0]?.resolution).toBeNull();
});

test('an unknown category, status or word loses nothing, and is told', () => {
  const { events, words } = read(
    event({ category: 'Moonshine' }, [contract({ status: 'frozen', marketState: 'ajar' })]),
  );
  expect(events[0]).toMatchObject({ category: 'world', status: 'paused' });
  expect(words.toSorted()).toEqual(['category: Moonshine', 'contract status: frozen', 'market state: ajar']);
});

test('a contract that cannot be read is evidence and holds back no other', () => {
  const { events, invalid } = read(
    event({}, [contract(), contract({ instrumentSymbol: 7 }), contract({ expiryDate: 'soon' })]),
    event({ ticker: '' }),
  );
  expect(events[0]?.markets).toHaveLength(1);
  expect(invalid.map(({ about }) => about)).toEqual(['event', 'contract', 'contract']);
});

test('several contracts are a ladder where their strikes are one, and never said to exclude each other', () => {
  const rung = (value: string, type = 'above') =>
    contract({ instrumentSymbol: `GEMI-L-${type}${value}`, strike: { value, type } });
  const kind = (contracts: object[], changes: object = {}) => read(event(changes, contracts)).events[0]?.kind;
  expect(kind([rung('1'), rung('2')])).toBe('cumulative_ladder');
  expect(kind([rung('1'), rung('2', 'under')])).toBe('ambiguous');
  expect(kind([rung('1'), rung('1')])).toBe('ambiguous');
  const prop = { sport: 'soccer', type: 'prop', subject: 'player', scope: { type: 'full_contest' } };
  expect(kind([rung('1'), rung('2')], { sportsMarket: prop, category: 'Sports' })).toBe('ambiguous');
  expect(kind([contract({ strike: null }), contract({ strike: null })], { type: 'categorical' })).toBe('ambiguous');
});

const ORDER = {
  orderId: 145_000_000_003,
  clientOrderId: 'att_1',
  status: 'filled',
  symbol: 'GEMI-X',
  side: 'buy',
  outcome: 'no',
  quantity: '30',
  filledQuantity: '30',
  avgExecutionPrice: '0.6033',
  createdAt: END,
};
const trade = (changes: object) =>
  geminiTrade.parse({
    tid: '145000000000000009',
    order_id: '145000000003',
    price: '0.60',
    amount: '20',
    fee_currency: 'USD',
    fee_amount: '0.34',
    timestampms: 1_795_000_000_000,
    ...changes,
  });
const fills = (order: object, trades: ReturnType<typeof trade>[]) => {
  const unknowns = new Unknowns();
  const read = fillsOf(geminiOrder.parse({ ...ORDER, ...order }), trades, 'att_1', unknowns.note);
  return {
    prices: read?.map(({ priceMicros }) => priceMicros),
    read,
    words: unknowns.take().map(({ about }) => about),
  };
};

test('a fill has the price whose average is that of the order, of the outcome or of YES', () => {
  const direct = [trade({}), trade({ tid: 8, price: '0.61', amount: '10' })];
  const ofYes = [trade({ price: '0.40' }), trade({ tid: 8, price: '0.39', amount: '10' })];
  expect(fills({}, direct).prices).toEqual([600_000n, 610_000n]);
  expect(fills({}, ofYes).prices).toEqual([600_000n, 610_000n]);
  expect(fills({}, direct).read?.[0]).toMatchObject({
    fillId: '145000000000000009',
    feeMicros: 340_000n,
    ourId: 'att_1',
  });
});

test.each([
  ['trades that do not add up', {}, [trade({})]],
  ['an average of neither price', { avgExecutionPrice: '0.7' }, [trade({ amount: '30' })]],
  ['no average', { avgExecutionPrice: null }, [trade({ amount: '30' })]],
  ['an average that both prices have', { avgExecutionPrice: '0.5' }, [trade({ amount: '30', price: '0.499' })]],
  ['a trade that was reversed', { avgExecutionPrice: '0.6' }, [trade({ amount: '30', break: 'manual' })]],
])('%s: nothing is booked yet', (_, order, trades) => {
  expect(fills(order, trades as ReturnType<typeof trade>[]).read).toBeUndefined();
});

test('a fee that is not in dollars, or finer than a millionth, is not known', () => {
  const of = (changes: object) => fills({ avgExecutionPrice: '0.6' }, [trade({ amount: '30', ...changes })]);
  expect(of({ fee_currency: 'BTC' }).read?.[0]?.feeMicros).toBeNull();
  expect(of({ fee_amount: '0.0000001' })).toMatchObject({ words: ['fee of a fill'], read: [{ feeMicros: null }] });
  expect(of({ fee_amount: null }).read?.[0]?.feeMicros).toBeNull();
  expect(of({ fee_amount: '0' }).read?.[0]?.feeMicros).toBe(0n);
});

// contract 18.7
test.each([
  [422, { error: 'InsufficientFunds', message: 'x' }, 'InsufficientFunds'],
  [400, { error: 'LimitPriceOffTick' }, 'LimitPriceOffTick'],
  [400, { result: 'error', reason: 'MarketClosed', message: 'x' }, 'MarketClosed'],
  [422, { error: 'DuplicateOrder' }, undefined],
  [422, { error: 'SomethingNew' }, undefined],
  [400, { result: 'error', reason: 'AcceptTermsRequired', message: 'x' }, 'AcceptTermsRequired'],
  [400, { result: 'error', reason: 'MustAccepTerms', message: 'x' }, 'MustAccepTerms'],
  [400, { result: 'error', reason: 'MustAcceptTerms', message: 'x' }, 'MustAcceptTerms'],
  [422, { error: 'OrderNotFound', message: 'x' }, 'OrderNotFound'],
  [500, { error: 'InsufficientFunds' }, undefined],
  [422, 'InsufficientFunds', undefined],
])('status %i with %j refuses an order: %s', (status, body, reason) => {
  expect(refusalOf(status, body)).toBe(reason);
});

test('a nonce that is refused, or too many requests, say that nothing was looked at; an unknown word does not', () => {
  expect(wasNotLookedAt(400, { result: 'error', reason: 'InvalidNonce', message: 'x' })).toBe(true);
  expect(wasNotLookedAt(409, { result: 'error', reason: 'InvalidNonce', message: 'x' })).toBe(true);
  expect(wasNotLookedAt(400, { result: 'error', reason: 'RateLimit', message: 'x' })).toBe(true);
  expect(wasNotLookedAt(400, { error: 'InvalidInput' })).toBe(false);
  expect(wasNotLookedAt(409, { error: 'Conflict' })).toBe(false);
});
