/** What the service operator earned at venues: the parts of their fees that they collect for us. Reads the recorded fills. */
import type { Sql } from '../../db/client.ts';

interface EarnedAtVenue {
  readonly venue: string;
  /** Slug of the operator whose orders earned it. */
  readonly operator: string;
  /** Of UTC, such as `2026-11`. */
  readonly month: string;
  readonly fills: number;
  /** Price times quantity, in micro-dollars, rounded down fill by fill. */
  readonly tradedMicros: bigint;
  /** The whole fee of these fills. */
  readonly feeMicros: bigint;
  readonly earnedMicros: bigint;
}

/** Sums are text. */
type EarnedRow = {
  readonly [Name in keyof EarnedAtVenue]: EarnedAtVenue[Name] extends bigint ? string : EarnedAtVenue[Name];
};

/** @param from inclusive, by the time at which a fill was recorded; null: the first @param to exclusive; null: the last */
export async function earnedAtVenues(sql: Sql, from: Date | null, to: Date | null): Promise<EarnedAtVenue[]> {
  const rows = await sql<EarnedRow[]>`
    select sent.venue, operator.slug as operator, to_char(fill.filled_at at time zone 'UTC', 'YYYY-MM') as month,
      count(*)::integer as fills, sum(floor(fill.quantity::numeric * fill.price_micros / 1000000))::text as traded_micros,
      sum(fill.fee_micros)::text as fee_micros, sum(fill.earned_micros)::text as earned_micros
    from fill_rows fill
      join transmissions sent using (operator_id, order_id)
      join operators operator using (operator_id)
    where fill.earned_micros > 0
      and (${from}::timestamptz is null or fill.filled_at >= ${from})
      and (${to}::timestamptz is null or fill.filled_at < ${to})
    group by sent.venue, operator.slug, month
    order by month, sent.venue, operator.slug`;
  return rows.map((row) => ({
    ...row,
    tradedMicros: BigInt(row.tradedMicros),
    feeMicros: BigInt(row.feeMicros),
    earnedMicros: BigInt(row.earnedMicros),
  }));
}
