/**
 * A customer's day in the sandbox, and the operator's books after it: they are compared with what the service instructed, and the
 * instructions that explain a difference are named.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { InlayClient } from '../../client/create-client.ts';
import type { OrderDetail } from '../../client/shapes.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { type Comparison, compareRecords } from '../compare/compare-records.ts';
import { Failure } from '../failure.ts';

/** One movement of the customer's money that the operator must book, in cents. */
interface Instruction {
  /** The event that carries it, for people. */
  readonly name: string;
  /** Above zero if the customer receives it. */
  readonly amount: bigint;
}

interface TradeDay {
  readonly customer: string;
  readonly instructions: readonly Instruction[];
  /** Reserved for the order that stays open. */
  readonly held: bigint;
  /** Amount that was reserved for the withdrawn order. All of it must be released. */
  readonly released: bigint;
  /** How the dedupe keys of its webhook events begin, one each. */
  readonly events: readonly string[];
}

const PARTIAL = 0.4;

/** Repeats the request while the requests of the minute are used up. */
export type WithinBudget = <T>(ask: () => Promise<T>) => Promise<T>;

interface SandboxAccess {
  readonly client: InlayClient;
  readonly contractId: string;
  readonly withinBudget: WithinBudget;
}

/**
 * Trades the day that every round repeats: a buy, a partial fill, an order that is withdrawn, one that stays open, an exit, a win
 * and an annulled position.
 * @returns what the service instructs the operator to book, to the cent
 * @throws ApiError and the other errors of the client
 */
export async function tradeDay(access: SandboxAccess, customer: string): Promise<TradeDay> {
  const { client, withinBudget } = access;
  const bought = await place(access, customer, { side: 'YES', action: 'buy', stake: 25 });
  const partialKey = randomUUID();
  const scenario = { kind: 'partial_fill', fillFraction: PARTIAL, clientOrderId: partialKey } as const;
  await withinBudget(() => client.post('/api/v1/sandbox/scenarios', { body: scenario }));
  const partial = await place(access, customer, { side: 'NO', action: 'buy', stake: 40 }, partialKey);
  const withdrawn = await place(access, customer, { side: 'YES', action: 'buy', stake: 15 }, undefined, true);
  await withinBudget(() => client.post('/api/v1/orders/{id}/cancel', { path: { id: withdrawn.orderId } }));
  const open = await place(access, customer, { side: 'YES', action: 'buy', stake: 5 }, undefined, true);
  const contracts = Math.floor((bought.filledQuantity / 2) * 100) / 100;
  const sold = await place(access, customer, { side: 'YES', action: 'sell', contracts });
  const settled = await settle(access, customer);
  const debit = (order: OrderDetail) => -parseMinor(order.operatorMoney?.actualDebit ?? '0');
  return {
    customer,
    instructions: [
      { name: `order.filled of ${bought.orderId}`, amount: debit(bought) },
      { name: `order.filled of ${partial.orderId}, filled in part`, amount: debit(partial) },
      {
        name: `order.filled of ${sold.orderId}, an exit`,
        amount: parseMinor(sold.operatorExitMoney?.sellProceeds ?? '0'),
      },
      ...settled.map(({ positionId, credit }) => ({ name: `position.settled of ${positionId}`, amount: credit })),
    ],
    held: parseMinor(open.operatorMoney?.authorizationAmount ?? '0'),
    released: parseMinor(withdrawn.operatorMoney?.authorizationAmount ?? '0'),
    events: [
      `order.filled:${bought.orderId}:`,
      `order.filled:${partial.orderId}:`,
      `order.intent_recorded:${withdrawn.orderId}`,
      `order.cancelled:${withdrawn.orderId}`,
      `order.intent_recorded:${open.orderId}`,
      `order.filled:${sold.orderId}:`,
      ...settled.map(({ positionId }) => `position.settled:${positionId}`),
    ],
  };
}

type Line = { readonly side: 'YES' | 'NO' } & (
  | { readonly action: 'buy'; readonly stake: number }
  | { readonly action: 'sell'; readonly contracts: number }
);

/** Quotes and orders. A quote expires while a request waits, so both are repeated together. */
function place(
  { client, contractId, withinBudget }: SandboxAccess,
  user: string,
  line: Line,
  clientOrderId: string = randomUUID(),
  recordOnly = false,
): Promise<OrderDetail> {
  return withinBudget(async () => {
    const { quoteId } = await client.post('/api/v1/quotes', { user, body: { marketId: contractId, ...line } });
    const intent = recordOnly ? { executionIntent: 'record_intent' as const } : {};
    return client.post('/api/v1/orders', { user, body: { quoteId, clientOrderId, ...intent } });
  });
}

/** The position on YES wins, the one on NO is annulled. */
async function settle({ client, withinBudget }: SandboxAccess, externalUserId: string) {
  const open = { externalUserId, status: 'open' } as const;
  const { positions } = await withinBudget(() => client.get('/api/v1/positions', { query: open }));
  for (const { positionId, side } of positions) {
    const resolution = side === 'YES' ? 'WIN' : 'VOID';
    await withinBudget(() => client.post('/api/v1/sandbox/resolutions', { body: { positionId, resolution } }));
  }
  const { settlements } = await withinBudget(() => client.get('/api/v1/settlements', { query: { externalUserId } }));
  return settlements.map(({ positionId, operatorMoney }) => ({
    positionId,
    credit: parseMinor(operatorMoney.settlementCredit) + parseMinor(operatorMoney.voidCredit),
  }));
}

const DEADLINE_MS = 10_000;
const amount = z.string().regex(/^-?\d+\.\d\d$/, 'decimal dollars with two places');
const shape = z.object({ available: amount, held: amount });

/** Amount that the customer can use, and amount that is reserved for open orders. */
export type Balance = Readonly<z.infer<typeof shape>>;

/**
 * `GET <address>/<customer>` answers `{ "available": "9990.00", "held": "5.00" }`, decimal dollars. For a customer who is unknown to
 * the operator the answer is the balance that such a customer starts with.
 * @throws Failure if there is no such answer
 */
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

/** Compares the one record that the books have of the customer with the one that was instructed. */
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

/** Number of times that the amount is booked in excess. */
const CAUSES: readonly (readonly [title: string, times: bigint])[] = [
  ['not booked', -1n],
  ['booked twice', 1n],
  ['booked three times', 2n],
];

const isWhole = (dollars: string) => dollars.endsWith('.00');

/** @returns the smallest set of instructions whose sum times `times` is the difference. A day has few, so all sets are tried. */
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
