/** A venue whose every answer a test decides. It keeps its own record of what it received, for the check that nothing is sent twice. */

import { EventEmitter } from 'node:events';
import { oneBucket, type RequestBucket } from '../../src/core/request-budget.ts';
import type { Sql } from '../../src/db/client.ts';
import type { AwaitVenue } from '../../src/trading/execution/await-answer.ts';
import type { SendGate } from '../../src/trading/execution/send-gate.ts';
import type { OrderRow } from '../../src/trading/orders/order.ts';
import {
  type FoundOrder,
  type OrderToPlace,
  type PlaceAnswer,
  type Venue,
  type VenueAccount,
  type VenueFill,
  type VenueOrder,
  VenueUnknown,
} from '../../src/venues/port.ts';
import type { Venues } from '../../src/venues/registry.ts';

export type Script = (order: OrderToPlace, venue: ScriptedVenue) => PlaceAnswer | Promise<PlaceAnswer>;

export class ScriptedVenue implements Venue {
  readonly name: string;
  lookupIsComplete = true;
  /** Whether orders may come back without our id. */
  mayOmitOurId = false;
  /** Whether a look-up reads other orders of ours too, which shows that it works. */
  readsOthers = true;
  limits: readonly RequestBucket[] = oneBucket(2_000);
  readonly takesCostBound = true;
  readonly quantityStepMicros = 10_000n;
  readonly minimumQuantityMicros = 10_000n;
  readonly minimumAmountMinor = 100n;
  /** Everything that was ever sent, by our id. */
  readonly received = new Map<string, OrderToPlace[]>();
  readonly orders = new Map<string, VenueOrder>();
  lookups = 0;
  /** One listener for each order that waits. */
  private readonly silences = new EventEmitter().setMaxListeners(0);
  clockAheadMs = 0;
  script: Script = (order, venue) => venue.fillWhole(order);

  constructor(name = 'paper') {
    this.name = name;
  }

  async placeOrder(order: OrderToPlace): Promise<PlaceAnswer> {
    this.received.set(order.ourId, [...(this.received.get(order.ourId) ?? []), order]);
    try {
      return await this.script(order, this);
    } catch (error) {
      if (error instanceof VenueUnknown && !error.notTaken) {
        this.silences.emit('silence', order.ourId);
      }
      throw error;
    }
  }

  /** As `wait` of the API, which lasts five seconds; but an order is not waited for once this venue was silent about it. */
  awaitVenue(sql: Sql, wait: AwaitVenue): AwaitVenue {
    return (operatorId, orderId) =>
      new Promise((resolve, reject) => {
        const endWait = async (ourId: string) => {
          const [order] = await sql<OrderRow[]>`
            select o.* from orders o join transmissions t using (operator_id, order_id)
            where operator_id = ${operatorId} and order_id = ${orderId} and our_id = ${ourId}`;
          if (order !== undefined) {
            resolve({ ...order, answered: false });
          }
        };
        const onSilence = (ourId: string) => void endWait(ourId).catch(reject);
        this.silences.on('silence', onSilence);
        wait(operatorId, orderId)
          .then(resolve, reject)
          .finally(() => this.silences.off('silence', onSilence));
      });
  }

  async findOrder(ourId: string): Promise<FoundOrder> {
    this.lookups += 1;
    const order = this.orders.get(ourId);
    return order === undefined ? { outcome: 'not_found', readOthers: this.readsOthers } : { outcome: 'found', order };
  }

  /** Accepts with fills of these quantities at the limit price; fee in basis points of the cost, null is unknown. */
  accept(
    order: OrderToPlace,
    quantities: readonly bigint[],
    state: VenueOrder['state'],
    feeBps: number | null = 0,
  ): PlaceAnswer {
    const placed: VenueOrder = {
      ourId: order.ourId,
      venueOrderId: `v-${order.ourId}`,
      listingId: order.listingId,
      state,
      reason: null,
      side: order.side,
      action: order.action,
      quantityMicros: order.quantityMicros,
      fills: quantities.map((quantityMicros, index) => this.fill(order, index, quantityMicros, feeBps)),
    };
    this.orders.set(order.ourId, placed);
    return { outcome: 'accepted', order: placed };
  }

  fill(order: OrderToPlace, index: number, quantityMicros: bigint, feeBps: number | null): VenueFill {
    return {
      fillId: `f-${order.ourId}-${index}`,
      ourId: order.ourId,
      listingId: order.listingId,
      quantityMicros,
      priceMicros: order.limitPriceMicros,
      feeMicros:
        feeBps === null ? null : (quantityMicros * order.limitPriceMicros * BigInt(feeBps)) / 10_000n / 1_000_000n,
      occurredAt: new Date(),
    };
  }

  fillWhole(order: OrderToPlace, feeBps: number | null = 0): PlaceAnswer {
    return this.accept(order, [order.quantityMicros], 'closed', feeBps);
  }

  change(ourId: string, change: Partial<VenueOrder>): void {
    const order = this.orders.get(ourId);
    if (order !== undefined) {
      this.orders.set(ourId, { ...order, ...change });
    }
  }

  silence(): never {
    throw new VenueUnknown(this.name, 'no answer');
  }

  /** What its account had before anything was traded. */
  cashMicros = 1_000_000_000_000n;

  /** Says its orders, and what their fills make of positions and cash; it knows of no results. */
  readonly account: VenueAccount = {
    serverTime: async () => new Date(Date.now() + this.clockAheadMs),
    ordersSince: async () => [...this.orders.values()],
    fillsSince: async () => [...this.orders.values()].flatMap((order) => order.fills),
    positions: async () =>
      [...this.holdings()].flatMap(([listingId, { yes, no }]) =>
        yes === no
          ? []
          : [{ listingId, side: yes > no ? 'YES' : 'NO', quantityMicros: yes > no ? yes - no : no - yes } as const],
      ),
    balanceMicros: async () =>
      this.holdings()
        .values()
        .reduce((sum, { cash, yes, no }) => sum + cash + (yes < no ? yes : no), this.cashMicros),
  };

  private holdings() {
    const holdings = new Map<string, { yes: bigint; no: bigint; cash: bigint }>();
    for (const { listingId, side, action, fills } of this.orders.values()) {
      const held = holdings.get(listingId) ?? { yes: 0n, no: 0n, cash: 0n };
      holdings.set(listingId, held);
      for (const { quantityMicros, priceMicros, feeMicros } of fills) {
        const product = quantityMicros * priceMicros;
        held.cash -= action === 'BUY' ? (product + 999_999n) / 1_000_000n : -(product / 1_000_000n);
        held.cash -= feeMicros ?? 0n;
        held[side === 'YES' ? 'yes' : 'no'] += action === 'BUY' ? quantityMicros : -quantityMicros;
      }
    }
    return holdings;
  }

  catalogue = async () => ({ events: [], invalid: [] });
  book = async () => null;
  watch = async () => ({ connected: true, close: async () => {} });
  fills = async (ourId: string) => this.orders.get(ourId)?.fills ?? [];
  cancelOrder = (ourId: string) => this.findOrder(ourId);
  feeSchedule = async () => null;
  close = async () => {};
}

/** For tests that move orders on themselves. */
export const OPEN_GATE: SendGate = {
  shut: () => null,
  clocksAgree: () => true,
  booksAreCompared: async () => true,
  paused: () => false,
  pause: () => {},
  spend: () => true,
  hold: () => {},
};

export function onlyVenues(...list: [Venue, ...Venue[]]): Venues {
  return { list, get: (name) => list.find((venue) => venue.name === name) ?? list[0], close: async () => {} };
}
