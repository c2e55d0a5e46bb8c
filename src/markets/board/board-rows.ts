/** What the database says of the catalogue and the books, in one snapshot, as rows that boards apply. Reads only. */
import type { Resolution } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { FeedKind, MarketStatus } from '../contract.ts';
import type { BoardEvent, LiveMatch } from '../event.ts';

export interface EventRow {
  readonly eventId: string;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly translations: BoardEvent['translations'];
  readonly category: string;
  readonly categories: readonly string[];
  readonly sport: string | null;
  readonly league: string | null;
  readonly eventType: 'game' | 'future' | null;
  readonly liveMatch: LiveMatch | null;
  readonly imageSourceUrl: string | null;
  readonly kind: BoardEvent['kind'];
  readonly levelFormat: string | null;
  readonly opensAt: string;
  readonly closesAt: string;
  readonly updatedAt: string;
  readonly volumeMicros: string;
  readonly volume24hMicros: string;
  readonly revision: string;
}

export interface ContractRow {
  readonly contractId: string;
  readonly eventId: string;
  readonly category: string;
  readonly status: MarketStatus;
  readonly tradingClosed: boolean;
  readonly fiveMinute: boolean;
  readonly closesAt: string;
  readonly resolution: Resolution | null;
  readonly splitYesMicros: string | null;
  readonly resolvedAt: string | null;
  readonly groupKey: string | null;
  /** Its YES is the NO of its group. */
  readonly inverse: boolean;
  readonly verified: boolean;
  readonly position: number;
  readonly label: string;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
  readonly translations: Readonly<
    Record<string, { label: string | null; yesLabel: string | null; noLabel: string | null }>
  >;
  readonly teamLogoUrl: string | null;
  readonly teamColor: string | null;
  readonly teamMarks: readonly string[] | null;
  readonly teamAbbr: string | null;
  readonly sportsMarketType: string | null;
  readonly threshold: string | null;
  readonly direction: 'above' | 'below' | null;
  readonly volumeMicros: string;
  readonly volume24hMicros: string;
  readonly lastPriceMicros: string | null;
  readonly sourcePriceMicros: string | null;
  readonly price24hAgoMicros: string | null;
  readonly updatedAt: string;
  readonly revision: string;
}

/** Arrays have PostgreSQL's text format, `{1,2}`. */
export interface ListingRow {
  readonly venue: string;
  readonly listingId: string;
  readonly contractId: string;
  readonly rank: number;
  readonly bidPrices: string;
  readonly bidSizes: string;
  readonly askPrices: string;
  readonly askSizes: string;
  readonly feed: FeedKind;
  readonly session: string;
  readonly updatedAt: string | null;
  readonly confirmedAt: string | null;
  readonly bookRevision: string;
  readonly feeModel: 'of_cost' | 'of_variance';
  readonly feeBps: number;
  readonly feeKnown: boolean;
  readonly feeBrokerBps: number;
  readonly minimumMinor: string;
  readonly minimumQuantityMicros: string;
  readonly quantityStepMicros: string;
  readonly tickMicros: string;
  readonly part: number | null;
  readonly tradedMicros: string | null;
  readonly tradedPriceMicros: string | null;
  readonly revision: string;
}

export interface FeedRow {
  readonly venue: string;
  readonly connected: boolean;
  readonly retired: boolean;
  readonly session: string;
  readonly confirmedAt: string | null;
  readonly lastSyncAt: string | null;
  readonly stopped: boolean;
  readonly cashMicros: string | null;
  readonly parts: readonly { readonly part: number; readonly cashMicros: string; readonly paused: boolean }[];
}

export interface BoardRows {
  /** The revision of this snapshot as decimal text. */
  readonly revision: string;
  /** The time of the snapshot on the database's clock. */
  readonly at: string;
  readonly events: readonly EventRow[];
  readonly contracts: readonly ContractRow[];
  readonly listings: readonly ListingRow[];
  readonly feeds: readonly FeedRow[];
}

const DAY_MS = 86_400_000;
/** How long resolved contracts remain on boards. More than a thousand five-minute contracts resolve every day. */
export const KEEP_RESOLVED_MS = 30 * DAY_MS;
export const KEEP_RESOLVED_SHORT_MS = DAY_MS;

/** @param since null reads everything that boards keep, otherwise only rows of later revisions */
export async function readBoardRows(sql: Sql, since: bigint | null, now: Date): Promise<BoardRows> {
  const [row] = await sql<{ rows: BoardRows }[]>`
    select read_board(${since}, ${new Date(now.getTime() - KEEP_RESOLVED_MS)},
      ${new Date(now.getTime() - KEEP_RESOLVED_SHORT_MS)}) as rows`;
  return (row as { rows: BoardRows }).rows;
}
