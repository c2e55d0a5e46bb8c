/**
 * The cash of our account at a venue beside what the books expect: what it had before we traded there, and what fills, fees,
 * payouts and recorded transfers have made of it. Records the opening balance once; moves no money.
 */
import type { Sql } from '../../db/client.ts';
import type { VenueAccount } from '../../venues/port.ts';

export interface ComparedCash {
  /** Millionths of a dollar. */
  readonly theirs: bigint;
  /** Expected at least and at most; they differ while an order is under way or a payout may still come. */
  readonly least: bigint;
  readonly most: bigint;
  readonly agrees: boolean;
}

/** Venues keep whole cents. */
const TOLERANCE_MICROS = 10_000n;

interface Booked {
  readonly least: bigint;
  readonly most: bigint;
  readonly opening: bigint | null;
}

/** @returns null where nothing can be expected yet, because the opening balance is not known. @throws VenueUnknown */
export async function compareCash(sql: Sql, venue: string, account: VenueAccount): Promise<ComparedCash | null> {
  // read on both sides of the venue's answer, since trading goes on meanwhile
  const before = await readBooked(sql, venue, account);
  const theirs = await account.balanceMicros();
  const redeemable = (await account.redeemableMicros?.()) ?? 0n;
  const after = await readBooked(sql, venue, account);
  const least = before.least < after.least ? before.least : after.least;
  const most = before.most > after.most ? before.most : after.most;
  const opening = after.opening ?? (least === most ? await recordOpening(sql, venue, theirs - least) : null);
  if (opening === null) {
    return null;
  }
  // what can be redeemed may already be paid in our books
  const agrees =
    theirs + redeemable >= opening + least - TOLERANCE_MICROS && theirs <= opening + most + TOLERANCE_MICROS;
  return { theirs, least: opening + least, most: opening + most, agrees };
}

async function readBooked(sql: Sql, venue: string, { keepsBothSides = false }: VenueAccount): Promise<Booked> {
  const [row] = await sql<[Booked]>`
    select c.least_micros::bigint as least, c.most_micros::bigint as most,
      (select a.opening_micros from venue_accounts a where a.venue = ${venue}) as opening
    from venue_cash(${venue}, ${keepsBothSides}) c`;
  return row;
}

/** @returns the one that is kept, which another process may have recorded. */
async function recordOpening(sql: Sql, venue: string, openingMicros: bigint): Promise<bigint | null> {
  const [row] = await sql<{ opening: bigint }[]>`
    update venue_accounts set opening_micros = coalesce(opening_micros, ${openingMicros}) where venue = ${venue}
    returning opening_micros as opening`;
  return row?.opening ?? null;
}
