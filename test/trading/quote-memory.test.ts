/** What a process remembers of the quotes that it made: the newest ones, for the customer who asked, and only buys. */
import { expect, test } from 'vitest';
import type { Operator } from '../../src/operators/operator.ts';
import { createQuoteMemory, type Trader } from '../../src/trading/quotes/issue-quote.ts';
import type { Quote } from '../../src/trading/quotes/price-quote.ts';

const traderOf = (operatorId: string, externalUserId: string): Trader => ({
  operator: { operatorId } as Operator,
  externalUserId,
  offering: { categories: null, eventIds: null },
});
const MIA = traderOf('op_a', 'mia');

const quoteOf = (quoteId: string, action: Quote['action'] = 'buy'): Quote => ({
  quoteId,
  contractId: 'ctr_a',
  side: 'YES',
  action,
  priceMicros: 570_000n,
  feeBps: 200,
  authorizationMinor: 200n,
  feeMinor: 4n,
  tradeMinor: 196n,
  quantityMicros: 3_438_596n,
  payoutMinor: 343n,
  levels: [['570000', '9000000']],
  expiresAt: new Date(0),
  simulated: true,
  freshness: { level: 'live', ageSeconds: 0, feed: 'websocket' },
  routing: { reason: 'single_venue', consideredVenues: 1, routable: false },
});

test('a buy is recalled with its terms, by the customer and the operator that asked for it', () => {
  const memory = createQuoteMemory();
  memory.keep(MIA, quoteOf('qt_1'), 'paper');
  expect(memory.recall(MIA, 'qt_1')).toEqual({ quote: quoteOf('qt_1'), venue: 'paper' });
  expect(memory.recall(traderOf('op_a', 'ben'), 'qt_1')).toBeUndefined();
  expect(memory.recall(traderOf('op_b', 'mia'), 'qt_1')).toBeUndefined();
  expect(memory.recall(MIA, 'qt_2')).toBeUndefined();
});

test('a sell is not kept, because it depends on a position', () => {
  const memory = createQuoteMemory();
  memory.keep(MIA, quoteOf('qt_1', 'sell'), 'paper');
  expect(memory.recall(MIA, 'qt_1')).toBeUndefined();
});

test('the newest 8,192 quotes are kept, and twice as many at most', () => {
  const memory = createQuoteMemory();
  const made = Array.from({ length: 40_000 }, (_, index) => `qt_${index}`);
  for (const quoteId of made) {
    memory.keep(MIA, quoteOf(quoteId), 'paper');
  }
  const kept = made.filter((quoteId) => memory.recall(MIA, quoteId) !== undefined);
  expect(kept).toEqual(made.slice(-kept.length));
  expect(kept.length).toBeGreaterThanOrEqual(8_192);
  expect(kept.length).toBeLessThanOrEqual(16_384);
});
