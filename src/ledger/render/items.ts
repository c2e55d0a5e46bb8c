/**
 * The feed items of a journal row, and the items as the feed and its log show them (contract chapters 21 and 24). Each kind
 * of row has its items in a fixed order; an item whose amount is zero is left out. Pure: two readers of one row write the
 * same bytes.
 */
import { encodeRegisterCursor } from '../../core/cursor.ts';
import type { FeedItemType } from '../../core/terms.ts';
import { fillExitMoney, orderMoneyBlock, settlementMoney, settlementState } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import { JOURNAL_KINDS, type JournalEntry, type JournalKind, type JournalRow } from '../journal-row.ts';
import { entryOf, hasEntry, itemIdOf, type LedgerEntry, secondItemIdOf } from './entry.ts';
import { eventNameOf, moneyOf, settlementOf } from './events.ts';

interface JournalItem {
  readonly type: FeedItemType;
  readonly id: string;
  readonly externalUserId: string | null;
  readonly positionId: string | null;
  readonly orderId: string | null;
  readonly money: object | null;
  readonly detail: object;
}

/** An item with its place in the feed. */
export interface PlacedItem extends JournalItem {
  readonly sequence: bigint;
  readonly occurredAt: string;
}

export function placedItems(row: JournalRow): PlacedItem[] {
  const occurredAt = row.recordedAt.toISOString();
  return itemsOf(row).map(({ type, id, externalUserId, positionId, orderId, money, detail }, place) => {
    const sequence = row.sequence + BigInt(place);
    return { type, id, externalUserId, positionId, orderId, money, detail, sequence, occurredAt };
  });
}

export interface PostedEntry extends LedgerEntry {
  readonly sequence: bigint;
  readonly recordedAt: Date;
}

/** The ledger entry of a row, with its place in the feed; null if the row moves no money. */
export function postedEntry(row: JournalRow): PostedEntry | null {
  const entry = entryOf(row);
  return entry && { ...entry, sequence: row.sequence + BigInt(placeOfEntry(row)), recordedAt: row.recordedAt };
}

/** The number of items before the ledger entry of a row; -1 if it has none. */
const placeOfEntry = (row: JournalEntry): number => partsOf(row).indexOf('entry');

/** The purpose of a feed cursor: the operator and the register, never the filters (contract 21.2). */
export const feedPurpose = (operatorId: string): string => `feed:${operatorId}`;

/** The place of a settlement in the feed, which is the cursor of its register. Its event follows it. */
export const placeOfSettlement = ({ sequence, items }: Pick<JournalRow, 'sequence' | 'items'>): bigint =>
  sequence + BigInt(items) - 2n;

/** The item as it is sent, with the cursor that resumes right after it. */
export function feedItemJson(item: PlacedItem, operatorId: string, epoch: number): string {
  const cursor = encodeRegisterCursor(feedPurpose(operatorId), { sequence: item.sequence, epoch });
  return `{"id":"${item.id}","type":"${item.type}","cursor":"${cursor}",${restOf(item)}`;
}

/** The item without its cursor, as the log of the feed proves it. */
export const leafJson = (item: PlacedItem): string => `{"id":"${item.id}","type":"${item.type}",${restOf(item)}`;

const restOf = ({ sequence, occurredAt, externalUserId, positionId, orderId, money, detail }: PlacedItem): string =>
  `"sequence":${sequence},${JSON.stringify({ occurredAt, externalUserId, positionId, orderId, money, detail }).slice(1)}`;

/** The kinds of rows that may have an item of one of these types. */
export function kindsWith(types: readonly FeedItemType[]): JournalKind[] {
  return JOURNAL_KINDS.filter((kind) => PARTS[kind].some((part) => types.includes(TYPES[part])));
}

/** How many positions of the feed the row takes. */
export function countItems(row: Omit<JournalEntry, 'items'>): number {
  return partsOf({ ...row, items: 0 }).length;
}

/**
 * @param row if it is not recorded yet, balances are null
 * @returns its items, in the order of their positions
 */
export function itemsOf(row: JournalEntry & Partial<JournalRow>): JournalItem[] {
  return partsOf(row).map((part) => RENDER[part](row));
}

type Part = 'state' | 'fill' | 'entry' | 'collateral' | 'platform_fee' | 'venue_fee' | 'exit' | 'settlement' | 'event';

