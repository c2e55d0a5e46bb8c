/** Our ids of what a venue reports under its own: some venues name an order by its hash and keep no id of ours. */
import type { Sql } from '../../db/client.ts';
import type { VenueFill, VenueOrder } from '../../venues/port.ts';

export interface ReportedWork {
  readonly orders: readonly VenueOrder[];
  readonly fills: readonly VenueFill[];
}

/** @returns the same under our ids; what our books do not know keeps the venue's. */
export async function underOurIds(sql: Sql, venue: string, { orders, fills }: ReportedWork): Promise<ReportedWork> {
  const refs = [...new Set([...orders, ...fills].map(({ ourId }) => ourId))];
  const rows = await sql<{ venueRef: string; ourId: string }[]>`
    select venue_ref, our_id from transmissions where venue_ref = any (${refs}::text[]) and venue = ${venue}`;
  const known = new Map(rows.map((row) => [row.venueRef, row.ourId]));
  const rename = <T extends { readonly ourId: string }>(one: T): T => ({
    ...one,
    ourId: known.get(one.ourId) ?? one.ourId,
  });
  return {
    orders: orders.map((order) => ({ ...rename(order), fills: order.fills.map(rename) })),
    fills: fills.map(rename),
  };
}
