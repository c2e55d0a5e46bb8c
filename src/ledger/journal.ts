/** The journal as the money statements take it: numbered commands, and apart from them the rows that are recorded with each. */
import { type RowType, rowType } from '../db/row-type.ts';
import type { JournalEntry } from '../wire/journal.ts';

/** What every command that the journal records says of itself. */
export interface JournalCommand {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly orderId: string;
  /** Recorded with the command, in this order. */
  readonly journal: readonly JournalEntry[];
}

/** The command without its rows, which are sent apart from it. */
export type WithoutJournal<T extends JournalCommand> = Omit<T, 'journal'>;

/** A row with the number of its command, and its own number in the batch; both from 1. */
interface SentEntry extends JournalEntry {
  readonly command: number;
  readonly ord: number;
  readonly operatorId: string;
}

export const JOURNAL_ENTRY = rowType<SentEntry>({
  command: 'integer',
  ord: 'integer',
  operatorId: 'text',
  kind: 'text',
  items: 'integer',
  externalUserId: 'text',
  orderId: 'text',
  positionId: 'text',
  contractId: 'text',
  digits: 'text',
  side: 'text',
  action: 'text',
  status: 'text',
  fromStatus: 'text',
  transmissionState: 'text',
  simulated: 'boolean',
  clientOrderId: 'text',
  executionRef: 'text',
  feeBps: 'integer',
  authorizationMinor: 'bigint',
  tradeMinor: 'bigint',
  platformFeeMinor: 'bigint',
  venueFeeMinor: 'bigint',
  venueFeeKnown: 'boolean',
  filledQuantity: 'bigint',
  priceWeight: 'numeric',
  quoteId: 'text',
  intent: 'text',
  quotedPriceMicros: 'bigint',
  slippageMicros: 'bigint',
  quotedFeeMinor: 'bigint',
  quotedTradeMinor: 'bigint',
  quotedQuantity: 'bigint',
  venue: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  scenarioId: 'text',
  fillNo: 'integer',
  quantity: 'bigint',
  priceMicros: 'bigint',
  fillTradeMinor: 'bigint',
  fillPlatformFeeMinor: 'bigint',
  fillVenueFeeMinor: 'bigint',
  fillFeeKnown: 'boolean',
  fillFeeMicros: 'bigint',
  partial: 'boolean',
  feeShareMinor: 'bigint',
  remainingQuantity: 'bigint',
  entryPriceMicros: 'bigint',
  venueAgrees: 'boolean',
  isLoss: 'boolean',
  resolution: 'text',
  yesWorthMicros: 'bigint',
  resolutionVersion: 'integer',
  outcome: 'text',
  lifetimePnlMinor: 'bigint',
  funds: 'text',
  otherAccount: 'text',
  available: 'bigint',
  held: 'bigint',
  stakes: 'bigint',
  result: 'bigint',
  platformFees: 'bigint',
  venueFees: 'bigint',
  other: 'bigint',
  correctsEntryId: 'text',
  correctsKind: 'text',
  effectiveAt: 'timestamp with time zone',
  reason: 'text',
  cancellationId: 'text',
  memo: 'text',
  reference: 'text',
  detail: 'json',
});

/** @param type describes the command without its rows. */
export function packBatch<T extends JournalCommand>(
  type: RowType<WithoutJournal<T>>,
  commands: readonly T[],
): { readonly rows: string; readonly journal: string } {
  const entries: string[] = [];
  const rows = commands.map((command, index) => {
    const { operatorId, journal } = command;
    const number = index + 1;
    for (const entry of journal) {
      entries.push(JOURNAL_ENTRY.toJson({ ...entry, command: number, ord: entries.length + 1, operatorId }));
    }
    return `{"number":${number}${type.members(command)}}`;
  });
  return { rows: `[${rows.join(',')}]`, journal: `[${entries.join(',')}]` };
}
