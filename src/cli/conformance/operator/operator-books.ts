/**
 * The operator's books of a customer: `GET <address>/<customer>` answers `{ "available": "9990.00", "held": "5.00" }`, decimal
 * dollars. The customer may be unknown to the operator; the answer is then the balance that such a customer starts with. They are
 * compared with what was instructed, and the instructions from which they part are named if a few explain the difference.
 */
import { z } from 'zod';
import { formatMinor, parseMinor, sumMinor } from '../../../money/usd.ts';
import { type Comparison, compareRecords } from '../../compare/compare-records.ts';
import { Failure } from '../../failure.ts';
import type { TradeDay } from './trade-day.ts';

const DEADLINE_MS = 10_000;
const amount = z.string().regex(/^-?\d+\.\d\d$/, 'decimal dollars with two places');
const shape = z.object({ available: amount, held: amount });

/** What the customer can use, and what is reserved for open orders. */
export type Balance = Readonly<z.infer<typeof shape>>;

/** How often the amount is missing or too much. */
const CAUSES: readonly (readonly [title: string, times: bigint])[] = [
  ['not booked', -1n],
  ['booked twice', 1n],
  ['booked three times', 2n],
];

/** @throws Failure if there is no such answer */
export async function readBalance(address: string, customer: string): Promise<Balance> {
  const url = `${address.replace(/\/+$/, '')}/${encodeURIComponent(customer)}`;
  const unreadable = (reason: string) =>
    new Failure('books_unreadable', `${url} does not answer with a balance: ${reason}.`, {
      next: 'It must answer 200 with {"available": "9990.00", "held": "0.00"}.',
    });
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw unreadable(cause instanceof Error ? cause.message : String(cause));
  }
  const body: unknown = await answer.json().catch(() => undefined);
  const balance = shape.safeParse(body);
  if (answer.status !== 200 || !balance.success) {
    throw unreadable(answer.status === 200 ? 'another shape' : `HTTP ${answer.status}`);
  }
  return balance.data;
}

/**
 * @param before the balance before the day
 * @returns the balance after it, if every instruction is booked once
 */
export function instructedBalance(before: Balance, { instructions, held }: TradeDay): Balance {
  const moved = sumMinor(instructions.map((instruction) => instruction.amount));
  return {
    available: formatMinor(parseMinor(before.available) + moved - held),
    held: formatMinor(parseMinor(before.held) + held),
  };
}

/** The comparison of the one record that the books have of the customer with the one that was instructed. */
export function compareBalance(customer: string, booked: Balance, instructed: Balance): Promise<Comparison> {
  return compareRecords([{ customer, ...booked }], [{ customer, ...instructed }], ['customer'], ['available', 'held']);
}

/** @returns what differs, most likely cause first; empty if the books are as instructed */
export function explainDifference(day: TradeDay, { totals }: Comparison): string[] {
  const [available = 0n, held = 0n] = totals.map(({ difference }) => parseMinor(difference));
  const inAll = available + held;
  return [
    ...(inAll === 0n ? [] : [`${signed(inAll)} in all: ${causeOf(day, inAll, totals)}`]),
    ...(held === 0n ? [] : [`${signed(held)} held: ${causeOfHold(day, held)}`]),
  ];
}

function causeOf(day: TradeDay, difference: bigint, totals: Comparison['totals']): string {
  const [likely] = CAUSES.flatMap(([title, times]) => {
    const set = findSet(day, difference, times);
    return set === undefined ? [] : [{ title, set }];
  }).sort((left, right) => left.set.length - right.set.length);
  if (likely !== undefined) {
    return `${likely.title}: ${likely.set.map(({ name, amount }) => `${name} (${signed(amount)})`).join(', ')}`;
  }
  if (totals.every(({ theirs }) => isWhole(theirs)) && !totals.every(({ ours }) => isWhole(ours))) {
    return 'your balances are whole dollars, so amounts are rounded';
  }
  const most = BigInt(day.instructions.length) * 100n;
  return difference > -most && difference < most
    ? 'amounts are rounded, or computed instead of taken as instructed'
    : 'no instruction explains it';
}

const isWhole = (dollars: string) => dollars.endsWith('.00');

/** The smallest set of instructions whose amounts, so many times, are the difference. A day has few, so all sets are tried. */
function findSet({ instructions }: TradeDay, difference: bigint, times: bigint) {
  const moving = instructions.filter(({ amount }) => amount !== 0n);
  return Array.from({ length: 2 ** moving.length - 1 }, (_, mask) =>
    moving.filter((_instruction, place) => ((mask + 1) >> place) % 2 === 1),
  )
    .filter((set) => sumMinor(set.map((instruction) => instruction.amount)) * times === difference)
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
