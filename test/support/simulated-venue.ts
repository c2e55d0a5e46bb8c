/** A venue of one simulation: orders at it fill in parts, learn their fees late and close, and what it tells may be old. */
import type { FoundOrder, OrderToPlace, PlaceAnswer, VenueFill, VenueOrder } from '../../src/venues/order.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import type { Chance } from './random.ts';

const STEP = 10_000n;

interface Truth {
  readonly sent: OrderToPlace;
  /** Every state it was ever in, the present one last; an old one may be told again. */
  readonly history: VenueOrder[];
}

export class SimulatedVenue {
  readonly sends = new Map<string, number>();
  readonly truths = new Map<string, Truth>();
  readonly #chance: Chance;
  /** Milliseconds that time has jumped. */
  jumped = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  place(order: OrderToPlace): PlaceAnswer {
    this.sends.set(order.ourId, (this.sends.get(order.ourId) ?? 0) + 1);
    const head = {
      ourId: order.ourId,
      venueOrderId: `v-${order.ourId}`,
      listingId: order.listingId,
      reason: null,
      side: order.side,
      action: order.action,
      quantityMicros: order.quantityMicros,
      fills: [],
    } as const;
    const expired = Date.now() + this.jumped > order.expiresAt.getTime();
    if (expired || this.#chance.happens(0.12)) {
      const refused: VenueOrder = { ...head, state: 'rejected', reason: expired ? 'expired' : 'halted' };
      this.truths.set(order.ourId, { sent: order, history: [refused] });
      return { outcome: 'rejected', reason: 'halted', order: this.#chance.happens(0.5) ? refused : null };
    }
    this.truths.set(order.ourId, { sent: order, history: [{ ...head, state: 'working' }] });
    for (let moves = this.#chance.below(5); moves > 0; moves -= 1) {
      this.move(order.ourId);
    }
    return { outcome: 'accepted', order: this.tell(order.ourId) as VenueOrder };
  }

  find(ourId: string): FoundOrder {
    const order = this.tell(ourId);
    return order === undefined ? { outcome: 'not_found' } : { outcome: 'found', order };
  }

  /** As it is, or as it was a while ago; fills in any order, some twice. */
  tell(ourId: string): VenueOrder | undefined {
    const history = this.truths.get(ourId)?.history;
    if (history === undefined) {
      return undefined;
    }
    const order = this.#chance.happens(0.2) ? this.#chance.pick(history) : history.at(-1);
    if (order === undefined || order.state !== 'working') {
      return order;
    }
    const fills = [...order.fills];
    if (fills.length > 1 && this.#chance.happens(0.3)) {
      fills.reverse();
    }
    return { ...order, fills: this.#chance.happens(0.2) ? [...fills, ...fills] : fills };
  }

  /** One thing happens at the venue: a fill, a fee, or the end. */
  move(ourId: string): void {
    const truth = this.truths.get(ourId);
    const now = truth?.history.at(-1);
    if (truth === undefined || now === undefined) {
      return;
    }
    const filled = now.fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n);
    const left = now.quantityMicros - filled;
    const unread = now.fills.findIndex((fill) => fill.feeMicros === null);
    if (unread >= 0 && this.#chance.happens(0.4)) {
      const fills = now.fills.map((fill, index) => (index === unread ? { ...fill, feeMicros: this.#fee(fill) } : fill));
      truth.history.push({ ...now, fills });
    } else if (now.state === 'working' && left > 0n && this.#chance.happens(0.75)) {
      const part = this.#chance.happens(0.3) ? left : (left * BigInt(1 + this.#chance.below(9))) / 10n;
      const quantityMicros = part - (part % STEP) || left;
      const fill = this.#fill(truth.sent, now.fills.length, quantityMicros);
      const state = quantityMicros === left ? 'closed' : 'working';
      truth.history.push({ ...now, state, fills: [...now.fills, fill] });
    } else if (now.state === 'working') {
      truth.history.push({ ...now, state: 'closed' });
    }
  }

  /** Everything comes to its end and every fee is told. */
  finish(): void {
    for (const truth of this.truths.values()) {
      const now = truth.history.at(-1) as VenueOrder;
      const fills = now.fills.map((fill) => ({ ...fill, feeMicros: fill.feeMicros ?? this.#fee(fill) }));
      truth.history.splice(0, truth.history.length, {
        ...now,
        fills,
        state: now.state === 'working' ? 'closed' : now.state,
      });
    }
  }

  silence(): never {
    throw new VenueUnknown('paper', 'no answer');
  }

  #fill(sent: OrderToPlace, index: number, quantityMicros: bigint): VenueFill {
    const better = BigInt(this.#chance.below(20_000));
    const fill = {
      fillId: `f-${sent.ourId}-${index}`,
      ourId: sent.ourId,
      listingId: sent.listingId,
      quantityMicros,
      priceMicros: sent.action === 'BUY' ? sent.limitPriceMicros - better : sent.limitPriceMicros + better,
      occurredAt: new Date(),
    };
    return { ...fill, feeMicros: this.#chance.happens(0.4) ? null : this.#fee(fill) };
  }

  /** Now and then more than it said. */
  #fee(fill: { quantityMicros: bigint; priceMicros: bigint }): bigint {
    const bps = this.#chance.pick([0n, 50n, 100n, 100n, 100n, 180n]);
    return (fill.quantityMicros * fill.priceMicros * bps) / 10_000n / 1_000_000n;
  }
}
