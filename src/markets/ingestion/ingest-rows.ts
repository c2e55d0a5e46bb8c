/** The rows that `ingest_board` takes, field by field. */

import { rowType } from '../../db/row-type.ts';
import type { FeeSchedule, VenueBook, VenueEvent, VenueMarket, VenueResolution } from '../../venues/listing.ts';
import type { PublicRules } from './public-rules.ts';

type EventFacts = Omit<VenueEvent, 'groupKey' | 'status' | 'markets' | 'imageUrl'>;

/** `rank` is the place of the venue in the deployment's list. */
export interface IngestedEvent extends EventFacts {
  readonly rank: number;
  readonly imageSourceUrl: string | null;
}

type MarketFacts = Omit<
  VenueMarket,
  | 'status'
  | 'rules'
  | 'sources'
  | 'resolvesAt'
  | 'opensAt'
  | 'teamMarks'
  | 'resolution'
  | 'fee'
  | 'volumeMicros'
  | 'volume24hMicros'
>;

/** A contract and its listing. `position` is the place of the market in its event, from 0. */
export interface IngestedContract extends MarketFacts {
  readonly venue: string;
  readonly contractId: string;
  readonly category: string;
  readonly rank: number;
  readonly position: number;
  readonly venueStatus: VenueMarket['status'];
  readonly teamMarks: readonly string[] | null;
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  readonly resolution: VenueResolution['outcome'] | null;
  readonly splitYesMicros: bigint | null;
  readonly resolvedAt: Date | null;
  readonly feeModel: FeeSchedule['model'];
  readonly feeBps: number;
  readonly feeKnown: boolean;
  readonly feeBrokerBps: number;
  readonly minimumMinor: bigint;
  readonly minimumQuantityMicros: bigint;
  readonly quantityStepMicros: bigint;
  readonly terms: string;
  readonly wording: object;
  readonly rules: PublicRules | null;
}

export interface BookRow {
  readonly venue: string;
  readonly listingId: string;
  readonly bidPrices: readonly number[];
  readonly bidSizes: readonly number[];
  readonly askPrices: readonly number[];
  readonly askSizes: readonly number[];
  readonly feed: VenueBook['feed'];
  readonly sequence: bigint;
  readonly session: number;
  readonly updatedAt: Date;
  /** On the clock of this process, like `VenueFeedState.confirmedAt`. */
  readonly confirmedAt: Date;
  readonly tradedMicros: bigint | null;
  readonly tradedPriceMicros: bigint | null;
}

/** The price of the coin that an event is about, in dollars. */
export interface CoinRow {
  readonly eventId: string;
  readonly at: Date;
  readonly coinPrice: number;
}

export interface VenueFeedState {
  readonly venue: string;
  readonly connected: boolean;
  /** The connection, identified by the millisecond of its first books; null leaves the stored value. */
  readonly session: number | null;
  /** On the clock of this process. */
  readonly confirmedAt: Date | null;
  readonly lastSyncAt: Date | null;
}

export const EVENT_ROW = rowType<IngestedEvent>({
  eventId: 'text',
  slug: 'text',
  rank: 'smallint',
  title: 'text',
  subtitle: 'text',
  translations: 'jsonb',
  category: 'text',
  categories: 'text[]',
  sport: 'text',
  league: 'text',
  eventType: 'text',
  liveMatch: 'jsonb',
  imageSourceUrl: 'text',
  kind: 'text',
  levelFormat: 'text',
  opensAt: 'timestamp with time zone',
  closesAt: 'timestamp with time zone',
  volumeMicros: 'bigint',
  volume24hMicros: 'bigint',
});

export const CONTRACT_ROW = rowType<IngestedContract>({
  venue: 'text',
  listingId: 'text',
  contractId: 'text',
  eventId: 'text',
  category: 'text',
  rank: 'smallint',
  position: 'integer',
  groupKey: 'text',
  fiveMinute: 'boolean',
  closesAt: 'timestamp with time zone',
  venueStatus: 'text',
  label: 'text',
  yesLabel: 'text',
  noLabel: 'text',
  translations: 'jsonb',
  teamLogoUrl: 'text',
  teamColor: 'text',
  teamMarks: 'text[]',
  teamAbbr: 'text',
  sportsMarketType: 'text',
  threshold: 'numeric',
  direction: 'text',
  volumeMicros: 'bigint',
  volume24hMicros: 'bigint',
  lastPriceMicros: 'bigint',
  resolution: 'text',
  splitYesMicros: 'bigint',
  resolvedAt: 'timestamp with time zone',
  feeModel: 'text',
  feeBps: 'integer',
  feeKnown: 'boolean',
  feeBrokerBps: 'integer',
  minimumMinor: 'bigint',
  minimumQuantityMicros: 'bigint',
  quantityStepMicros: 'bigint',
  tickMicros: 'bigint',
  part: 'smallint',
  terms: 'text',
  wording: 'jsonb',
  rules: 'jsonb',
});

export const BOOK_ROW = rowType<BookRow>({
  venue: 'text',
  listingId: 'text',
  bidPrices: 'bigint[]',
  bidSizes: 'bigint[]',
  askPrices: 'bigint[]',
  askSizes: 'bigint[]',
  feed: 'text',
  sequence: 'bigint',
  session: 'bigint',
  updatedAt: 'timestamp with time zone',
  confirmedAt: 'timestamp with time zone',
  tradedMicros: 'bigint',
  tradedPriceMicros: 'bigint',
});

export const COIN_ROW = rowType<CoinRow>({
  eventId: 'text',
  at: 'timestamp with time zone',
  coinPrice: 'numeric',
});

export const VENUE_FEED_STATE = rowType<VenueFeedState>({
  venue: 'text',
  connected: 'boolean',
  session: 'bigint',
  confirmedAt: 'timestamp with time zone',
  lastSyncAt: 'timestamp with time zone',
});
