/**
 * Turns a chance into a book of several levels on the event's price grid. Bids are rounded down and asks up, so that the book cannot cross,
 * unless the fixture wants it crossed.
 */

import type { Level, PaperBook, PaperContract, PaperEvent } from '../catalogue/event.ts';
import type { Profile } from '../catalogue/fixture.ts';
import { CONTRACT, DOLLAR } from '../micros.ts';
import type { Random } from '../random.ts';

/**
 * Levels per side, the maximum distance between them in steps of the grid, what half the spread grows by, and the
 * relative size.
 */
const SHAPES: Record<Profile, { levels: number; gap: number; widen: number; size: number }> = {
  normal: { levels: 6, gap: 2, widen: 0, size: 1 },
  tight: { levels: 8, gap: 1, widen: 0, size: 3 },
  subcent: { levels: 7, gap: 3, widen: 0, size: 2 },
  thin: { levels: 2, gap: 3, widen: 0.02, size: 0.04 },
  wide: { levels: 3, gap: 4, widen: 0.07, size: 0.5 },
  empty: { levels: 0, gap: 1, widen: 0, size: 0 },
  bids: { levels: 4, gap: 2, widen: 0, size: 1 },
  asks: { levels: 4, gap: 2, widen: 0, size: 1 },
  crossed: { levels: 3, gap: 2, widen: -0.03, size: 1 },
};

/**
 * @param chance the chance of YES, 0 to 1
 * @returns the new sides, or undefined if they equal the current ones
 */
export function makeBook(
  event: PaperEvent,
  contract: PaperContract,
  chance: number,
  random: Random,
): Pick<PaperBook, 'bids' | 'asks'> | undefined {
  const shape = SHAPES[contract.profile];
  const half = (event.halfSpread + shape.widen) * DOLLAR;
  const middle = chance * DOLLAR;
  let bid = Math.floor((middle - half) / event.tick) * event.tick;
  let ask = Math.ceil((middle + half) / event.tick) * event.tick;
  if (contract.profile === 'crossed') {
    bid = Math.min(bid, DOLLAR - event.tick);
    ask = Math.max(Math.min(ask, bid), event.tick);
  } else if (ask <= bid) {
    ask = bid + event.tick;
  }
  const depth = Math.sqrt(contract.volume / CONTRACT) * 40 * shape.size;
  const bids = contract.profile === 'asks' ? [] : ladder(bid, -event.tick, shape, depth, contract.book.bids, random);
  const asks = contract.profile === 'bids' ? [] : ladder(ask, event.tick, shape, depth, contract.book.asks, random);
  return same(bids, contract.book.bids) && same(asks, contract.book.asks) ? undefined : { bids, asks };
}

function ladder(
  best: number,
  step: number,
  shape: { levels: number; gap: number },
  depth: number,
  before: readonly Level[],
  random: Random,
): Level[] {
  const keep = before[0]?.price === best;
  const levels: Level[] = [];
  let price = best;
  for (let index = 0; index < shape.levels; index += 1) {
    if (price <= 0 || price >= DOLLAR) {
      break;
    }
    const stood = keep ? before[index] : undefined;
    const draw = random.next();
    // Three quarters of the levels stay as they are.
    if (stood !== undefined && draw > 0.25) {
      levels.push({ price: stood.price, quantity: stood.quantity });
      price = stood.price + step * (1 + Math.floor(draw * shape.gap));
      continue;
    }
    const size = depth * (0.4 + 1.2 * random.next()) * (1 + index * 0.6);
    levels.push({ price, quantity: Math.max(1, Math.round(size)) * CONTRACT });
    price += step * (1 + Math.floor(draw * shape.gap));
  }
  return sorted(levels, step);
}

/**
 * One level for each price, best first. A kept level and a new one may have the same price; the later one replaces the
 * other.
 */
function sorted(levels: Level[], step: number): Level[] {
  const byPrice = new Map<number, Level>();
  for (const level of levels) {
    byPrice.set(level.price, level);
  }
  return [...byPrice.values()].sort((one, other) => (other.price - one.price) * Math.sign(-step));
}

function same(one: readonly Level[], other: readonly Level[]): boolean {
  return (
    one.length === other.length &&
    one.every((level, index) => level.price === other[index]?.price && level.quantity === other[index]?.quantity)
  );
}
