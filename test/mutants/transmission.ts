/** Rules of sending an order to a venue, looking it up and booking its fills, each broken in one place. */
import { type Mutant, mutant } from './mutant.ts';

const SIFT = 'src/trading/execution/report.ts';
const SEEDS = { seeds: 400 } as const;
const REPORT = { pure: 'test/trading/validate-report.test.ts' } as const;
const VENUE = { test: 'test/proofs/venue-contradictions.test.ts' } as const;
const ONCE = { test: 'test/live/sent-once.test.ts' } as const;
const ACCOUNT = { test: 'test/live/venue-account.test.ts' } as const;
const TIMES = { test: 'test/jobs/venue-times.test.ts' } as const;

export const TRANSMISSION: readonly Mutant[] = [
  mutant(
    '"not found" counts before the send has expired',
    'src/trading/execution/look-up.ts',
    'attempt.expiredLong && ',
    '',
    { test: 'test/proofs/venue-behaviour.test.ts', title: 'before the expiry and a minute is no answer' },
  ),
  mutant(
    '"not found" once is an answer',
    'src/trading/execution/attempts.ts',
    'NOT_FOUND_TIMES = 3',
    'NOT_FOUND_TIMES = 1',
    TIMES,
  ),
  mutant('"not found" counts while the clocks disagree', 'src/trading/execution/look-up.ts', ' && clocksAgree', '', {
    test: 'test/jobs/venue-times.test.ts',
    title: 'is no answer to a worker whose clock disagrees',
  }),
  mutant('"not found" counts while the lists lag', 'src/trading/execution/look-up.ts', 'caughtUp && venue', 'venue', {
    test: 'test/live/absence-proof.test.ts',
    title: 'lists are not current',
  }),
  mutant(
    '"not found" needs no proof that the list works',
    'src/trading/execution/look-up.ts',
    '(readOthers || position',
    '(mayCount || position',
    { test: 'test/live/absence-proof.test.ts', title: 'where the position proves nothing' },
  ),
  mutant(
    'orders under way never hide one that was filled',
    'src/trading/execution/look-up.ts',
    "(t.side = 'YES') = (t.action = 'BUY')",
    'null::boolean',
    { test: 'test/live/absence-proof.test.ts', title: 'of the opposite direction' },
  ),
  mutant(
    'what the venue has paid out still proves that an order was not filled',
    'src/trading/execution/look-up.ts',
    'paid?.includes(attempt.listingId) !== true',
    'paid !== null',
    { test: 'test/live/absence-proof.test.ts', title: 'once the venue has paid' },
  ),
  mutant(
    'a send is valid for five minutes at the venue',
    'src/trading/execution/transmit-order.ts',
    'VALID_SECONDS * 1_000',
    'VALID_SECONDS * 10_000',
    SEEDS,
  ),
  mutant(
    'a working order is never cancelled',
    'src/trading/execution/look-up.ts',
    'await endWorking(ports.gate, venue, found.order, sent)',
    'found.order',
    TIMES,
  ),
  mutant('a fill is booked again under its id', SIFT, 'if (seen.has(fill.fillId)) {', 'if (false) {', SEEDS),
  mutant('more may fill than was sent', SIFT, '? filledMicros > attempt.quantityMicros', '? false', REPORT),
  mutant('a fill may be worse than the limit', SIFT, "return worse ? 'beyond_limit' : null;", 'return null;', REPORT),
  mutant("another order's report is booked", SIFT, 'report.ourId !== attempt.ourId || ', '', REPORT),
  mutant('a fee may be below zero', SIFT, 'earnedMicros >= 0n && feeMicros >= earnedMicros;', 'true;', REPORT),
  mutant(
    'who sent an order never reads what another has recorded of it',
    'src/trading/execution/record-execution.ts',
    'decision === 0 && begun',
    'begun',
    { test: 'test/live/answer-in-time.test.ts', title: 'after another report' },
  ),
  mutant(
    'what makes no sense ends an order',
    'src/trading/execution/record-execution.ts',
    '!foreign && evidence.length === 0',
    'true',
    VENUE,
  ),
  mutant(
    'an order ends while its fee is unknown',
    'src/trading/execution/report.ts',
    'const resolved = over && feesKnown;',
    'const resolved = over;',
    SEEDS,
  ),
  mutant(
    'a sender that was held up sends all the same',
    'src/trading/execution/send-gate.ts',
    'const MOST_MS = 5_000',
    'const MOST_MS = 5_000_000',
    ONCE,
  ),
  mutant(
    'our id at a venue does not follow from the order',
    'src/trading/execution/attempts.ts',
    "return orderId.replace(/^ord_/, 'att_');",
    'return "att_" + crypto.randomUUID().replaceAll("-", "");',
    ONCE,
  ),
  mutant(
    'an order that the books lost is not taken over',
    'src/trading/account/compare-account.ts',
    'if (known.attempt === null) {',
    'if (false) {',
    ACCOUNT,
  ),
  mutant(
    'fills may cost more dollars than were sent',
    SIFT,
    ': priceWeight > attempt.spendMicros * ONE_DOLLAR_MICROS;',
    ': false;',
    REPORT,
  ),
];
