/** The venue's responses about our account as a whole: its clock, orders and fills since a time, positions and cash. */
import type { Answer } from '../http/answer.ts';
import { renderFill, renderOrder } from '../http/rendering.ts';
import { formatMicros } from '../micros.ts';
import type { OrderBookService } from './order-book-service.ts';

/** @returns undefined for any other path */
export function answerAccount(orderBook: OrderBookService, path: string, query: URLSearchParams): Answer | undefined {
  switch (path) {
    case '/v1/time':
      return { status: 200, body: { now: new Date(orderBook.exchange.now()).toISOString() } };
    case '/v1/account/orders': {
      const since = sinceOf(query);
      return since === undefined
        ? NO_MOMENT
        : { status: 200, body: { orders: orderBook.ordersSince(since).map((order) => renderOrder(order)) } };
    }
    case '/v1/account/fills': {
      const since = sinceOf(query);
      return since === undefined ? NO_MOMENT : { status: 200, body: { fills: fillsSince(orderBook, since) } };
    }
    case '/v1/account/positions': {
      const { positions } = orderBook.holdings();
      return {
        status: 200,
        body: { positions: positions.map((held) => ({ ...held, quantity: formatMicros(held.quantity) })) },
      };
    }
    case '/v1/account/balance':
      return { status: 200, body: { balance: formatMicros(Number(orderBook.holdings().balance)) } };
    default:
      return undefined;
  }
}

const NO_MOMENT: Answer = { status: 400, body: { error: 'invalid_request', message: 'since must be a date-time' } };

function sinceOf(query: URLSearchParams): number | undefined {
  const moment = Date.parse(query.get('since') ?? '');
  return Number.isNaN(moment) ? undefined : moment;
}

function fillsSince(orderBook: OrderBookService, since: number): object[] {
  return [...orderBook.orders.values()].flatMap(({ ourId, listingId }) =>
    orderBook.account
      .of(ourId)
      .filter(({ at }) => at >= since)
      .map((fill) => ({ ourId, listingId, ...renderFill(fill) })),
  );
}