const PARTS: Record<JournalKind, readonly Part[]> = {
  order_executed: ['state', 'fill', 'entry', 'collateral', 'platform_fee', 'venue_fee', 'exit', 'event'],
  order_recorded: ['state', 'entry', 'collateral', 'event'],
  reserve_confirmed: ['state', 'entry', 'collateral'],
  order_withdrawn: ['state', 'entry', 'collateral', 'event'],
  order_sent: ['state'],
  order_answered: ['state'],
  order_filled: ['fill', 'event'],
  contracts_bought: ['entry', 'collateral', 'platform_fee', 'venue_fee'],
  contracts_sold: ['entry', 'collateral', 'platform_fee', 'venue_fee', 'exit'],
  overrun_posted: ['entry'],
  authorization_released: ['entry', 'collateral'],
  order_ended: ['event'],
  position_settled: ['entry', 'collateral', 'settlement', 'event'],
  wallet_funded: ['entry'],
  collateral_moved: ['entry', 'collateral'],
  resolution_changed: ['event'],
};

const TYPES: Record<Part, FeedItemType> = {
  state: 'order.state_changed',
  fill: 'order.filled',
  entry: 'ledger.posted',
  collateral: 'collateral.moved',
  platform_fee: 'fee.assessed',
  venue_fee: 'fee.assessed',
  exit: 'position.exited',
  settlement: 'position.settled',
  event: 'webhook.emitted',
};

const partsOf = (row: JournalEntry): Part[] => PARTS[row.kind].filter((part) => isPresent(part, row));

function isPresent(part: Part, row: JournalEntry): boolean {
  switch (part) {
    case 'fill':
      return Boolean(row.quantityMicros);
    case 'exit':
      return row.action === 'sell' && Boolean(row.quantityMicros);
    case 'entry':
      return hasEntry(row);
    case 'collateral':
      return collateralChange(row) !== null;
    case 'platform_fee':
      return Boolean(row.platformFees);
    case 'venue_fee':
      return Boolean(row.venueFees);
    case 'event':
      return eventNameOf(row) !== null;
    default:
      return true;
  }
}

type Recorded = JournalEntry & Partial<JournalRow>;

const RENDER: Record<Part, (row: Recorded) => JournalItem> = {
  state: stateChanged,
  fill: (row) =>
    item('order.filled', itemIdOf('fil', row), row, null, {
      quantity: millionths(row.quantityMicros),
      price: millionths(row.priceMicros),
      side: row.side,
      executionRef: row.executionRef,
    }),
  entry: posted,
  collateral: collateralMoved,
  platform_fee: (row) =>
    feeAssessed(row, 'platform', itemIdOf('fee', row), -(row.platformFees ?? 0n), row.feeBps ?? null),
  venue_fee: (row) =>
    feeAssessed(row, 'venue', (row.platformFees ? secondItemIdOf : itemIdOf)('fee', row), -(row.venueFees ?? 0n), null),
  exit: positionExited,
  settlement: positionSettled,
  event: (row) => {
    const event = eventNameOf(row);
    return item('webhook.emitted', itemIdOf('evn', row), row, null, {
      eventType: event?.type,
      dedupeKey: event?.dedupeKey,
    });
  },
};

function item(type: FeedItemType, id: string, row: Recorded, money: object | null, detail: object): JournalItem {
  const { externalUserId = null, positionId = null, orderId = null } = row;
  return { type, id, externalUserId, positionId, orderId, money, detail };
}

/** Both states are equal if only transmission or final money changed (contract 21.8). */
function stateChanged(row: Recorded): JournalItem {
  const money = moneyOf(row);
  return item('order.state_changed', itemIdOf('chg', row), row, orderMoneyBlock(money), {
    fromState: row.fromStatus ?? null,
    toState: row.status,
    reason: row.reason ?? null,
    side: row.side,
    action: row.action,
    orderStatus: row.status,
    simulated: row.simulated,
    executionRef: row.executionRef,
    settlementState: settlementState(money),
    transmissionState: row.transmissionState,
    clientOrderId: row.clientOrderId,
    contractId: row.contractId,
  });
}

function posted(row: Recorded): JournalItem {
  const entry = entryOf(row);
  const lines = entry?.lines ?? [];
  const debits = lines.reduce((sum, { amountMinor }) => (amountMinor > 0n ? sum + amountMinor : sum), 0n);
  const money = {
    currency: 'USD',
    amount: formatMinor(debits),
    lines: lines.map(({ accountId, amountMinor }) =>
      amountMinor > 0n
        ? { accountId, debit: formatMinor(amountMinor), credit: '0.00' }
        : { accountId, debit: '0.00', credit: formatMinor(-amountMinor) },
    ),
  };
  const detail = {
    movementType: entry?.movementType,
    memo: entry?.memo,
    referenceType: entry?.referenceType,
    referenceId: entry?.referenceId,
    correctsEntryId: null,
    ...(entry?.effectiveAt ? { effectiveAt: entry.effectiveAt.toISOString() } : {}),
  };
  return { ...item('ledger.posted', itemIdOf('ent', row), row, money, detail), positionId: null };
}

