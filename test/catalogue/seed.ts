/** A small catalogue in the real database, written by the statement that ingestion uses. */
import type { Sql } from '../../src/db/client.ts';

export interface SeedContract {
  readonly id: string;
  readonly label?: string;
  /** `[price in dollars, contracts]`, best first. */
  readonly bids?: readonly (readonly [number, number])[];
  readonly asks?: readonly (readonly [number, number])[];
  readonly volume24h?: number;
  readonly yesLabel?: string;
  readonly noLabel?: string;
  readonly teamAbbr?: string;
  readonly teamColor?: string;
  readonly fiveMinute?: boolean;
  readonly status?: string;
  readonly threshold?: number;
  readonly direction?: 'above' | 'below';
  readonly closesAt?: Date;
  readonly lastPrice?: number;
  readonly resolution?: 'YES' | 'NO' | 'VOID';
  readonly translations?: Record<string, { label: string | null; yesLabel?: string | null; noLabel?: string | null }>;
}

export interface SeedEvent {
  readonly id: string;
  readonly title?: string;
  readonly subtitle?: string;
  readonly category?: string;
  readonly categories?: readonly string[];
  readonly sport?: string;
  readonly league?: string;
  readonly eventType?: 'game' | 'future';
  readonly liveMatch?: Record<string, unknown>;
  readonly kind?: string;
  readonly opensAt?: Date;
  readonly closesAt?: Date;
  readonly volume?: number;
  readonly volume24h?: number;
  readonly imageSourceUrl?: string;
  readonly translations?: Record<string, { title: string | null; subtitle?: string | null }>;
  readonly contracts?: readonly SeedContract[];
}

const DAY = 86_400_000;
let sequence = 1;

const micros = (amount: number) => Math.round(amount * 1_000_000);
const inDays = (days: number) => new Date(Date.now() + days * DAY);

/** Writes events and books in one revision and tells the boards, as ingestion does. */
export async function seed(sql: Sql, events: readonly SeedEvent[]): Promise<void> {
  sequence += 1;
  const payload = {
    events: events.map((event) => eventValues(event)),
    contracts: events.flatMap((event) =>
      contractsOf(event).map((contract, position) => contractValues(event, contract, position)),
    ),
    books: events.flatMap((event) => contractsOf(event).flatMap((contract) => bookValues(contract))),
    feeds: [{ venue: 'paper', connected: true, session: 1, confirmed_at: new Date(), last_sync_at: new Date() }],
  };
  await ingest(sql, payload);
}

/** Confirms every book that was written here, as a heartbeat of the venue does. */
export async function confirmBooks(sql: Sql): Promise<void> {
  await ingest(sql, { feeds: [{ venue: 'paper', connected: true, session: 1, confirmed_at: new Date() }] });
}

/** Moves one book. */
export async function moveBook(sql: Sql, contract: SeedContract): Promise<void> {
  sequence += 1;
  await ingest(sql, { books: bookValues(contract) });
}

async function ingest(sql: Sql, payload: unknown): Promise<void> {
  const [row] = await sql<{ boardRevision: bigint }[]>`
    select board_revision from ingest_board(${JSON.stringify(payload)}::text::jsonb)`;
  await sql`select pg_notify('board', ${String(row?.boardRevision)})`;
}

function contractsOf(event: SeedEvent): readonly SeedContract[] {
  return event.contracts ?? [{ id: event.id, bids: [[0.4, 1000]], asks: [[0.45, 1000]] }];
}

function eventValues(event: SeedEvent): Record<string, unknown> {
  const category = event.category ?? 'politics';
  return {
    event_id: `evt_${event.id}`,
    slug: `slug-${event.id}`,
    rank: 0,
    digest: `d${sequence}`,
    title: event.title ?? `Event ${event.id}`,
    subtitle: event.subtitle ?? null,
    translations: event.translations ?? {},
    category,
    categories: event.categories ?? [category],
    sport: event.sport ?? null,
    league: event.league ?? null,
    event_type: event.eventType ?? null,
    live_match: event.liveMatch ?? null,
    image_source_url: event.imageSourceUrl ?? null,
    kind: event.kind ?? 'binary',
    implied_level_unit: null,
    opens_at: event.opensAt ?? inDays(-1),
    closes_at: event.closesAt ?? inDays(10),
    volume_micros: micros(event.volume ?? 1000),
    volume_24h_micros: micros(event.volume24h ?? 100),
  };
}

function contractValues(event: SeedEvent, contract: SeedContract, position: number): Record<string, unknown> {
  return {
    venue: 'paper',
    listing_id: contract.id,
    contract_id: `ctr_${contract.id}`,
    event_id: `evt_${event.id}`,
    category: event.category ?? 'politics',
    rank: 0,
    digest: `d${sequence}`,
    position,
    group_key: null,
    five_minute: contract.fiveMinute ?? false,
    closes_at: contract.closesAt ?? event.closesAt ?? inDays(10),
    venue_status: contract.status ?? 'open',
    label: contract.label ?? 'Yes',
    yes_label: contract.yesLabel ?? null,
    no_label: contract.noLabel ?? null,
    translations: contract.translations ?? {},
    team_logo_url: null,
    team_color: contract.teamColor ?? null,
    team_marks: null,
    team_abbr: contract.teamAbbr ?? null,
    sports_market_type: null,
    threshold: contract.threshold ?? null,
    direction: contract.direction ?? null,
    volume_micros: micros(1000),
    volume_24h_micros: micros(contract.volume24h ?? 10),
    last_price_micros: contract.lastPrice === undefined ? null : micros(contract.lastPrice),
    source_price_micros: null,
    resolution: contract.resolution ?? null,
    split_yes_micros: null,
    resolved_at: contract.resolution === undefined ? null : new Date(),
    fee_model: 'of_cost',
    fee_bps: 0,
    fee_known: true,
    fee_broker_bps: 0,
    minimum_minor: 100,
    minimum_quantity_micros: 1,
    quantity_step_micros: 1,
    tick_micros: 1,
  };
}

function bookValues(contract: SeedContract): Record<string, unknown>[] {
  const { bids, asks } = contract;
  if (bids === undefined && asks === undefined) {
    return [];
  }
  return [
    {
      venue: 'paper',
      listing_id: contract.id,
      bid_prices: (bids ?? []).map(([price]) => micros(price)),
      bid_sizes: (bids ?? []).map(([, size]) => micros(size)),
      ask_prices: (asks ?? []).map(([price]) => micros(price)),
      ask_sizes: (asks ?? []).map(([, size]) => micros(size)),
      feed: 'websocket',
      sequence,
      session: 1,
      updated_at: new Date(),
      confirmed_at: new Date(),
    },
  ];
}
