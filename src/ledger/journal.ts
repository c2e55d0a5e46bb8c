/** Rows of the journal as the money statements take them: beside the commands that they are recorded with. */
import { rowType } from '../db/row-type.ts';
import type { JournalEntry } from '../wire/journal.ts';

interface SentEntry extends JournalEntry {
  readonly operatorId: string;
}

/** What a command says of a row of the table `journal`: the view `journal_row`, in its order. Closed words are text here. */
export const JOURNAL_ENTRY = rowType<SentEntry>({
  operatorId: 'text',
  items: 'smallint',
  kind: 'text',
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
  feeBps: 'smallint',
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
  consideredVenues: 'smallint',
  scenarioId: 'text',
  fillNo: 'smallint',
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

/** Commands with the rows of the journal that are recorded with each, in their order. */
export interface JournalCommand {
  readonly operatorId: string;
  readonly journal: readonly JournalEntry[];
}

/** @returns the rows as an array of `journal_row`, and the number of each row's command, from 1. */
export function packJournal(commands: readonly JournalCommand[]): {
  readonly rows: string;
  readonly commands: number[];
} {
  const rows: SentEntry[] = [];
  const numbers: number[] = [];
  for (const [index, { operatorId, journal }] of commands.entries()) {
    for (const entry of journal) {
      rows.push({ ...entry, operatorId });
      numbers.push(index + 1);
    }
  }
  return { rows: JOURNAL_ENTRY.toArray(rows), commands: numbers };
}
