/** `venues revenue`: the share of the venues' fees that the service operator earned. */
import { operatorList } from '../../cli/operator-command.ts';
import type { Column } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { earnedAtVenues } from '../../trading/account/venue-facts.ts';

interface RevenueLine {
  readonly venue: string;
  readonly operator: string;
  readonly month: string;
  readonly fills: number;
  /** Dollars, like the two below. */
  readonly traded: number;
  readonly venueFees: number;
  readonly earned: number;
}

const COLUMNS: readonly Column<RevenueLine>[] = [
  { name: 'month', value: (one) => one.month },
  { name: 'venue', value: (one) => one.venue },
  { name: 'operator', value: (one) => one.operator },
  { name: 'fills', align: 'right', value: (one) => one.fills },
  { name: 'traded', align: 'right', value: (one) => one.traded },
  { name: 'venueFees', title: 'venue fees', align: 'right', value: (one) => one.venueFees },
  { name: 'earned', align: 'right', value: (one) => one.earned },
];

export default operatorList({
  hidden: true,
  withKey: 'reconciliation revenue',
  summary: 'Show the fees that venues collect for you, by venue, operator and month.',
  description:
    'Orders with your builder code earn a share of what they trade, which is part of the fee of the venue. The amounts are what the recorded fills have earned; the venue may not have paid them yet.',
  examples: ['', '--from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z --json'],
  flags: {
    from: momentFlag({ summary: 'Start of the range, inclusive, by the time at which a fill was recorded; ISO-8601.' }),
    to: momentFlag({ summary: 'End of the range, exclusive; ISO-8601; by default now.' }),
  },
  read: async (sql, { from, to }) =>
    (await earnedAtVenues(sql, from ? new Date(from) : null, to ? new Date(to) : null)).map(
      ({ venue, operator, month, fills, tradedMicros, feeMicros, earnedMicros }): RevenueLine => ({
        venue,
        operator,
        month,
        fills,
        traded: jsonNumber(tradedMicros, MICRO_SCALE),
        venueFees: jsonNumber(feeMicros, MICRO_SCALE),
        earned: jsonNumber(earnedMicros, MICRO_SCALE),
      }),
    ),
  items: 'revenue',
  counted: false,
  columns: COLUMNS,
  none: 'Nothing was earned at a venue.',
});
