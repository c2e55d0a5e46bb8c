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

interface SentEntry extends JournalEntry {
  readonly operatorId: string;
}

/** What a command says of a row of the table `journal`; closed words are text here. */
export const JOURNAL_ENTRY = rowType<SentEntry>({
  operatorId: 'text',
  kind: 'text',
  items: 'smallint',
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

/** What a money statement takes: its commands and the rows of the journal as lists of JSON, and the number of each row's command. */
export interface Batch {
  readonly rows: string;
  readonly journal: string;
  /** From 1. */
  readonly commands: readonly number[];
}

/** @param type describes the command without its rows. */
export function packBatch<T extends JournalCommand>(type: RowType<WithoutJournal<T>>, commands: readonly T[]): Batch {
  const entries: string[] = [];
  const numbers: number[] = [];
  const rows = commands.map((command, index) => {
    const { operatorId, journal } = command;
    const number = index + 1;
    for (const entry of journal) {
      entries.push(JOURNAL_ENTRY.toJson({ ...entry, operatorId }));
      numbers.push(number);
    }
    return `{"number":${number}${type.members(command)}}`;
  });
  return { rows: `[${rows.join(',')}]`, journal: `[${entries.join(',')}]`, commands: numbers };
}
