/**
 * The items that an operator is shown for a row: which items there are, and the amounts of each, follow from the row and from the auditor's
 * books. Every difference is a finding. Pure.
 */
import type { FeedItemType } from '../core/terms.ts';
import { LINE_NAMES, lineText, nameWithin } from '../ledger/journal-row.ts';
import type { Charge } from './arithmetic.ts';
import {
  type AuditedOrder,
  type AuditedRow,
  type Books,
  type CheckName,
  ORDERS,
  SETTLEMENTS,
  type SettledRow,
} from './books.ts';
import { COLUMNS, dollars, find, nameOf } from './entries.ts';
import { chargeOf, isOpen, NO_CHARGE, TRANSITIONS } from './order-rules.ts';

/** Cents by name, or the text that is shown. */
type Amounts = Readonly<Record<string, bigint | string>>;
type Item = readonly [type: FeedItemType, amounts: Amounts];

const CHECK: Readonly<Record<FeedItemType, CheckName>> = {
  'order.state_changed': 'order_money',
  'order.filled': 'order_money',
  'ledger.posted': 'account_balance',
  'collateral.moved': 'account_balance',
  'fee.assessed': 'order_money',
  'position.exited': 'position_cost',
  'position.settled': 'settlement_amount',
  'webhook.emitted': 'order_money',
};

/** Judges the items of a row that has just been booked. */
export function judgeTold(books: Books, row: AuditedRow): void {
  const due = itemsOf(books, row);
  const { told } = row;
  const subject = row.orderId ?? row.positionId ?? `${row.sequence}`;
  if (row.items !== due.length) {
    const detail = `The ${row.kind} at ${row.sequence} takes ${row.items} positions of the feed, but has ${due.length} items.`;
    find(books, row, 'feed_gap', `${row.sequence}`, detail);
  }
  if (typeof told === 'string') {
    find(books, row, 'feed_gap', subject, `The ${row.kind} at ${row.sequence} cannot be rendered: ${told}`);
    return;
  }
  if (told.length !== due.length || due.some(([type], place) => told[place]?.type !== type)) {
    const tells = told.map(({ type }) => type).join(', ');
    find(books, row, 'feed_gap', subject, `The ${row.kind} at ${row.sequence} is shown as ${tells || 'no items'}.`);
    return;
  }
  for (const [place, [type, expected]] of due.entries()) {
    const wrong = differencesOf(expected, told[place]?.amounts ?? {});
    if (wrong.length > 0) {
      find(books, row, CHECK[type], subject, `Item ${type} at ${row.sequence} shows ${wrong.join(', ')}.`);
    }
  }
}

/** One text for each amount that is shown but does not follow, or follows but is not shown. */
function differencesOf(expected: Amounts, amounts: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(expected);
  const equal = names.length === Object.keys(amounts).length;
  if (equal && names.every((name) => amounts[name] === shown(expected[name]))) {
    return [];
  }
  return [...new Set([...names, ...Object.keys(amounts)])].flatMap((name) => {
    const follows = shown(expected[name]);
    return amounts[name] === follows
      ? []
      : [`${name} as ${amounts[name] ?? 'missing'}; ${follows ?? 'no amount'} follows`];
  });
}

const shown = (amount: bigint | string | undefined) => (typeof amount === 'bigint' ? dollars(amount) : amount);

/** The items of a row in their order. An overrun is not a fee of the order. */
function itemsOf(books: Books, row: AuditedRow): readonly Item[] {
  const order = books.orders.get(row.orderId ?? '') ?? ORDERS.empty;
  const executes = row.kind === 'order_executed' && Boolean(row.quantityMicros);
  const charges = row.kind !== 'overrun_posted';
  const event = eventOf(row, order, settlementOf(books, row));
  const items: readonly (Item | false | null | undefined | 0n)[] = [
    TRANSITIONS[row.kind] && ['order.state_changed', stateOf(order)],
    (executes || row.kind === 'order_filled') && ['order.filled', {}],
    COLUMNS.some((column) => row[column]) && ['ledger.posted', entryOf(books, row)],
    row.funds === 'collateral' && (row.available || row.held) && ['collateral.moved', movementOf(books, row)],
    charges && row.platformFees && ['fee.assessed', feeOf(row, 'platform', row.platformFees)],
    charges && row.venueFees && ['fee.assessed', feeOf(row, 'venue', row.venueFees)],
    (row.kind === 'contracts_sold' || (executes && order.action === 'sell')) && ['position.exited', exitOf(row)],
    row.kind === 'position_settled' && ['position.settled', paidBy(settlementOf(books, row))],
    event && ['webhook.emitted', event],
  ];
  return items.filter((item) => typeof item === 'object' && item !== null);
}