const COLLATERAL_MEMOS = {
  commit: 'Collateral committed to an order',
  release: 'Committed collateral released',
  spend: 'Committed collateral spent on contracts',
  return: 'Collateral returned by contracts',
  deposit: 'Collateral deposited',
  withdrawal: 'Collateral withdrawn',
} as const;

/** The effect of the entry on the operator's collateral: the kind of the movement, and cents. */
function collateralChange(row: JournalEntry): { kind: keyof typeof COLLATERAL_MEMOS; amountMinor: bigint } | null {
  if (row.funds !== 'collateral') {
    return null;
  }
  const { available, held, other } = row;
  switch (row.kind) {
    case 'order_recorded':
    case 'reserve_confirmed':
      return available ? { kind: 'commit', amountMinor: available } : null;
    case 'order_withdrawn':
    case 'authorization_released':
      return held ? { kind: 'release', amountMinor: held } : null;
    case 'contracts_bought':
      return held ? { kind: 'spend', amountMinor: held } : null;
    case 'contracts_sold':
    case 'position_settled':
      return available ? { kind: 'return', amountMinor: -available } : null;
    case 'collateral_moved':
      if (!other || row.otherAccount !== 'deposits') {
        return null;
      }
      return other > 0n ? { kind: 'deposit', amountMinor: other } : { kind: 'withdrawal', amountMinor: -other };
    default:
      return null;
  }
}

function collateralMoved(row: Recorded): JournalItem {
  const { kind, amountMinor } = collateralChange(row) ?? { kind: 'return', amountMinor: 0n };
  const money = {
    currency: 'USD',
    amount: formatMinor(amountMinor),
    balanceAfter: formatMinor(-(row.availableAfter ?? 0n)),
    committedAfter: formatMinor(-(row.heldAfter ?? 0n)),
  };
  return item('collateral.moved', itemIdOf('mov', row), row, money, {
    kind,
    memo: COLLATERAL_MEMOS[kind],
    ledgerEntryId: itemIdOf('ent', row),
  });
}

/** A fee of a position that holds nothing any more lowers its profit (contract 13.13). */
function feeAssessed(
  row: Recorded,
  kind: 'platform' | 'venue',
  id: string,
  amountMinor: bigint,
  bps: number | null,
): JournalItem {
  const loss = row.isLoss ? { realisedPnl: formatMinor(-amountMinor) } : {};
  return item('fee.assessed', id, row, { currency: 'USD', amount: formatMinor(amountMinor) }, { kind, bps, ...loss });
}

function positionExited(row: Recorded): JournalItem {
  const proceedsMinor = -(row.available ?? 0n);
  const feeShareMinor = row.feeShareMinor ?? 0n;
  const costShareMinor = (row.stakes ?? 0n) + feeShareMinor;
  const fees = { platformFeeMinor: -(row.platformFees ?? 0n), venueFeeMinor: -(row.venueFees ?? 0n) };
  return item('position.exited', itemIdOf('exi', row), row, fillExitMoney({ proceedsMinor, ...fees }), {
    side: row.side,
    quantity: millionths(row.quantityMicros),
    quantityRemaining: millionths(row.remainingQuantityMicros),
    exitPrice: millionths(row.priceMicros),
    entryPrice: millionths(row.entryPriceMicros),
    simulated: row.simulated,
    venueAgrees: row.venueAgrees ?? null,
    venueFeeKnown: true,
    costBasis: formatMinor(costShareMinor),
    entryFeeShare: formatMinor(feeShareMinor),
    realisedPnl: formatMinor(proceedsMinor - costShareMinor),
    executionRef: row.executionRef,
    contractId: row.contractId,
  });
}

function positionSettled(row: Recorded): JournalItem {
  const { costBasisMinor, creditMinor, settlementCreditMinor, voidCreditMinor } = settlementOf(row);
  const money = settlementMoney({ settlementCreditMinor, voidCreditMinor });
  return item('position.settled', itemIdOf('stl', row), row, money, {
    resolution: row.resolution,
    side: row.side,
    contracts: millionths(row.quantityMicros),
    realisedPnl: formatMinor(creditMinor - costBasisMinor),
    lifetimeRealisedPnl: formatMinor(row.lifetimePnlMinor ?? 0n),
    outcome: row.outcome,
    contractId: row.contractId,
  });
}

/** Millionths of contracts or of a dollar, as a number of the wire. */
const millionths = (micros: bigint | null | undefined): number => jsonNumber(micros ?? 0n, MICRO_SCALE);
