/**
 * Takes orders: one id is one order, whatever arrives twice. Keeps every order it ever received in its own record, and
 * does to the next ones what it was told to. How an answer is lost is the server's part; here it is only named.
 */
import { randomUUID } from 'node:crypto';
import { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import { feeOf, type OrderRequest, opposite, type PaperFill, type PaperOrder, take } from './order.ts';
import type { PaperContract } from './question.ts';
import { parseScript, type Script } from './script.ts';

const DOLLAR = 1_000_000;

/** What becomes of the answer on its way back. */
export type Delivery = 'answer' | 'twice' | 'hang' | 'reset' | 'error' | 'garbage';

export interface Handled {
  readonly order: PaperOrder | null;
  readonly delivery: Delivery;
}

export class Desk {
  readonly exchange: Exchange;
  readonly orders = new Map<string, PaperOrder>();
  readonly account: Account;
  /** Micro-contracts: quantities are multiples of it. */
  readonly step: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #delayed = new Map<string, Promise<Handled>>();

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.account = new Account(exchange.journal);
    this.step = exchange.venue === 'paper' ? 10_000 : 1_000_000;
    for (const line of exchange.journal.orders as PaperOrder[]) {
      this.orders.set(line.ourId, line);
    }
    for (const order of this.orders.values()) {
      this.#resume(order);
    }
  }

  /** A working order that was to fill by itself still does after a restart. */
  #resume(order: PaperOrder): void {
    const script = order.script === null ? undefined : parseScript(order.script);
    if (order.state === 'working' && script?.word === 'working' && script.afterMs !== null) {
      this.#later(script.afterMs, () => this.#finish(order, order.quantity));
    }
  }

  async place(request: OrderRequest): Promise<Handled> {
    const known = this.orders.get(request.ourId);
    if (known !== undefined) {
      known.arrivals += 1;
      this.#record(known);
      return { order: known, delivery: known.lookup === 'silent' ? 'hang' : 'answer' };
    }
    const delayed = this.#delayed.get(request.ourId);
    if (delayed !== undefined) {
      const { order } = await delayed;
      if (order !== null) order.arrivals += 1;
      return { order, delivery: 'answer' };
    }
    const entry = this.exchange.find(request.listingId);
    const order: PaperOrder = {
      ...request,
      orderId: randomUUID(),
      state: 'working',
      reason: null,
      fills: [],
      receivedAt: this.exchange.now(),
      arrivals: 1,
      script: null,
      lookup: 'open',
    };
    const text = entry?.contract.next.shift();
    const script = text === undefined ? undefined : parseScript(text);
    if (entry !== undefined && text !== undefined) {
      order.script = text;
      this.exchange.amend(request.listingId, () => {});
    }
    if (script?.word === 'lost') {
      return { order: null, delivery: 'hang' };
    }
    if (script?.word !== 'late') {
      return this.#receive(order, entry?.contract, script);
    }
    const handled = new Promise<void>((resolve) => this.#later(script.afterMs, resolve)).then(() =>
      this.#receive(order, entry?.contract, script),
    );
    this.#delayed.set(order.ourId, handled);
    return handled.finally(() => this.#delayed.delete(order.ourId));
  }

  #receive(order: PaperOrder, contract: PaperContract | undefined, script: Script | undefined): Handled {
    this.orders.set(order.ourId, order);
    const delivery = this.#execute(order, contract, script);
    this.#record(order);
    return { order, delivery };
  }

  #execute(order: PaperOrder, contract: PaperContract | undefined, script: Script | undefined): Delivery {
    const refusal = contract === undefined ? 'unknown_listing' : this.#refusal(order, contract);
    if (refusal !== undefined || contract === undefined) {
      return this.#reject(order, refusal ?? 'unknown_listing');
    }
    switch (script?.word) {
      case undefined:
        this.#fill(order, contract, order.quantity, false);
        order.state = 'closed';
        return 'answer';
      case 'reject':
        return this.#reject(order, script.reason);
      case 'partial': {
        const share = (BigInt(order.quantity) * BigInt(script.millionths)) / BigInt(DOLLAR);
        this.#fill(order, contract, Number(share - (share % BigInt(this.step))), true);
        order.state = 'closed';
        return 'answer';
      }
      case 'working':
        if (script.afterMs !== null) {
          this.#later(script.afterMs, () => this.#finish(order, order.quantity));
        }
        return 'answer';
      case 'fill-after-cancel':
        return 'answer';
      case 'forget':
        order.state = 'closed';
        order.lookup = 'forgotten';
        return 'hang';
      case 'silence':
        this.#fill(order, contract, order.quantity, true);
        order.state = 'closed';
        order.lookup = 'silent';
        return 'hang';
      default:
        this.#fill(order, contract, order.quantity, script?.word !== 'late');
        order.state = 'closed';
        return DELIVERIES[script?.word ?? 'fill'] ?? 'answer';
    }
  }

  #refusal(order: OrderRequest, contract: PaperContract): string | undefined {
    if (contract.status !== 'open') return 'market_not_open';
    if (order.expiresAt <= this.exchange.now()) return 'expired';
    if (order.quantity % this.step !== 0) return 'invalid_quantity';
    return undefined;
  }

  #reject(order: PaperOrder, reason: string): Delivery {
    order.state = 'rejected';
    order.reason = reason;
    return 'answer';
  }

  #fill(order: PaperOrder, contract: PaperContract, quantity: number, beyond: boolean): void {
    const levels = opposite(contract.book, order);
    const taken = take(order, levels, quantity, this.step, contract.feeBps, beyond);
    if (taken.length === 0) {
      return;
    }
    const left = levels.map((level) => ({ ...level }));
    for (const { quantity: amount, price, level } of taken) {
      const fill: PaperFill = {
        fillId: `${order.orderId}-${order.fills.length + 1}`,
        quantity: amount,
        price,
        fee: contract.feeBps === null ? null : feeOf(amount, price, contract.feeBps),
        at: this.exchange.now(),
      };
      order.fills.push(fill);
      const rest = left[level];
      if (rest !== undefined) rest.quantity -= amount;
      this.exchange.traded(contract, amount, order.side === 'YES' ? price : DOLLAR - price);
    }
    this.#consume(order, contract, left);
  }

  #consume(order: PaperOrder, contract: PaperContract, left: { price: number; quantity: number }[]): void {
    const entry = this.exchange.find(contract.id);
    if (entry === undefined) return;
    const yes = left
      .filter((level) => level.quantity > 0)
      .map((level) => (order.side === 'YES' ? level : { ...level, price: DOLLAR - level.price }));
    const tookAsks = (order.side === 'YES') === (order.action === 'BUY');
    const { bids, asks } = contract.book;
    this.exchange.consume(contract, entry.event, tookAsks ? bids : yes, tookAsks ? yes : asks);
  }

  #finish(order: PaperOrder, quantity: number): void {
    const contract = this.exchange.find(order.listingId)?.contract;
    if (
      contract !== undefined &&
      (order.state === 'working' || order.script?.startsWith('fill-after-cancel') === true)
    ) {
      this.#fill(order, contract, quantity, true);
    }
    order.state = 'closed';
    this.#record(order);
  }

  /** @returns undefined where the venue knows no such order, or says so. */
  find(ourId: string): PaperOrder | undefined {
    const order = this.orders.get(ourId);
    return order?.lookup === 'forgotten' ? undefined : order;
  }

  cancel(ourId: string): PaperOrder | undefined {
    const order = this.find(ourId);
    if (order?.state === 'working') {
      order.state = 'closed';
      const script = order.script === null ? undefined : parseScript(order.script);
      if (script?.word === 'fill-after-cancel') {
        this.#later(script.afterMs, () => this.#finish(order, order.quantity));
      }
      this.#record(order);
    }
    return order;
  }

  /** Gives the fee of a contract, and of its fills that had none. */
  setFee(listingId: string, feeBps: number | null): PaperContract | undefined {
    const contract = this.exchange.amend(listingId, (one) => {
      one.feeBps = feeBps;
    });
    if (contract !== undefined && feeBps !== null) {
      for (const order of this.orders.values()) {
        const open = order.listingId === listingId && order.fills.some((fill) => fill.fee === null);
        if (open) {
          for (const fill of order.fills) {
            fill.fee ??= feeOf(fill.quantity, fill.price, feeBps);
          }
          this.#record(order);
        }
      }
    }
    return contract;
  }

  /** Look-ups of silent orders are answered from now on. */
  speak(): number {
    let count = 0;
    for (const order of this.orders.values()) {
      if (order.lookup === 'silent') {
        order.lookup = 'open';
        this.#record(order);
        count += 1;
      }
    }
    return count;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #record(order: PaperOrder): void {
    this.exchange.journal.appendOrder(order);
    this.account.book(order);
  }

  #later(afterMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, afterMs);
    this.#timers.add(timer);
  }
}

const DELIVERIES: Partial<Record<Script['word'], Delivery>> = {
  timeout: 'hang',
  twice: 'twice',
  reset: 'reset',
  error: 'error',
  garbage: 'garbage',
};
