/**
 * An order at the paper venue: how it is filled from a book, and how the script of its contract changes that. Amounts
 * are integers, and products of them are computed as bigint.
 */
import type { Side } from '../../core/terms.ts';
import { type Level as LadderLevel, takeLevels } from '../../exchange/ladder.ts';
import type { Level, PaperContract } from '../catalogue/event.ts';
import type { Exchange } from '../market/exchange.ts';
import { DOLLAR } from '../micros.ts';

export interface PaperFill {
  fillId: string;
  quantity: number;
  /** The price of the traded side. */
  price: number;
  /** Millionths of a dollar; null until the fee is known. */
  fee: number | null;
  at: number;
}

export interface OrderRequest {
  ourId: string;
  listingId: string;
  side: Side;
  action: 'BUY' | 'SELL';
  quantity: number;
  limitPrice: number;
  maxCost: number | null;
  expiresAt: number;
}

export interface PaperOrder extends OrderRequest {
  orderId: string;
  state: 'working' | 'closed' | 'rejected';
  reason: string | null;
  fills: PaperFill[];
  receivedAt: number;
  /** Number of times that an order with this id arrived; above 1 the service has sent it again. */
  arrivals: number;
  /** The script that it followed, for the record. */
  script: string | null;
  /** Rises each time the order is recorded. */
  revision: number;
  /** Look-ups of a silent order get no response; those of a forgotten one get "not found". */
  lookup: 'open' | 'silent' | 'forgotten';
}

const BPS = 10_000;
const MILLION = 1_000_000n;

/**
 * Fills an order from the book of its contract, with one fill per level, and takes the filled quantities out of the
 * book.
 *
 * @param quantity the maximum in micro-contracts; the limit and the maximum cost may allow less
 * @param step fills are multiples of this many micro-contracts
 * @param beyond whether the rest is filled at the limit price if the book does not suffice, for scripted fills
 */
export function fillOrder(
  exchange: Exchange,
  order: PaperOrder,
  contract: PaperContract,
  { quantity, step, beyond }: { quantity: number; step: number; beyond: boolean },
): void {
  const { book, feeBps } = contract;
  const buys = order.action === 'BUY';
  const ofYes = order.side === 'YES';
  const takesAsks = ofYes === buys;
  const accept = acceptorOf(order, step, feeBps ?? 0);
  const { taken, rest } = takeLevels((takesAsks ? book.asks : book.bids).map(asLevel), {
    buys,
    limit: BigInt(order.limitPrice),
    count: BigInt(quantity),
    mirrored: !ofYes,
    accept: (offered, price) => BigInt(accept(Number(offered), Number(price))),
  });
  const matched = taken.map(({ count, price }) => ({ quantity: Number(count), price: Number(price) }));
  const left = quantity - matched.reduce((sum, part) => sum + part.quantity, 0);
  const unmatched = beyond && left > 0 ? accept(left, order.limitPrice) : 0;
  const parts = unmatched > 0 ? [...matched, { quantity: unmatched, price: order.limitPrice }] : matched;
  for (const part of parts) {
    order.fills.push({
      fillId: `${order.orderId}-${order.fills.length + 1}`,
      ...part,
      fee: feeBps === null ? null : feeOf(part.quantity, part.price, feeBps),
      at: exchange.now(),
    });
    exchange.traded(contract, part.quantity, ofYes ? part.price : DOLLAR - part.price);
  }
  const entry = exchange.find(contract.id);
  if (parts.length > 0 && entry !== undefined) {
    const { bids, asks } = contract.book;
    const remains = rest.map(({ price, count }) => ({ price: Number(price), quantity: Number(count) }));
    exchange.consume(entry, takesAsks ? bids : remains, takesAsks ? remains : asks);
  }
}

function asLevel({ price, quantity }: Level): LadderLevel {
  return { price: BigInt(price), count: BigInt(quantity) };
}

/** Decides how much of an offer an order takes: a multiple of `step` that its maximum cost still pays with the fee. Records the payment. */
function acceptorOf(order: OrderRequest, step: number, feeBps: number): (offered: number, price: number) => number {
  let money = order.action === 'BUY' ? order.maxCost : null;
  return (offered, price) => {
    const whole = offered - (offered % step);
    if (money === null) {
      return whole;
    }
    const amount = Math.min(whole, affordable(money, price, feeBps, step));
    money -= Number(costOf(amount, price)) + feeOf(amount, price, feeBps);
    return amount;
  };
}

/** The largest quantity whose cost and fee, each rounded up, do not exceed `money`. */
function affordable(money: number, price: number, feeBps: number, step: number): number {
  if (price === 0) {
    return Number.MAX_SAFE_INTEGER;
  }
  const most = (BigInt(money) * BigInt(DOLLAR) * BigInt(BPS)) / (BigInt(price) * BigInt(BPS + feeBps));
  let amount = Number(most - (most % BigInt(step)));
  while (amount > 0 && Number(costOf(amount, price)) + feeOf(amount, price, feeBps) > money) {
    amount -= step;
  }
  return Math.max(0, amount);
}

