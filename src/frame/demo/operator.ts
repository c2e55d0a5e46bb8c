/**
 * The state of the demo operator: its customer, its presentation, its ledger and the messages that it received. It mints
 * sessions on its server and reads webhooks and feed; the page (host.tsx) shows it.
 */
import { signal } from '@preact/signals';
import type { FeedItem, FeedPage } from '../../wire/feed.ts';
import type { OperatorMoney } from '../../wire/money.ts';
import type { Position } from '../../wire/position.ts';
import type { WebhookEventType, WebhookPayload } from '../../wire/webhook.ts';

const POLL_MS = 1_500;

export const user = signal(sessionStorage.getItem('user') ?? newUser());

export const OPENING: CashLedger = { cash: 100_000n, held: 0n, lines: [], orders: {}, done: [] };

export const ledger = signal(OPENING);
export const positions = signal<readonly Position[]>([]);
export const sessionId = signal<string | null>(null);
export type Speaker = 'frame' | 'page' | 'webhook';
/** The latest messages of frame, page and webhooks, newest first. */
export const talk = signal<readonly { readonly id: number; readonly from: Speaker; readonly text: string }[]>([]);
let cursor: string | null = null;
/** Number of the last delivery that was processed. */
let heard = 0;
let said = 0;

export function newUser(): string {
  const name = `demo-${Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
  sessionStorage.setItem('user', name);
  return name;
}

export function note(from: Speaker, text: string): void {
  talk.value = [{ id: ++said, from, text }, ...talk.value].slice(0, 12);
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${path}: ${response.status}`);
  }
  return (await response.json()) as Answer;
}

/** @returns the token of a new session. */
export async function mint(): Promise<string> {
  const minted = await request<{ token: string; sessionId: string }>('POST', '/demo/session', { user: user.value });
  sessionId.value = minted.sessionId;
  return minted.token;
}

export async function revoke(): Promise<void> {
  await request('DELETE', `/demo/session/${sessionId.value}`).catch(() => {});
}

export async function resolve(positionId: string, resolution: 'WIN' | 'LOSS' | 'VOID'): Promise<void> {
  await request('POST', '/demo/resolutions', { user: user.value, positionId, resolution }).catch(() => {});
}

/** Reads webhooks and feed at an interval, for as long as the page is open. */
export async function follow(): Promise<void> {
  try {
    const mail = await request<{ events: (WebhookDelivery & { number: number })[]; last: number }>(
      'GET',
      `/demo/webhooks?${new URLSearchParams({ user: user.value, after: String(heard) })}`,
    );
    heard = mail.last;
    for (const event of mail.events) {
      ledger.value = applyDelivery(ledger.value, event);
      note('webhook', event.dedupeKey);
    }
    const query = new URLSearchParams({ user: user.value, ...(cursor !== null && { cursor }) });
    const state = await request<{
      positions: Position[];
      feed: Omit<FeedPage, 'nextCursor'> & { nextCursor: string | null };
    }>('GET', `/demo/state?${query}`);
    cursor = state.feed.nextCursor ?? cursor;
    positions.value = state.positions;
    for (const item of state.feed.items) {
      ledger.value = applyItem(ledger.value, item);
    }
  } catch {
    // The next poll asks again.
  }
  window.setTimeout(follow, POLL_MS);
}

// The demo operator's cash ledger: applies the instructions of the service as given, in whole cents, and computes no
// price. Each fact is reported twice, by a webhook and by the feed, in any order and possibly several times; it is
// booked once.

/** A delivery that the demo's server received with a valid signature. */
type WebhookDelivery = {
  [T in WebhookEventType]: { readonly type: T; readonly dedupeKey: string; readonly data: WebhookPayload<T> };
}[WebhookEventType];

export interface LedgerLine {
  readonly id: string;
  readonly what: string;
  /** The field of the API that carries the instruction. */
  readonly instruction: string;
  /** The source that reported it first: `feed` or `webhook`, and the type. */
  readonly from: string;
  /** Cents; signed. */
  readonly cash: bigint;
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
  /** Keys of facts that are booked once: a settlement of a position, an item of the feed. */
  readonly done: readonly string[];
}

const NOTHING: Booked = { reserved: null, taken: 0n, released: 0n, credited: 0n, fed: 0n };

/** Returns the ledger after one more item of the feed. */
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

/** Returns the ledger after one more delivery. Fills are booked as they arrive; nothing is released before the order is final. */
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

/** @param proceeds the total of the order so far. */
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
