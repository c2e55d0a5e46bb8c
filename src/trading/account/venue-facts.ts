/**
 * The store of facts about venues and our accounts there: feeds and requests, parts, unknown words, pauses, redemptions, and the service
 * operator's earnings from them. It moves no money.
 */
import type { Sql } from '../../db/client.ts';
import type { AccountPart, Redeemable, UnknownWord } from '../../venues/port.ts';

export interface VenueFact {
  readonly name: string;
  readonly connected: boolean;
  readonly lastAnswerAt: Date | null;
  /** Requests that all workers together could still make at once; null if no worker has reported them in the last 30 s. */
  readonly requestsLeft: number | null;
  /** Why and since when trading there has stopped; null while it goes on. */
  readonly stop: { readonly stoppedAt: string; readonly because: string } | null;
  /** Why and since when no worker has sent there, for more than 15 s; null while a worker may send. */
  readonly held: { readonly since: string; readonly because: string } | null;
  /** Number of open findings. */
  readonly findings: number;
  /** Number of values, fields and errors of the last seven days that this release does not know. */
  readonly unknownWords: number;
}

export function listVenueFacts(sql: Sql): Promise<VenueFact[]> {
  return sql<VenueFact[]>`
    select coalesce(f.venue, a.venue) as name, coalesce(f.connected, false) as connected,
      greatest(f.confirmed_at, a.compared_at) as "lastAnswerAt",
      (select sum(r.requests_left)::int from venue_requests r
        where r.venue = coalesce(f.venue, a.venue) and r.seen_at > now() - interval '30 seconds') as "requestsLeft",
      (select json_build_object('stoppedAt', s.stopped_at, 'because', s.because) from venue_stops s
        where s.venue = coalesce(f.venue, a.venue) and s.resumed_at is null) as stop,
      (select json_build_object('since', h.since, 'because', h.because) from venue_held_back(coalesce(f.venue, a.venue)) h
        where h.because is not null) as held,
      (select count(*)::int from venue_findings v where v.venue = coalesce(f.venue, a.venue) and v.cleared_at is null) as findings,
      (select count(*)::int from venue_unknown_words w
        where w.venue = coalesce(f.venue, a.venue) and w.last_seen_at > now() - interval '7 days') as "unknownWords"
    from venue_feeds f full join venue_accounts a on a.venue = f.venue`;
}

export interface RequestsLeft {
  readonly venue: string;
  readonly left: number;
  /** Why this worker has sent nothing for some time; null while it sends. */
  readonly heldBecause: string | null;
}

export async function recordRequestsLeft(sql: Sql, worker: string, venues: readonly RequestsLeft[]): Promise<void> {
  await sql`
    with old as (
      delete from venue_requests where seen_at < now() - interval '1 minute' and worker <> ${worker}
    )
    insert into venue_requests as r (venue, worker, requests_left, seen_at, held_because, held_since)
    select v.venue, ${worker}, v.requests_left, now(), v.held_because, case when v.held_because is not null then now() end
    from unnest(${venues.map(({ venue }) => venue)}::text[], ${venues.map(({ left }) => left)}::integer[],
      ${venues.map(({ heldBecause }) => heldBecause)}::text[]) v(venue, requests_left, held_because)
    on conflict (venue, worker) do update set requests_left = excluded.requests_left, seen_at = excluded.seen_at,
      held_because = excluded.held_because,
      held_since = case when excluded.held_because is not null then coalesce(r.held_since, excluded.held_since) end`;
}

/** Records the collateral of our account on each part of a venue, as of the last comparison. */
export async function recordParts(sql: Sql, venue: string, parts: readonly AccountPart[]): Promise<void> {
  if (parts.length === 0) {
    return;
  }
  const rows = JSON.stringify(parts.map((one) => ({ ...one, balanceMicros: String(one.balanceMicros) })));
  await sql`
    insert into venue_parts as p (venue, part, balance_micros, paused, read_at)
    select ${venue}, given.part, given."balanceMicros", given.paused, clock_timestamp()
    from json_to_recordset(${rows}::text::json) as given(part smallint, "balanceMicros" bigint, paused boolean)
    order by given.part
    on conflict (venue, part) do update set balance_micros = excluded.balance_micros, paused = excluded.paused,
      read_at = excluded.read_at`;
}

export interface OpenMarkets {
  readonly venue: string;
  readonly part: number;
  /** Number of listings there whose contract is open for trading. */
  readonly markets: number;
}

/** The parts of all venues that have trading markets. */
export function listOpenMarkets(sql: Sql): Promise<OpenMarkets[]> {
  return sql<OpenMarkets[]>`
    select l.venue, l.part::int, count(*)::int as markets
    from listings l join contracts c using (contract_id)
    where l.part is not null and c.status = 'open' and not c.trading_closed
    group by l.venue, l.part order by l.venue, l.part`;
}

/** The parts with open markets on which our account has no money. Venues whose parts were never read are left out. */
export async function listEmptyParts(sql: Sql): Promise<OpenMarkets[]> {
  const rows = await sql<{ venue: string; part: number; funded: boolean }[]>`
    select venue, part::int, balance_micros > 0 as funded from venue_parts`;
  const funded = new Set(rows.filter((row) => row.funded).map(({ venue, part }) => `${venue} ${part}`));
  const open = rows.length === 0 ? [] : await listOpenMarkets(sql);
  return open.filter(({ venue, part }) => rows.some((row) => row.venue === venue) && !funded.has(`${venue} ${part}`));
}

interface RecordedWord extends Pick<UnknownWord, 'about' | 'word'> {
  readonly fresh: boolean;
}

/**
 * Records each word of a venue that this release does not know, and how often it was seen.
 * @returns the words that were never seen before
 */
