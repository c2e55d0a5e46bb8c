/**
 * One deal of a customer from the request for a price to the filled order, and the account that limits it. A price is never accepted on the
 * customer's behalf, except within the bound of a tap or the customer's earlier consent. An order whose response was lost is sent again
 * only with its own key, so it is never placed twice.
 */
import { computed, effect, type Signal, signal } from '@preact/signals';
import type { RefusalFields } from '../../core/errors.ts';
import type { FrameAccount } from '../../wire/embed.ts';
import type { Order, OrderPage } from '../../wire/order.ts';
import type { Quote, QuoteInput } from '../../wire/quote.ts';
import { call, returns, ServiceAway, ServiceRefusal, serviceNow } from '../service.ts';
import { session } from '../session.ts';
import { type EndedOrder, endReason } from './end-reason.ts';
import { centsOf, minorOf } from './estimate.ts';

export type DealState =
  | { readonly step: 'asking' }
  | { readonly step: 'quoting' }
  /** `was` is the price that this one replaces, or null; `why` is the code of the reason. */
  | { readonly step: 'offered'; readonly quote: Quote; readonly was: number | null; readonly why: string | null }
  | { readonly step: 'expired'; readonly quote: Quote }
  | { readonly step: 'placing'; readonly quote: Quote }
  | { readonly step: 'following'; readonly order: Order | null; readonly quote: Quote }
  /** `asked` is the number of contracts of the quote. */
  | { readonly step: 'done'; readonly order: Order; readonly asked: number }
  /** The order ended without a fill. `Deal.ended` has the order. */
  | { readonly step: 'ended' }
  | { readonly step: 'refused'; readonly code: string; readonly extra: RefusalFields };

export interface Deal {
  readonly state: Signal<DealState>;
  /** The last order, if it ended without a fill and the customer has not gone on since. */
  readonly ended: Signal<EndedOrder | null>;
  ask(request: QuoteInput): Promise<void>;
  confirm(): Promise<void>;
  /** Takes a price and orders at once if it is at most `maxPrice`, in dollars. After a higher one the customer taps again. */
  buyWithin(request: QuoteInput, maxPrice: number): Promise<void>;
  reset(): void;
  /** Stops watching; an order that was placed remains. */
  end(): void;
}

/** Refusals after which a new price is requested. */
const REQUOTE = ['quote_expired', 'price_moved', 'price_stale', 'price_unverified'];
const FOLLOW_MS = 2_000;
const MICROS = 1_000_000;

/** How much worse than the quote a price may be for a customer who accepts worse prices, in dollars for one contract. */
export const WORSE_PRICE = 0.01;
/** Whether the customer accepts a price that is worse by up to `WORSE_PRICE`. The settings keep the choice. */
export const acceptsWorse = signal(false);

/** Counts the changes of the customer's positions; views that show them reload when it changes. */
export const traded = signal(0);

