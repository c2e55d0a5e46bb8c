/** What the venue answers for our account as a whole: its clock, orders and fills since a moment, positions and cash. */
import type { Answer } from '../http/answer.ts';
import { renderFill, renderOrder } from '../http/rendering.ts';
import { formatMicros } from '../micros.ts';
import type { Desk } from './order-book-service.ts';

/** @returns undefined where the path is none of these. */
export function answerAccount(desk: Desk, path: string, query: URLSearchParams): Answer | undefined {
  switch (path) {
    case '/v1/time':
      return { status: 200, body: { now: new Date(desk.exchange.now()).toISOString() } };
    case '/v1/account/orders': {
      const since = sinceOf(query);
      return since === undefined
        ? NO_MOMENT
        : { status: 200, body: { orders: desk.ordersSince(since).map((order) => renderOrder(order)) } };
    }
    case '/v1/account/fills': {
      const since = sinceOf(query);
      return since === undefined ? NO_MOMENT : { status: 200, body: { fills: fillsSince(desk, since) } };
    }
    case '/v1/account/positions': {
      const { positions } = desk.standing();
      return {
        status: 200,
        body: { positions: positions.map((held) => ({ ...held, quantity: formatMicros(held.quantity) })) },
      };
    }
    case '/v1/account/balance':
      return { status: 200, body: { balance: formatMicros(Number(desk.standing().balance)) } };
    default:
      return undefined;
  }
}

const NO_MOMENT: Answer = { status: 400, body: { error: 'invalid_request', message: 'since is a date-time' } };

function sinceOf(query: URLSearchParams): number | undefined {
  const moment = Date.parse(query.get('since') ?? '');
  return Number.isNaN(moment) ? undefined : moment;
}

function fillsSince(desk: Desk, since: number): object[] {
  return [...desk.orders.values()].flatMap(({ ourId, listingId }) =>
    desk.account
      .of(ourId)
      .filter(({ at }) => at >= since)
      .map((fill) => ({ ourId, listingId, ...renderFill(fill) })),
  );
}