/** The amounts of the event that a row raises. An order that is executed as it is recorded raises one if it was filled. */
function eventOf(row: AuditedRow, order: AuditedOrder, settlement: SettledRow): Amounts | undefined {
  const { authorizationMinor } = order;
  switch (row.kind) {
    case 'order_recorded':
      return { authorizationAmount: authorizationMinor };
    case 'order_withdrawn':
      return taken(authorizationMinor, 0n);
    case 'order_executed':
      return row.quantityMicros ? filled(row, order, chargeOf(row)) : undefined;
    case 'order_filled': {
      const { fillTradeMinor: tradeMinor, fillPlatformFeeMinor: platformFeeMinor } = row;
      return filled(row, order, chargeOf({ tradeMinor, platformFeeMinor, venueFeeMinor: row.fillVenueFeeMinor }));
    }
    case 'order_ended': {
      const { releaseAmount = 0n } = spent(order, chargeOf(order));
      return row.status === 'rejected'
        ? within('operatorMoney', stateOf(order))
        : { ...traded(order, chargeOf(order)), releaseAmount };
    }
    case 'position_settled': {
      const { costBasisMinor, entryFeesMinor, realisedPnlMinor } = settlement;
      const { settlementCredit, voidCredit, ...profit } = paidBy(settlement);
      const payout = realisedPnlMinor + costBasisMinor;
      const credit = within('operatorMoney', { settlementCredit, voidCredit });
      return { costBasis: costBasisMinor, entryFees: entryFeesMinor, payout, ...profit, ...credit };
    }
    case 'resolution_changed':
      return {};
    default:
      return undefined;
  }
}

const feesOf = ({ platformFeeMinor, venueFeeMinor }: Charge) => ({
  platformFee: platformFeeMinor,
  venueFee: venueFeeMinor,
});
const feeSumOf = ({ platformFeeMinor, venueFeeMinor }: Charge) => platformFeeMinor + venueFeeMinor;

/** The debit out of an authorized amount, and the rest that is released. */
const taken = (authorizationMinor: bigint, debitMinor: bigint) => ({
  authorizationAmount: authorizationMinor,
  actualDebit: debitMinor,
  releaseAmount: authorizationMinor - debitMinor,
});

/** The block of a buy; empty for a sell. */
const spent = ({ action, authorizationMinor }: AuditedOrder, charge: Charge): Amounts =>
  action === 'buy'
    ? {
        ...taken(authorizationMinor, charge.tradeMinor + feeSumOf(charge)),
        tradeAmount: charge.tradeMinor,
        ...feesOf(charge),
      }
    : {};

/** Nothing is booked while an order is open. */
const stateOf = (order: AuditedOrder) => spent(order, isOpen(order) ? NO_CHARGE : chargeOf(order));

function within(block: string, amounts: Amounts): Amounts {
  const named: Record<string, bigint | string> = {};
  for (const [name, amount] of Object.entries(amounts)) {
    named[nameWithin(block, name)] = amount;
  }
  return named;
}

/** The amount that a fill or an order moved: the debit of a buy, the proceeds of a sell. */
const movedBy = ({ action }: AuditedOrder, charge: Charge): Amounts =>
  action === 'buy'
    ? { actualDebit: charge.tradeMinor + feeSumOf(charge) }
    : { sellProceeds: charge.tradeMinor - feeSumOf(charge) };

