/** The demo operator's cash ledger: applies the instructions of the service as given, in whole cents, and computes no price. */
import type { FeedItem } from '../../wire/feed.ts';

export interface LedgerLine {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  /** The field of the instruction. */
  readonly instruction: string;
  /** Cents; signed. */
  readonly cash: bigint;
  readonly held: bigint;
}

export interface CashLedger {
  readonly cash: bigint;
  readonly held: bigint;
  readonly lines: readonly LedgerLine[];
  /** Cents that stand reserved, by order. */
  readonly holds: Readonly<Record<string, bigint>>;
}

export const OPENING: CashLedger = { cash: 100_000n, held: 0n, lines: [], holds: {} };

const FINAL = ['filled', 'rejected', 'cancelled'];

/** The ledger after one more item of the feed. Items come in order, each once. */
export function apply(ledger: CashLedger, item: FeedItem): CashLedger {
  switch (item.type) {
    case 'order.state_changed':
      return item.money === null || item.orderId === null ? ledger : applyOrder(ledger, item, item.orderId);
    case 'position.exited':
      return post(ledger, item, 'Cash-out', 'sellProceeds', cents(item.money.sellProceeds), 0n);
    case 'position.settled':
      return item.money.settlementCredit !== '0.00'
        ? post(ledger, item, 'Settlement, won', 'settlementCredit', cents(item.money.settlementCredit), 0n)
        : post(
            ledger,
            item,
            item.detail.outcome === 'void' ? 'Settlement, void' : 'Settlement, lost',
            'voidCredit',
            cents(item.money.voidCredit),
            0n,
          );
    default:
      return ledger;
  }
}

function applyOrder(
  ledger: CashLedger,
  item: Extract<FeedItem, { type: 'order.state_changed' }>,
  orderId: string,
): CashLedger {
  if (item.money === null) return ledger;
  let next = ledger;
  if (item.detail.fromState === null) {
    const reserved = cents(item.money.authorizationAmount);
    next = post(next, item, 'Stake reserved', 'authorizationAmount', 0n, reserved);
    next = { ...next, holds: { ...next.holds, [orderId]: reserved } };
  }
  const { orderStatus, simulated } = item.detail;
  const hold = next.holds[orderId];
  if (hold === undefined || !(FINAL.includes(orderStatus) || (simulated && orderStatus === 'partially_filled')))
    return next;
  const taken = cents(item.money.actualDebit);
  const released = cents(item.money.releaseAmount);
  if (taken > 0n) next = post(next, item, 'Stake taken', 'actualDebit', -taken, -taken);
  if (released > 0n) next = post(next, item, 'Given back', 'releaseAmount', 0n, -released);
  const { [orderId]: _done, ...holds } = next.holds;
  return { ...next, holds };
}

function post(
  ledger: CashLedger,
  item: FeedItem,
  what: string,
  instruction: string,
  cash: bigint,
  held: bigint,
): CashLedger {
  const line = { id: `${item.sequence}-${instruction}`, at: item.occurredAt, what, instruction, cash, held };
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
