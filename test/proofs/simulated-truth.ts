/** Holds what one seed booked against what happened at its venue. */
import { expect } from 'vitest';
import { liveBuyTotals } from '../../src/money/live.ts';
import type { Simulation } from './simulated-trading.ts';

/** What was booked is what happened at the venue: no more, no less, and nothing of it twice. */
export async function checkAgainstVenue({ shared, venue, operator }: Simulation): Promise<void> {
  expect([...venue.sends.values()].filter((count) => count > 1)).toEqual([]);
  const rows = await shared.sql<
    {
      our_id: string;
      status: string;
      action: string;
      filled_quantity: bigint;
      trade_minor: bigint;
      venue_fee_minor: bigint;
      authorization_minor: bigint;
      platform_fee_minor: bigint;
      quoted_fee_minor: bigint;
      quoted_trade_minor: bigint;
      reject_reason: string | null;
    }[]
  >`select t.our_id, r.* from transmissions t join orders r using (operator_id, order_id) where operator_id = ${operator.operatorId}`;
  for (const row of rows) {
    const truth = venue.truths.get(row.our_id)?.history.at(-1);
    const filled = truth?.fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n) ?? 0n;
    expect(row.filled_quantity).toBe(filled);
    if (truth === undefined) {
      expect(row.status).toBe('rejected');
      expect(row.reject_reason).toContain('never_received');
    } else if (row.action === 'buy') {
      const terms = {
        authorizationMinor: row.authorization_minor,
        platformFeeMinor: row.quoted_fee_minor,
        tradeMinor: row.quoted_trade_minor,
      };
      const sums = liveBuyTotals(truth.fills, terms);
      expect([row.trade_minor, row.venue_fee_minor, row.platform_fee_minor]).toEqual([
        sums.tradeMinor,
        sums.venueFeeMinor,
        sums.platformFeeMinor,
      ]);
    }
  }
  expect(new Set(rows.map((row) => row.our_id)).size).toBe(rows.length);
  for (const ourId of venue.truths.keys()) {
    expect(
      rows.some((row) => row.our_id === ourId),
      'every send was recorded before it',
    ).toBe(true);
  }
}