/** The order's money so far, also while nothing is booked. */
const traded = (order: AuditedOrder, charge: Charge): Amounts => ({
  ...within('operatorMoney', spent(order, charge)),
  ...(order.action === 'buy' ? {} : within('operatorExitMoney', { ...movedBy(order, charge), ...feesOf(charge) })),
});

/** @param own the charge that the fill adds */
const filled = (row: AuditedRow, order: AuditedOrder, own: Charge): Amounts => ({
  ...traded(order, chargeOf(row)),
  ...within('fillMoney', { tradeAmount: own.tradeMinor, ...feesOf(own), ...movedBy(order, own) }),
});

function entryOf(books: Books, row: AuditedRow): Amounts {
  const entry: Record<string, bigint | string> = {};
  let amount = 0n;
  const lines: string[] = [];
  for (const column of COLUMNS) {
    const moved = row[column];
    if (moved) {
      const account = nameOf(row, column);
      const debit = moved > 0n ? moved : 0n;
      const balance = books.accounts.get(account)?.balance ?? 0n;
      amount += debit;
      lines.push(lineText(account, dollars(debit), dollars(debit - moved), dollars(-balance)));
    }
  }
  entry['amount'] = amount;
  for (const [index, line] of lines.sort().entries()) {
    entry[LINE_NAMES[index] ?? ''] = line;
  }
  return entry;
}

/** The collateral movement of each kind of row. Exits and settlements, which are not listed, return collateral. */
const MOVES: Readonly<Record<string, string>> = {
  order_recorded: 'commit',
  reserve_confirmed: 'commit',
  order_withdrawn: 'release',
  authorization_released: 'release',
  contracts_bought: 'spend',
};

function movementOf(books: Books, row: AuditedRow): Amounts {
  const [free, held] = [-(row.available ?? 0n), row.held ?? 0n];
  const outside = free < 0n ? 'withdrawal' : 'deposit';
  const kind = row.kind === 'collateral_moved' ? outside : (MOVES[row.kind] ?? 'return');
  const amount = { commit: -free, withdrawal: -free, release: held, spend: held }[kind] ?? free;
  const after = (account: string) => -(books.accounts.get(`collateral:${account}`)?.balance ?? 0n);
  return { kind, amount, balanceAfter: after('available'), committedAfter: after('committed') };
}

/** A fee on a position that holds nothing any more lowers its profit. */
const feeOf = (row: AuditedRow, kind: string, credited: bigint): Amounts => ({
  kind,
  amount: -credited,
  ...(row.isLoss ? { realisedPnl: credited } : {}),
});

/** The amounts of an exit. Its cost was judged with the entry. */
function exitOf({ available, stakes, feeShareMinor, platformFees, venueFees }: AuditedRow): Amounts {
  const [proceeds, feeShare] = [-(available ?? 0n), feeShareMinor ?? 0n];
  const cost = (stakes ?? 0n) + feeShare;
  const fees = { platformFee: -(platformFees ?? 0n), venueFee: -(venueFees ?? 0n) };
  return { sellProceeds: proceeds, ...fees, costBasis: cost, entryFeeShare: feeShare, realisedPnl: proceeds - cost };
}

const NOTHING_SETTLED: SettledRow = {
  ...SETTLEMENTS.empty,
  costBasisMinor: 0n,
  entryFeesMinor: 0n,
  settlementCreditMinor: 0n,
  voidCreditMinor: 0n,
  realisedPnlMinor: 0n,
  lifetimeRealisedPnlMinor: 0n,
};

/** The settlement that the books have just made for the row; zeros if they refused it. */
function settlementOf({ settlements }: Books, { digits }: AuditedRow): SettledRow {
  const last = settlements.at(-1);
  return last?.settlementId === `stl_${digits}` ? last : NOTHING_SETTLED;
}

const paidBy = (settlement: SettledRow) => ({
  settlementCredit: settlement.settlementCreditMinor,
  voidCredit: settlement.voidCreditMinor,
  realisedPnl: settlement.realisedPnlMinor,
  lifetimeRealisedPnl: settlement.lifetimeRealisedPnlMinor,
});
