/** A venue that does by chance what venues do: whole and partial fills, refusals, orders that go on working, fees that are known later, answers that are lost. */
import {
  type FoundOrder,
  type OrderToPlace,
  type PlaceAnswer,
  type VenueFill,
  VenueUnknown,
} from '../../src/venues/port.ts';
import type { Chance } from './random.ts';
import { ScriptedVenue } from './scripted-venue.ts';

const STEP = 10_000n;
const FEES = [0, 35, 100, 173, null, null] as const;

export class RestlessVenue extends ScriptedVenue {
  readonly #chance: Chance;
  /** Orders that no look-up gets an answer about, until the venue speaks again. */
  readonly #silent = new Set<string>();

  constructor(chance: Chance) {
    super();
    this.#chance = chance;
    this.script = (order) => this.#meet(order);
  }

  override async findOrder(ourId: string): Promise<FoundOrder> {
    return this.#silent.has(ourId) ? this.silence() : super.findOrder(ourId);
  }

  /** Something happens to one order that is not done: a fill, its close, or a fee that becomes known. */
  move(): void {
    const unfinished = [...this.orders.values()].filter(
      ({ state, fills }) => state === 'working' || fills.some(({ feeMicros }) => feeMicros === null),
    );
    if (unfinished.length > 0) {
      this.#moveOn(this.#chance.pick(unfinished).ourId, this.#chance.happens(0.5));
    }
  }

  /** Every order comes to its end, and every answer and fee is there. */
  finish(): void {
    this.#silent.clear();
    for (const ourId of this.orders.keys()) {
      this.#moveOn(ourId, true);
    }
  }

  #meet(order: OrderToPlace): PlaceAnswer {
    const roll = this.#chance.below(100);
    const fee = this.#chance.pick(FEES);
    if (roll < 45) {
      return this.accept(order, this.#parts(order.quantityMicros), 'closed', fee);
    }
    if (roll < 60) {
      return this.accept(order, this.#parts(this.#share(order.quantityMicros)), 'closed', fee);
    }
    if (roll < 80) {
      return this.accept(order, this.#parts(this.#share(order.quantityMicros)), 'working', fee);
    }
    if (roll < 90) {
      return { outcome: 'rejected', reason: 'market_halted', order: null };
    }
    this.accept(order, this.#parts(order.quantityMicros), 'closed', fee);
    if (roll < 94) {
      this.#silent.add(order.ourId);
    }
    throw new VenueUnknown(this.name, 'the answer is lost');
  }

  #moveOn(ourId: string, closes: boolean): void {
    const placed = this.received.get(ourId)?.[0];
    const order = this.orders.get(ourId);
    if (placed === undefined || order === undefined) {
      return;
    }
    const known = order.fills.map((fill) => (fill.feeMicros === null && closes ? withFee(fill) : fill));
    const filled = order.fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n);
    const more = order.state === 'working' ? this.#share(order.quantityMicros - filled) : 0n;
    const fee = closes ? 100 : this.#chance.pick(FEES);
    this.change(ourId, {
      state: closes ? 'closed' : order.state,
      fills: more > 0n ? [...known, this.fill(placed, known.length, more, fee)] : known,
    });
  }

  #share(quantity: bigint): bigint {
    return ((quantity * BigInt(this.#chance.below(101))) / 100n / STEP) * STEP;
  }

  /** One fill, or two. */
  #parts(quantity: bigint): bigint[] {
    const first = this.#chance.happens(0.4) ? this.#share(quantity) : quantity;
    return [first, quantity - first].filter((part) => part > 0n);
  }
}

function withFee(fill: VenueFill): VenueFill {
  return { ...fill, feeMicros: (fill.quantityMicros * fill.priceMicros) / 57_000_000n };
}