export async function recordUnknownWords(
  sql: Sql,
  venue: string,
  words: readonly UnknownWord[],
): Promise<readonly RecordedWord[]> {
  const rows = await sql<RecordedWord[]>`
    insert into venue_unknown_words as w (venue, about, word, seen)
    select ${venue}, given.about, given.word, given.seen
    from json_to_recordset(${JSON.stringify(words)}::text::json) as given(about text, word text, seen bigint)
    order by given.about, given.word
    on conflict (venue, about, word) do update set seen = w.seen + excluded.seen, last_seen_at = now()
    returning about, word, first_seen_at = last_seen_at as fresh`;
  return rows.filter(({ fresh }) => fresh);
}

export interface SeenWord {
  readonly venue: string;
  readonly about: string;
  readonly word: string;
  readonly seen: string;
}

/** The words of the last seven days, the most frequent first for each venue. */
export function listUnknownWords(sql: Sql): Promise<SeenWord[]> {
  return sql<SeenWord[]>`
    select venue, about, word, seen::text from venue_unknown_words
    where last_seen_at > now() - interval '7 days' order by venue, seen desc, about, word`;
}

/**
 * Records whether the venue itself pauses trading now, for example for maintenance. Workers receive the news, and all processes read it.
 */
export async function recordPause(sql: Sql, venue: string, paused: boolean): Promise<void> {
  if (paused) {
    await sql`
      insert into venue_pauses as p (venue) values (${venue})
      on conflict (venue) do update set seen_at = excluded.seen_at,
        since = case when p.seen_at < clock_timestamp() - interval '1 minute' then excluded.since else p.since end`;
  } else {
    await sql`delete from venue_pauses where venue = ${venue}`;
  }
}

/** A resolved position that a venue pays once a support person has redeemed it. */
export interface WaitingRedemption extends Redeemable {
  readonly contractId: string | null;
  /** When its result was recorded in our books; null until then. */
  readonly resolvedAt: Date | null;
}

export interface Redemption {
  readonly listingId: string;
  /** Reference of the transaction by which it was redeemed. */
  readonly reference: string;
  readonly recordedBy: string;
  readonly recordedAt: Date;
}

/**
 * @param redeemable the positions that the venue reports as redeemable.
 * @returns the same positions with their contracts, in the same order
 */
export async function listWaitingRedemptions(
  sql: Sql,
  venue: string,
  redeemable: readonly Redeemable[],
): Promise<WaitingRedemption[]> {
  const rows = await sql<{ listingId: string; contractId: string; resolvedAt: Date | null }[]>`
    select l.listing_id, l.contract_id, c.resolved_at from listings l join contracts c using (contract_id)
    where l.venue = ${venue} and l.listing_id = any (${redeemable.map(({ listingId }) => listingId)}::text[])`;
  return redeemable.map((one) => {
    const row = rows.find(({ listingId }) => listingId === one.listingId);
    return { ...one, contractId: row?.contractId ?? null, resolvedAt: row?.resolvedAt ?? null };
  });
}

/**
 * Records the person who redeemed a position. A repeated reference records nothing.
 * @returns the stored record; undefined if the venue has no such listing
 */
export async function recordRedemption(
  sql: Sql,
  venue: string,
  { listingId, reference }: Pick<Redemption, 'listingId' | 'reference'>,
): Promise<Redemption | undefined> {
  await sql`
    insert into venue_redemptions (venue, listing_id, reference, recorded_by)
    select l.venue, l.listing_id, ${reference}, session_user from listings l
    where l.venue = ${venue} and l.listing_id = ${listingId}
    on conflict (venue, listing_id, reference) do nothing`;
  const [row] = await sql<Redemption[]>`
    select listing_id, reference, recorded_by, recorded_at from venue_redemptions
    where venue = ${venue} and listing_id = ${listingId} and reference = ${reference}`;
  return row;
}

/** Newest first, at most 1,000. */
export function listRedemptions(sql: Sql, venue: string): Promise<Redemption[]> {
  return sql<Redemption[]>`
    select listing_id, reference, recorded_by, recorded_at from venue_redemptions
    where venue = ${venue} order by recorded_at desc limit 1000`;
}

interface EarnedAtVenue {
  readonly venue: string;
  /** Slug of the operator whose orders earned it. */
  readonly operator: string;
  /** Month in UTC, for example `2026-11`. */
  readonly month: string;
  readonly fills: number;
  /** Price times quantity, in micro-dollars, rounded down fill by fill. */
  readonly tradedMicros: bigint;
  /** The whole fee of these fills. */
  readonly feeMicros: bigint;
  readonly earnedMicros: bigint;
}

/** The row as it is read: sums are text. */
type EarnedRow = {
  readonly [Name in keyof EarnedAtVenue]: EarnedAtVenue[Name] extends bigint ? string : EarnedAtVenue[Name];
};

/**
 * The service operator's earnings at venues, from the recorded fills: the parts of their fees that venues collect for the service.
 * @param from earliest time at which a fill was recorded, inclusive; null for no bound
 * @param to latest time, exclusive; null for no bound
 */
export async function earnedAtVenues(sql: Sql, from: Date | null, to: Date | null): Promise<EarnedAtVenue[]> {
  const rows = await sql<EarnedRow[]>`
    select sent.venue, operator.slug as operator, to_char(fill.filled_at at time zone 'UTC', 'YYYY-MM') as month,
      count(*)::integer as fills, sum(floor(fill.quantity_micros::numeric * fill.price_micros / 1000000))::text as traded_micros,
      sum(fill.fee_micros)::text as fee_micros, sum(fill.earned_micros)::text as earned_micros
    from order_fills fill
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
