/** Rules of the fills that a private stream reports: when they are enough, and when the list of the exchange is read. */
import { type Mutant, mutant } from './mutant.ts';

const REPORTS = 'src/venues/fill-reports.ts';
const KALSHI = 'src/venues/kalshi/orders.ts';
const FOUND = { test: 'test/venues/fill-reports.test.ts' } as const;
const FOUND_THERE = { test: 'test/emulators/kalshi-fills.test.ts' } as const;

export const FILL_REPORTS: readonly Mutant[] = [
  mutant('more fills than the response counts are enough', REPORTS, '|| reported > filledMicros', '', FOUND),
  mutant('a fill may be reported in two ways', REPORTS, 'report.contradicts || reported', 'reported', FOUND),
  mutant('a part of the fills is enough', REPORTS, 'reported === filledMicros', 'reported > 0n', FOUND),
  mutant('a stream that ended is waited for', REPORTS, 'connected = false;\n      for', 'for', FOUND),
  mutant('another price than the average is enough', KALSHI, 'isNear(price, weight)', 'true', FOUND_THERE),
];
