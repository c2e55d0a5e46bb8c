/** Rules of the parts of Kalshi: what an order may spend, what is read of each part, and the order group. */
import { type Mutant, mutant } from './mutant.ts';

const PARTS = 'src/venues/kalshi/parts.ts';
const FUNDS = 'src/venues/promised-funds.ts';
const FOUND = { test: 'test/emulators/kalshi-parts.test.ts' } as const;

export const KALSHI_PARTS: readonly Mutant[] = [
  mutant(
    'an order under way counts for nothing against its part',
    FUNDS,
    '(one.answeredTick ?? Number.POSITIVE_INFINITY) >= reading.tick',
    'false',
    FOUND,
  ),
  mutant('an order counts against itself', FUNDS, '(one) => one.ourId !== ourId && (one.', '(one) => (one.', FOUND),
  mutant('the balance of a part is good for minutes', FUNDS, 'GOOD_MS = 5_000', 'GOOD_MS = 500_000', FOUND),
  mutant(
    'a promise that was never sent is kept for hours',
    FUNDS,
    'LONGEST_MS = 30_000',
    'LONGEST_MS = 30_000_000',
    FOUND,
  ),
  mutant('an answered order counts for ever', FUNDS, 'one.answeredTick = ticks();', '', FOUND),
  mutant(
    'each order reads a balance of its own',
    FUNDS,
    'known.beingRead ??= readNow',
    'known.beingRead = readNow',
    FOUND,
  ),
  mutant('the balance is not read beside the orders', FUNDS, 'refreshSoon(pocket);\n        }', '}', FOUND),
  mutant(
    'a part pays no fee',
    PARTS,
    'quantityMicros * limitPriceMicros + charged',
    'quantityMicros * limitPriceMicros',
    FOUND,
  ),
  mutant('the cost of an order is rounded down', PARTS, 'micros + MICROS_PER_CENT - 1n', 'micros', FOUND),
  mutant('a sale needs money of its part', PARTS, "order.action === 'SELL'", 'false', FOUND),
  mutant(
    'a market whose part is not known is on part 0',
    PARTS,
    'market.exchange_index ?? DEFAULT_PART',
    'market && DEFAULT_PART',
    FOUND,
  ),
  mutant('each part has the cash of all', PARTS, '...(part === undefined', '...(part !== -1', FOUND),
  mutant('no part is ever paused', PARTS, 'state !== undefined && !(', 'false && !(', FOUND),
  mutant('a pause of one part pauses all', PARTS, 'statuses.some(', 'statuses.every(', FOUND),
  mutant(
    'a halted order group is released',
    'src/venues/kalshi/account.ts',
    "halt: () => put('trigger')",
    "halt: () => put('reset')",
    { test: 'test/emulators/kalshi-order-group.test.ts' },
  ),
];