export function createDeal(): Deal {
  const state = signal<DealState>({ step: 'asking' });
  const ended = signal<EndedOrder | null>(null);
  /** The customer's request; null after a tap, which is repeated by the customer and not by the deal. */
  let request: QuoteInput | null = null;
  let clientOrderId = '';
  let expiring: number | undefined;
  let turn = 0;

  async function ask(next: QuoteInput, was: number | null = null, why: string | null = null): Promise<void> {
    const own = ++turn;
    request = next;
    window.clearTimeout(expiring);
    state.value = { step: 'quoting' };
    try {
      const quote = await call<Quote>('/quotes', { body: next });
      if (own !== turn) {
        return;
      }
      clientOrderId = newClientOrderId();
      state.value = { step: 'offered', quote, was: was === quote.executionPrice ? null : was, why };
      expiring = window.setTimeout(() => {
        if (state.value.step === 'offered') {
          state.value = { step: 'expired', quote };
        }
      }, Date.parse(quote.expiresAt) - serviceNow());
    } catch (error) {
      if (own === turn) {
        state.value = refusedBy(error);
      }
    }
  }

  /** @param maxSlippage dollars above the quoted price that are still accepted */
  async function confirm(maxSlippage: number): Promise<void> {
    const current = state.value;
    if (current.step !== 'offered') {
      return;
    }
    ended.value = null;
    const own = ++turn;
    const { quote } = current;
    window.clearTimeout(expiring);
    state.value = { step: 'placing', quote };
    while (own === turn) {
      try {
        const order = await call<Order>('/orders', { body: { quoteId: quote.quoteId, clientOrderId, maxSlippage } });
        if (own === turn) {
          return take(order, quote, own);
        }
      } catch (error) {
        // The service returns the first order for a repeated key, so a lost response does no harm.
        if (error instanceof ServiceAway) {
          if (own === turn) {
            state.value = { step: 'following', order: null, quote };
          }
          await pause();
        } else if (own === turn) {
          return takeRefusal(error, quote, own);
        } else {
          return;
        }
      }
    }
  }

  async function buyWithin(next: QuoteInput, maxPrice: number): Promise<void> {
    ended.value = null;
    await ask(next);
    request = null;
    const offered = state.value;
    if (offered.step !== 'offered') {
      return;
    }
    const roomMicros = Math.round(maxPrice * MICROS) - Math.round(offered.quote.executionPrice * MICROS);
    if (roomMicros >= 0) {
      return confirm(roomMicros / MICROS);
    }
    end();
    state.value = { step: 'refused', code: 'price_moved', extra: {} };
  }

  function takeRefusal(error: unknown, quote: Quote, own: number): void | Promise<void> {
    if (!(error instanceof ServiceRefusal)) {
      state.value = refusedBy(error);
      return;
    }
    const { code, extra } = error;
    if (code === 'reconciliation_required') {
      state.value = { step: 'following', order: null, quote };
      return follow(own, quote);
    }
    if (code === 'price_moved' && extra.executionRef !== undefined) {
      const { executionRef } = extra;
      const { action, executionPrice } = quote;
      const order = { executionRef, action, status: 'rejected', rejectReason: code, cancelReason: null } as const;
      return takeEnd(order, executionPrice);
    }
    if (REQUOTE.includes(code) && request !== null) {
      return ask(request, quote.executionPrice, code);
    }
    state.value = refusedBy(error);
  }

  function take(order: Order, quote: Quote, own: number): void | Promise<void> {
    traded.value += 1;
    if (order.settlementState === 'settled') {
      return takeResult(order, quote);
    }
    state.value = { step: 'following', order, quote };
    return follow(own, quote);
  }

  function takeResult(order: Order, quote: Quote): void | Promise<void> {
    if (order.filledQuantity === 0) {
      return takeEnd(order, quote.executionPrice);
    }
    state.value = { step: 'done', order, asked: quote.contracts };
  }

  /** @param was the quoted price. If the price moved away from it, the new one is offered at once. */
  function takeEnd(order: EndedOrder, was: number): void | Promise<void> {
    ended.value = order;
    if (request === null) {
      state.value = { step: 'asking' };
    } else if (endReason(order) === 'price_moved') {
      return ask(request, was);
    } else {
      state.value = { step: 'ended' };
    }
  }

  async function follow(own: number, quote: Quote): Promise<void> {
    while (own === turn) {
      await pause();
      try {
        const { orders } = await call<OrderPage>(`/orders?clientOrderId=${encodeURIComponent(clientOrderId)}`);
        const order = orders[0];
        if (own !== turn) {
          return;
        }
        if (order === undefined) {
          continue;
        }
        if (order.settlementState === 'settled') {
          traded.value += 1;
          return takeResult(order, quote);
        }
        state.value = { step: 'following', order, quote };
      } catch {
        // A failed look-up does not affect the order; it is repeated.
      }
    }
  }

  const end = () => {
    turn += 1;
    window.clearTimeout(expiring);
  };
  return {
    state,
    ended,
    ask: (next) => {
      ended.value = null;
      return ask(next);
    },
    confirm: () => confirm(acceptsWorse.value ? WORSE_PRICE : 0),
    buyWithin,
    reset: () => {
      end();
      ended.value = null;
      state.value = { step: 'asking' };
    },
    end,
  };
}

function refusedBy(error: unknown): DealState {
  if (error instanceof ServiceRefusal) {
    return { step: 'refused', code: error.code, extra: error.extra };
  }
  return { step: 'refused', code: error instanceof ServiceAway ? 'away' : 'default', extra: {} };
}

function pause(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, FOLLOW_MS));
}

/** `crypto.randomUUID` is missing if a page is not served over https. */
function newClientOrderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `frame-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The customer's fee rate, balance and largest stake, and whether the jurisdiction permits trading. Null until it is read. */
export const account = signal<FrameAccount | null>(null);

/** Until the account is read nothing is forbidden, because the quote decides. */
export const mayBuy = computed(() => account.value?.mayBuy ?? true);
export const maySell = computed(() => account.value?.maySell ?? true);

/** Reads the account when the session is ready, after each trade, and when the service is available again. */
export function followAccount(): void {
  effect(() => {
    const isReady = session.value.status === 'ready';
    if (isReady && traded.value + returns.value >= 0) {
      readAccount();
    }
  });
}

/** Views call it after a refusal as well, because limits and jurisdictions change while the frame is open. */
export function readAccount(): void {
  void call<FrameAccount>('/account').then(
    (read) => {
      account.value = read;
    },
    () => {},
  );
}

/**
 * @param stake as typed
 * @returns the limit that the stake exceeds, or null
 */
export function exceededBy(stake: string): FrameAccount['largestStake'] {
  const largest = account.value?.largestStake ?? null;
  const minor = centsOf(stake);
  return largest !== null && minor !== null && minor > minorOf(largest.amount) ? largest : null;
}
