/**
 * Accepts orders. One id is one order, however often it arrives, and every order that was ever received stays in the
 * record. The scripts of contracts decide how a response is lost; the HTTP server then loses it.
 */
import { randomUUID } from 'node:crypto';
import type { PaperContract } from '../catalogue/event.ts';
import type { Exchange } from '../market/exchange.ts';
import { Account, type AccountHoldings, holdingsOf, worthOf } from './account.ts';
import {
  type Delivery,
  fillOrder,
  followScript,
  type OrderRequest,
  type PaperOrder,
  parseScript,
  type Script,
} from './order.ts';

interface Handled {
  /** Null if the order was lost on its way. */
  readonly order: PaperOrder | null;
  readonly delivery: Delivery;
}

export class OrderBookService {
  readonly exchange: Exchange;
  readonly orders = new Map<string, PaperOrder>();
  readonly account: Account;
  /** Quantities are multiples of this many micro-contracts. */
  readonly step: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #delayed = new Map<string, Promise<Handled>>();

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.account = new Account(exchange.journal);
    this.step = exchange.venue === 'paper' ? 10_000 : 1_000_000;
    for (const line of exchange.journal.orders as PaperOrder[]) {
      const known = this.orders.get(line.ourId);
      if (known === undefined || (line.revision ?? 0) >= (known.revision ?? 0)) {
        this.orders.set(line.ourId, line);
      }
    }
    for (const order of this.orders.values()) {
      this.#resume(order);
    }
  }

  /** A working order that was to fill by itself does so after a restart as well. */
  #resume(order: PaperOrder): void {
    const script = order.script === null ? undefined : parseScript(order.script);
    if (order.state === 'working' && script?.word === 'working' && script.afterMs !== null) {
      this.#later(script.afterMs, () => this.#finish(order));
    }
  }

  /** Receives an order, unless one with this id was received before. */
  async place(request: OrderRequest): Promise<Handled> {
    const known = this.orders.get(request.ourId);
    if (known !== undefined) {
      known.arrivals += 1;
      this.record(known);
      return { order: known, delivery: known.lookup === 'silent' ? 'hang' : 'answer' };
    }
    const delayed = this.#delayed.get(request.ourId);
    if (delayed !== undefined) {
      const { order } = await delayed;
      if (order !== null) {
        order.arrivals += 1;
      }
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
      revision: 0,
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
    this.record(order);
    return { order, delivery };
  }

  #execute(order: PaperOrder, contract: PaperContract | undefined, script: Script | undefined): Delivery {
    const refusal = contract === undefined ? 'unknown_listing' : this.#refusal(order, contract);
    const course = followScript(
      refusal === undefined ? script : { word: 'reject', reason: refusal },
      order.quantity,
      this.step,
    );
    if (contract !== undefined && course.fill > 0) {
      this.#fill(order, contract, course.fill, course.beyond);
    }
    order.state = course.state;
    order.lookup = course.lookup;
    order.reason = course.reason;
    if (course.finishAfterMs !== null) {
      this.#later(course.finishAfterMs, () => this.#finish(order));
    }
    return course.delivery;
  }

  #refusal(order: OrderRequest, contract: PaperContract): string | undefined {
    if (contract.status !== 'open') {
      return 'market_not_open';
    }
    if (order.expiresAt <= this.exchange.now()) {
      return 'expired';
    }
    if (order.quantity % this.step !== 0) {
      return 'invalid_quantity';
    }
    return undefined;
  }

  #fill(order: PaperOrder, contract: PaperContract, quantity: number, beyond: boolean): void {
    fillOrder(this.exchange, order, contract, { quantity, step: this.step, beyond });
  }

  #finish(order: PaperOrder): void {
    const contract = this.exchange.find(order.listingId)?.contract;
    if (
      contract !== undefined &&
      (order.state === 'working' || order.script?.startsWith('fill-after-cancel') === true)
    ) {
      this.#fill(order, contract, order.quantity, true);
    }
    order.state = 'closed';
    this.record(order);
  }

  /** @returns undefined if the venue has no such order, or is scripted to deny it */
  find(ourId: string): PaperOrder | undefined {
    const order = this.orders.get(ourId);
    return order?.lookup === 'forgotten' ? undefined : order;
  }

  /** @returns undefined if the venue has no such order; an order that is not working stays as it is */
  cancel(ourId: string): PaperOrder | undefined {
    const order = this.find(ourId);
    if (order?.state === 'working') {
      order.state = 'closed';
      const script = order.script === null ? undefined : parseScript(order.script);
      if (script?.word === 'fill-after-cancel') {
        this.#later(script.afterMs, () => this.#finish(order));
      }
      this.record(order);
    }
    return order;
  }

  /** The positions and cash of our account, after listings that ended are paid out. */
  holdings(): AccountHoldings {
    for (const { listingId } of this.orders.values()) {
      const contract = this.exchange.find(listingId)?.contract;
      if (contract !== undefined) {
        this.account.settle(listingId, worthOf(contract));
      }
    }
    const { account } = this;
    return holdingsOf(
      this.orders.values(),
      (ourId) => account.of(ourId),
      (listingId) => account.worthOf(listingId),
    );
  }

  /**
   * Orders that were received or filled since then, and all working orders.
   *
   * @param since milliseconds since 1970
   */
  ordersSince(since: number): PaperOrder[] {
    const changed = (order: PaperOrder) =>
      order.state === 'working' || order.receivedAt >= since || order.fills.some(({ at }) => at >= since);
    return [...this.orders.values()].filter((order) => order.lookup !== 'forgotten' && changed(order));
  }

  close(): void {
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
  }

  /** Records the current state of an order, and books its fills. */
  record(order: PaperOrder): void {
    order.revision = (order.revision ?? 0) + 1;
    this.exchange.journal.appendOrder({ key: order.ourId, revision: order.revision, line: { ...order } });
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
