/**
 * The stop of trading at a venue: made by a person, or with the findings of the comparison of our account there
 * (venue-findings.ts), and ended by a person. While it lasts nothing is sent to the venue and nothing of it is quoted to live
 * operators; look-ups and comparisons go on. It compares nothing itself.
 */
import type { Sql } from '../../db/client.ts';

export interface TradingStop {
  readonly venue: string;
  readonly stoppedAt: Date;
  readonly because: string;
}

/** @returns the stop that this call made; undefined if trading had stopped already. */
export async function stopTradingBecause(sql: Sql, venue: string, because: string): Promise<TradingStop | undefined> {
  const [stop] = await sql<TradingStop[]>`
    insert into venue_stops (venue, because) values (${venue}, ${because})
    on conflict (venue) where resumed_at is null do nothing
    returning venue, stopped_at as "stoppedAt", because`;
  return stop;
}

export function listStops(sql: Sql): Promise<TradingStop[]> {
  return sql<TradingStop[]>`
    select venue, stopped_at as "stoppedAt", because from venue_stops where resumed_at is null order by venue`;
}

/**
 * Findings that are open now do not stop trading again; new ones do.
 * @returns the stop that ended; undefined if trading was not stopped.
 */
export async function resumeTrading(sql: Sql, venue: string, by: string): Promise<TradingStop | undefined> {
  const [stop] = await sql<TradingStop[]>`
    update venue_stops set resumed_at = clock_timestamp(), resumed_by = ${by} where venue = ${venue} and resumed_at is null
    returning venue, stopped_at as "stoppedAt", because`;
  return stop;
}
