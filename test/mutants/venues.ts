/** Rules of the adapters of venues and of the jobs that watch them, each broken in one place. */
import { type Mutant, mutant } from './mutant.ts';

const SEEDS = { seeds: 400 } as const;
const ONCE = { test: 'test/live/sent-once.test.ts' } as const;
const TIMES = { test: 'test/jobs/venue-times.test.ts' } as const;
const POLYMARKET = 'test/emulators/polymarket.test.ts';
const GEMINI = 'test/emulators/gemini.test.ts';
const ORDERS = 'test/emulators/orders.test.ts';
const BAD_ANSWERS = { test: 'test/emulators/bad-answers.test.ts', title: 'decides nothing' } as const;

export const VENUES: readonly Mutant[] = [
  mutant(
    'an answer that is lost proves that nothing was sent',
    'src/venues/http.ts',
    'notTaken: !written.begun',
    'notTaken: true',
    SEEDS,
  ),
  mutant(
    'a connection that was refused proves nothing',
    'src/venues/http.ts',
    'notTaken: !written.begun',
    'notTaken: false',
    ONCE,
  ),
  mutant(
    'a server error proves that nothing was taken',
    'src/venues/http.ts',
    'new Set([401, 403, 425, 429])',
    'new Set([401, 403, 425, 429, 500])',
    SEEDS,
  ),
  mutant(
    'a sender does not wait for the comparison',
    'src/jobs/watch-venues.ts',
    'if (compared?.books !== beat.books())',
    'if (beat.books() === undefined)',
    { test: 'test/live/compared-first.test.ts' },
  ),
  mutant(
    'clocks may differ',
    'src/jobs/watch-venues.ts',
    'Math.abs(offsetNow(offset, clocks)) - offset.errorMs <= MOST_SKEW_MS',
    'true',
    TIMES,
  ),
  mutant(
    'a venue has as many lanes as it likes',
    'src/jobs/venue-pool.ts',
    'group.busy.size >= width || closed',
    'closed',
    { test: 'test/jobs/venue-pool.test.ts' },
  ),
  mutant(
    'a trade that may still fail is booked',
    'src/venues/polymarket/account-lists.ts',
    "PolymarketTrade): boolean => status === 'CONFIRMED';",
    "PolymarketTrade): boolean => status !== 'FAILED';",
    { test: POLYMARKET, title: 'nothing is filled before' },
  ),
  mutant(
    'an order is closed while a trade of it is not final',
    'src/venues/polymarket/orders.ts',
    '!complete || !trades.every((trade) => isFinal(trade) && isWhole(trade))',
    '!complete',
    { test: POLYMARKET, title: 'nothing is filled before' },
  ),
  mutant(
    'a page of anybody with status 403 proves that nothing was taken',
    'src/venues/http.ts',
    'notTaken: refusal.safeParse(jsonOf(text)).success',
    'notTaken: true',
    { test: 'test/live/sent-once.test.ts', title: 'in front of the venue proves nothing' },
  ),
  mutant(
    'any text with an error refuses an order',
    'src/venues/polymarket/orders.ts',
    '?.[1];',
    "?.[1] ?? 'refused';",
    BAD_ANSWERS,
  ),
  mutant('any code refuses an order', 'src/venues/kalshi/orders.ts', 'REFUSALS.has(code)', 'true', BAD_ANSWERS),
  mutant('any conflict is a duplicate', 'src/venues/kalshi/orders.ts', ' && code === DUPLICATE', '', BAD_ANSWERS),
  mutant(
    'an answer about another order counts as one about ours',
    'src/venues/polymarket/orders.ts',
    'decision.ref !== prepared.venueRef',
    'false',
    { test: 'test/emulators/polymarket-answers.test.ts', title: 'an answer about another order' },
  ),
  mutant('any word of Gemini refuses an order', 'src/venues/gemini/orders.ts', 'WORDS.has(word)', 'true', BAD_ANSWERS),
  mutant(
    'an order without an answer is sent to Gemini again',
    'src/venues/gemini/orders.ts',
    'await rest.call(ORDER_PATH, parametersOf(order), {',
    '(await rest.call(ORDER_PATH, parametersOf(order), { mayWrite }).catch(() => undefined)) ?? await rest.call(ORDER_PATH, parametersOf(order), {',
    { test: ORDERS, title: 'an answer that is lost' },
  ),
  mutant(
    'an answer of Gemini about another order counts as one about ours',
    'src/venues/gemini/orders.ts',
    ' || !saysTheSame(unnamedOf(placed), order)',
    '',
    { test: GEMINI, title: 'is about no order of ours' },
  ),
  mutant(
    'an order without an id of ours is somebody else’s',
    'src/venues/unnamed-orders.ts',
    'return orders.length === 0',
    'return orders.length >= 0',
    { test: GEMINI, title: 'each order without an id of ours that could be this one' },
  ),
  mutant(
    'a trade of no listed order does not leave an order unknown',
    'src/venues/gemini/orders.ts',
    ' || stray.length > 0',
    '',
    { test: GEMINI, title: 'a trade of no listed order' },
  ),
  mutant(
    'one order may be that of two equal attempts',
    'src/venues/unnamed-orders.ts',
    'fitting.length !== equal.length',
    'fitting.length === 0',
    { pure: 'test/venues/unnamed-orders.test.ts' },
  ),
  mutant(
    'an order that a person decided leaves its order to an equal attempt',
    'src/trading/execution/attempts.ts',
    "e.kind = 'person' and e.recorded_at",
    "e.kind = 'nobody' and e.recorded_at",
    { test: 'test/emulators/gemini-unnamed.test.ts', title: 'neither is decided before a person did' },
  ),
  mutant(
    'an order is absent although the position has changed',
    'src/trading/execution/look-up.ts',
    '!(mayOmitOurId && ',
    '!(false && ',
    { test: 'test/live/absence-proof.test.ts', title: 'whatever else the look-up reads' },
  ),
  mutant(
    'trades of Gemini are booked before they add up to the order',
    'src/venues/gemini/orders.ts',
    '!== order.filledQuantity',
    '> order.filledQuantity',
    { test: GEMINI, title: 'until its trades are listed' },
  ),
  mutant(
    'a trade of Gemini is taken at the price of YES',
    'src/venues/gemini/orders.ts',
    '[direct, mirrored].filter',
    '[direct, direct].filter',
    { test: GEMINI, title: 'trades listed at that of YES' },
  ),
  mutant(
    'the fee of an order at Gemini is not rounded up to a cent',
    'src/venues/gemini/catalogue.ts',
    'FEE_STEP_MICROS = 10_000n',
    'FEE_STEP_MICROS = 1n',
    { test: 'test/emulators/gemini-live.test.ts', title: 'no more than its stake' },
  ),
];
