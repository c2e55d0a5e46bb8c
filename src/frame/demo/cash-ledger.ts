/**
 * The cash ledger of the demo operator. It applies the instructions of the service as given, in whole cents, and computes no
 * price. Each fact is reported by a webhook and by the feed, in any order and possibly several times; it is booked once.
 * Pure, because its test loads no browser.
 */
import type { FeedItem } from '../../wire/feed.ts';
import type { OperatorMoney } from '../../wire/money.ts';
import type { WebhookEventType, WebhookPayload } from '../../wire/webhook.ts';

/** A delivery that the demo's server received with a valid signature. */
export type WebhookDelivery = {
  [T in WebhookEventType]: { readonly type: T; readonly dedupeKey: string; readonly data: WebhookPayload<T> };
}[WebhookEventType];

export interface LedgerLine {
  readonly id: string;
  readonly what: string;
  /** The field of the API that carries the instruction. */
  readonly instruction: string;
  /** The source that reported it first: `feed` or `webhook`, then the type. */
  readonly from: string;
  /** The change of the balance in cents, with its sign. */
  readonly cash: bigint;
  /** The change of the amount on hold in cents, with its sign. */
  readonly held: bigint;
}

/** Cents booked for one order so far. Reports are cumulative, so only the difference is booked. */
interface Booked {
  readonly reserved: bigint | null;
  readonly taken: bigint;
  readonly released: bigint;
  readonly credited: bigint;
  /** Exits reported by the feed, which are differences already. */
  readonly fed: bigint;
}

export interface CashLedger {
  readonly cash: bigint;
  readonly held: bigint;
  /** Newest first. */
  readonly lines: readonly LedgerLine[];
  readonly orders: Readonly<Record<string, Booked>>;
  /** Ids of positions whose settlement was booked, and of items of the feed that were. */
  readonly done: readonly string[];
}

export const OPENING: CashLedger = { cash: 100_000n, held: 0n, lines: [], orders: {}, done: [] };

const NOTHING: Booked = { reserved: null, taken: 0n, released: 0n, credited: 0n, fed: 0n };

/** @returns the ledger after one more item of the feed */
export function applyItem(ledger: CashLedger, item: FeedItem): CashLedger {
  const from = `feed ${item.type}`;
  const { orderId } = item;
  switch (item.type) {
    case 'order.state_changed': {
      if (item.money === null || orderId === null) {
        return ledger;
      }
      return bookOrder(ledger, orderId, item.money, item.detail.settlementState === 'settled', from);
    }
    case 'position.exited': {
      if (orderId === null || ledger.done.includes(item.id)) {
        return ledger;
      }
      const fed = (ledger.orders[orderId] ?? NOTHING).fed + cents(item.money.sellProceeds);
      return credit(put({ ...ledger, done: [...ledger.done, item.id] }, orderId, { fed }), orderId, fed, from);
    }
    case 'position.settled':
      return item.positionId === null
        ? ledger
        : settle(ledger, item.positionId, item.money, item.detail.outcome === 'void', from);
    default:
      return ledger;
  }
}

/** @returns the ledger after one more delivery. Fills are booked as they arrive; nothing is released before the order is final */
export function applyDelivery(ledger: CashLedger, event: WebhookDelivery): CashLedger {
  const from = `webhook ${event.type}`;
  switch (event.type) {
    case 'order.intent_recorded':
      return reserve(ledger, event.data.orderId, cents(event.data.authorizationAmount), from);
    case 'order.filled':
    case 'order.completed': {
      const { orderId, operatorMoney, operatorExitMoney, final } = event.data;
      if (operatorMoney !== null) {
        return bookOrder(ledger, orderId, operatorMoney, final !== false, from);
      }
      return operatorExitMoney === null ? ledger : credit(ledger, orderId, cents(operatorExitMoney.sellProceeds), from);
    }
    case 'order.rejected':
      return event.data.operatorMoney === null
        ? ledger
        : bookOrder(ledger, event.data.orderId, event.data.operatorMoney, true, from);
    case 'order.cancelled':
      return bookOrder(ledger, event.data.orderId, event.data, true, from);
    case 'position.settled':
      return settle(ledger, event.data.positionId, event.data.operatorMoney, event.data.outcome === 'void', from);
    default:
      return ledger;
  }
}

function bookOrder(
  ledger: CashLedger,
  orderId: string,
  money: Pick<OperatorMoney, 'authorizationAmount' | 'actualDebit' | 'releaseAmount'>,
  isFinal: boolean,
  from: string,
): CashLedger {
  let next = reserve(ledger, orderId, cents(money.authorizationAmount), from);
  const { taken, released } = next.orders[orderId] ?? NOTHING;
  const debit = cents(money.actualDebit);
  if (debit > taken) {
    next = post(next, 'Stake charged', 'actualDebit', from, taken - debit, taken - debit);
    next = put(next, orderId, { taken: debit });
  }
  const release = cents(money.releaseAmount);
  if (isFinal && release > released) {
    next = post(next, 'Unused stake released', 'releaseAmount', from, 0n, released - release);
    next = put(next, orderId, { released: release });
  }
  return next;
}

function reserve(ledger: CashLedger, orderId: string, amount: bigint, from: string): CashLedger {
  if (typeof ledger.orders[orderId]?.reserved === 'bigint') {
    return ledger;
  }
  const next = post(ledger, 'Stake put on hold', 'authorizationAmount', from, 0n, amount);
  return put(next, orderId, { reserved: amount });
}

/** @param proceeds total of the order so far, in cents */
function credit(ledger: CashLedger, orderId: string, proceeds: bigint, from: string): CashLedger {
  const { credited } = ledger.orders[orderId] ?? NOTHING;
  if (proceeds <= credited) {
    return ledger;
  }
  const next = post(ledger, 'Cash-out paid to the customer', 'sellProceeds', from, proceeds - credited, 0n);
  return put(next, orderId, { credited: proceeds });
}

function settle(
  ledger: CashLedger,
  positionId: string,
  money: { readonly settlementCredit: string; readonly voidCredit: string },
  isVoid: boolean,
  from: string,
): CashLedger {
  if (ledger.done.includes(positionId)) {
    return ledger;
  }
  const next = { ...ledger, done: [...ledger.done, positionId] };
  const won = cents(money.settlementCredit);
  if (won > 0n) {
    return post(next, 'Won: payout to the customer', 'settlementCredit', from, won, 0n);
  }
  return post(
    next,
    isVoid ? 'Annulled: stake refunded' : 'Lost: nothing to pay',
    'voidCredit',
    from,
    cents(money.voidCredit),
    0n,
  );
}

function put(ledger: CashLedger, orderId: string, change: Partial<Booked>): CashLedger {
  const booked = { ...NOTHING, ...ledger.orders[orderId], ...change };
  return { ...ledger, orders: { ...ledger.orders, [orderId]: booked } };
}

function post(
  ledger: CashLedger,
  what: string,
  instruction: string,
  from: string,
  cash: bigint,
  held: bigint,
): CashLedger {
  const line = { id: `${ledger.lines.length + 1}`, what, instruction, from, cash, held };
  return { ...ledger, cash: ledger.cash + cash, held: ledger.held + held, lines: [line, ...ledger.lines] };
}

/** Decimal text to cents. */
function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Cents to decimal text. */
export function dollars(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '−' : ''}$${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`;
}