/** @returns millionths of a dollar, rounded up */
function costOf(quantity: number, price: number): bigint {
  const product = BigInt(quantity) * BigInt(price);
  return (product + BigInt(DOLLAR) - 1n) / BigInt(DOLLAR);
}

/** @returns millionths of a dollar, rounded up */
export function feeOf(quantity: number, price: number, feeBps: number): number {
  const product = BigInt(quantity) * BigInt(price) * BigInt(feeBps);
  const unit = BigInt(DOLLAR) * BigInt(BPS);
  return Number((product + unit - 1n) / unit);
}

/** How the response is delivered, or lost. */
export type Delivery = 'answer' | 'twice' | 'hang' | 'reset' | 'error' | 'garbage';

interface Course extends Pick<PaperOrder, 'state' | 'lookup'> {
  readonly delivery: Delivery;
  /** Micro-contracts to fill at once. */
  readonly fill: number;
  /** Whether the rest is filled at the limit price if the book does not suffice. */
  readonly beyond: boolean;
  readonly reason: string | null;
  /** After this many milliseconds the order fills completely by itself; null if it does not. */
  readonly finishAfterMs: number | null;
}

/**
 * Decides the course of an order from its script, and changes nothing. Without a script the order fills from the book.
 *
 * @param step quantities are multiples of this many micro-contracts
 */
export function followScript(script: Script | undefined, quantity: number, step: number): Course {
  const filled: Course = {
    state: 'closed',
    lookup: 'open',
    delivery: 'answer',
    fill: quantity,
    beyond: true,
    reason: null,
    finishAfterMs: null,
  };
  switch (script?.word) {
    case undefined:
    case 'late':
      return { ...filled, beyond: false };
    case 'reject':
      return { ...filled, fill: 0, state: 'rejected', reason: script.reason };
    case 'partial': {
      const share = (BigInt(quantity) * BigInt(script.millionths)) / MILLION;
      return { ...filled, fill: Number(share - (share % BigInt(step))) };
    }
    case 'working':
      return { ...filled, fill: 0, state: 'working', finishAfterMs: script.afterMs };
    case 'fill-after-cancel':
      return { ...filled, fill: 0, state: 'working' };
    case 'forget':
      return { ...filled, fill: 0, lookup: 'forgotten', delivery: 'hang' };
    case 'silence':
      return { ...filled, lookup: 'silent', delivery: 'hang' };
    default:
      return { ...filled, delivery: DELIVERIES[script?.word ?? 'fill'] ?? 'answer' };
  }
}

const DELIVERIES: Partial<Record<Script['word'], Delivery>> = {
  timeout: 'hang',
  twice: 'twice',
  reset: 'reset',
  error: 'error',
  garbage: 'garbage',
};

export type Script =
  | { readonly word: 'fill' | 'timeout' | 'silence' | 'twice' | 'forget' | 'lost' | 'reset' | 'error' | 'garbage' }
  | { readonly word: 'reject'; readonly reason: string }
  | { readonly word: 'partial'; readonly millionths: number }
  /** Executes and responds only after `afterMs`. */
  | { readonly word: 'late'; readonly afterMs: number }
  /** Rests, then fills completely after `afterMs`; never if null. */
  | { readonly word: 'working'; readonly afterMs: number | null }
  /** Rests; after it is cancelled it still fills, `afterMs` later. */
  | { readonly word: 'fill-after-cancel'; readonly afterMs: number };

const PLAIN = ['fill', 'timeout', 'silence', 'twice', 'forget', 'lost', 'reset', 'error', 'garbage'] as const;
const DELAY = /^[0-9]{1,6}$/;

/**
 * Parses the script for the next order on a contract (`paper next`). Some of its words are used by tests only.
 *
 * @returns undefined if the text is not a script
 */
export function parseScript(text: string): Script | undefined {
  const colon = text.indexOf(':');
  const word = colon === -1 ? text : text.slice(0, colon);
  const rest = colon === -1 ? undefined : text.slice(colon + 1);
  const plain = PLAIN.find((one) => one === word);
  if (plain !== undefined) {
    return rest === undefined ? { word: plain } : undefined;
  }
  switch (word) {
    case 'reject':
      return rest === undefined || rest === '' || rest.length > 200 ? undefined : { word, reason: rest };
    case 'partial': {
      const match = /^(?:0?\.([0-9]{1,6})|([01])(?:\.0{1,6})?)$/.exec(rest ?? '');
      if (match === null) {
        return undefined;
      }
      const millionths = match[1] === undefined ? Number(match[2]) * 1_000_000 : Number(match[1].padEnd(6, '0'));
      return { word, millionths };
    }
    case 'late':
      return delay(rest, 7_000, (afterMs) => ({ word, afterMs }));
    case 'working':
      return rest === 'never' ? { word, afterMs: null } : delay(rest, 1_500, (afterMs) => ({ word, afterMs }));
    case 'fill-after-cancel':
      return delay(rest, 300, (afterMs) => ({ word, afterMs }));
    default:
      return undefined;
  }
}

function delay(rest: string | undefined, standard: number, make: (afterMs: number) => Script): Script | undefined {
  if (rest !== undefined && !DELAY.test(rest)) {
    return undefined;
  }
  return make(rest === undefined ? standard : Number(rest));
}
