/**
 * What the exchange of a simulated world says of our account as a whole, in the paper venue's words: its clock, orders and
 * fills since a time, positions and cash. It answers with the whole truth.
 */
import type { HttpAnswer } from './network.ts';
import type { TrueFill, TrueOrder } from './true-order.ts';
import { jsonAnswer, worded } from './wording.ts';

/** An order and when it last changed. */
export interface ChangedOrder {
  readonly order: TrueOrder;
  readonly changedMs: number;
}

const OPENING = 1_000_000_000_000n;
const DOLLAR = 1_000_000n;

/** @param path path and query of a request. @returns null where it asks for something else. */
export function answerAccount(path: string, orders: readonly ChangedOrder[], nowMs: number): HttpAnswer | null {
  const { pathname, searchParams } = new URL(path, 'http://exchange.simulated');
  const sinceMs = Date.parse(searchParams.get('since') ?? '');
  switch (pathname) {
    case '/v1/time':
      return jsonAnswer(200, { now: new Date(nowMs).toISOString() });
    case '/v1/account/orders':
      return jsonAnswer(200, {
        orders: orders
          .filter(({ order, changedMs }) => order.state === 'working' || changedMs >= sinceMs)
          .map(({ order }) => worded(order)),
      });
    case '/v1/account/fills':
      return jsonAnswer(200, {
        fills: orders.flatMap(({ order: { ourId, listingId, fills } }) =>
          fills.filter(({ at }) => Date.parse(at) >= sinceMs).map((fill) => ({ ourId, listingId, ...fill })),
        ),
      });
    case '/v1/account/positions':
      return jsonAnswer(200, { positions: positionsOf(orders) });
    case '/v1/account/balance':
      return jsonAnswer(200, { balance: balanceOf(orders) });
    default:
      return null;
  }
}

interface Gross {
  readonly yes: bigint;
  readonly no: bigint;
}

/** Contracts of each side by listing, before pairs are netted. */
function holdingsOf(orders: readonly ChangedOrder[]): Map<string, Gross> {
  const holdings = new Map<string, Gross>();
  for (const { order } of orders) {
    const { yes, no } = holdings.get(order.listingId) ?? { yes: 0n, no: 0n };
    const filled = order.fills.reduce((sum, { quantity }) => sum + quantity, 0n);
    const change = order.action === 'BUY' ? filled : -filled;
    holdings.set(order.listingId, order.side === 'YES' ? { yes: yes + change, no } : { yes, no: no + change });
  }
  return holdings;
}

function positionsOf(orders: readonly ChangedOrder[]): object[] {
  return [...holdingsOf(orders)]
    .filter(([, { yes, no }]) => yes !== no)
    .map(([listingId, { yes, no }]) =>
      yes > no ? { listingId, side: 'YES', quantity: yes - no } : { listingId, side: 'NO', quantity: no - yes },
    );
}

/** A cost is rounded up and proceeds down, fill by fill; a pair of both sides is a dollar. It pays out no results. */
function balanceOf(orders: readonly ChangedOrder[]): bigint {
  const traded = orders.flatMap(({ order: { action, fills } }) => fills.map((fill) => cashOf(action, fill)));
  const pairs = [...holdingsOf(orders).values()].map(({ yes, no }) => (yes < no ? yes : no));
  return [...traded, ...pairs].reduce((sum, amount) => sum + amount, OPENING);
}

function cashOf(action: TrueOrder['action'], { quantity, price, fee }: TrueFill): bigint {
  const product = quantity * price;
  return (action === 'BUY' ? -((product + DOLLAR - 1n) / DOLLAR) : product / DOLLAR) - (fee ?? 0n);
}
