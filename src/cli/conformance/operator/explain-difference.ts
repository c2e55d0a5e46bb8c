/** Names the instructions from which an operator's books part, if a few of them explain the difference to the cent. Pure. */
import { formatMinor } from '../../../money/usd.ts';
import type { Balance } from './operator-books.ts';
import type { TradeDay } from './trade-day.ts';

const DOLLAR = 100n;
/** How often the amount is missing or too much. */
const CAUSES: readonly (readonly [title: string, times: bigint])[] = [
  ['not booked', -1n],
  ['booked twice', 1n],
  ['booked three times', 2n],
];

/**
 * @param before the balance before the day
 * @returns the balance after it, if every instruction is booked once
 */
export function instructedBalance(before: Balance, { instructions, held }: TradeDay): Balance {
  const moved = instructions.reduce((sum, { amount }) => sum + amount, 0n);
  return { available: before.available + moved - held, held: before.held + held };
}

/** @returns what differs, most likely cause first; empty if the books are as instructed */
export function explainDifference(day: TradeDay, instructed: Balance, booked: Balance): string[] {
  const found: string[] = [];
  const heldBy = booked.held - instructed.held;
  const total = booked.available + booked.held - instructed.available - instructed.held;
  if (total !== 0n) {
    found.push(`${signed(total)} in all: ${causeOf(day, total, instructed, booked)}`);
  }
  if (heldBy !== 0n) {
    found.push(`${signed(heldBy)} held: ${causeOfHold(day, heldBy)}`);
  }
  if (total === 0n && heldBy === 0n && booked.available !== instructed.available) {
    found.push('available and held do not add up');
  }
  return found;
}

function causeOf(day: TradeDay, difference: bigint, instructed: Balance, booked: Balance): string {
  const causes = CAUSES.flatMap(([title, times]) => {
    const set = findSet(day, difference, times);
    return set === undefined ? [] : [{ title, set }];
  }).sort((left, right) => left.set.length - right.set.length);
  const [likely] = causes;
  if (likely !== undefined) {
    return `${likely.title}: ${likely.set.map(({ name, amount }) => `${name} (${signed(amount)})`).join(', ')}`;
  }
  const isWhole = booked.available % DOLLAR === 0n && booked.held % DOLLAR === 0n;
  if (isWhole && instructed.available % DOLLAR !== 0n) {
    return 'your balances are whole dollars, so amounts are rounded';
  }
  const most = BigInt(day.instructions.length) * DOLLAR;
  return difference > -most && difference < most
    ? 'amounts are rounded, or computed instead of taken as instructed'
    : 'no instruction explains it';
}

/** The smallest set of instructions whose amounts, so many times, are the difference. A day has few, so all sets are tried. */
function findSet({ instructions }: TradeDay, difference: bigint, times: bigint) {
  const moving = instructions.filter(({ amount }) => amount !== 0n);
  return Array.from({ length: 2 ** moving.length - 1 }, (_, mask) =>
    moving.filter((_instruction, place) => ((mask + 1) >> place) % 2 === 1),
  )
    .filter((set) => set.reduce((sum, { amount }) => sum + amount, 0n) * times === difference)
    .sort((a, b) => a.length - b.length)[0];
}

function causeOfHold({ held, released }: TradeDay, difference: bigint): string {
  switch (difference) {
    case released:
      return 'what an order that was withdrawn had reserved is still reserved';
    case -held:
      return 'nothing is reserved for the order that is open';
    default:
      return 'not what open orders reserve';
  }
}

function signed(minor: bigint): string {
  return `${minor > 0n ? '+' : ''}${formatMinor(minor)}`;
}
