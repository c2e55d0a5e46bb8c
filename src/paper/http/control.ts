/**
 * The control endpoints: freezing books, scripting orders, setting fees and resolutions. Each returns the resulting
 * state.
 */

import type { PaperContract } from '../catalogue/question.ts';
import { age, freeze, reopen, resolve, setFee, speak, thaw } from '../manual-control.ts';
import type { OrderBookService } from '../orders/order-book-service.ts';
import type { Answer } from './answer.ts';
import { renderBook, renderMarket } from './rendering.ts';
import { ageBody, bookBody, faultBody, feeBody, listingBody, nextBody, resolveBody } from './requests.ts';
import type { Stream } from './stream.ts';

/**
 * @returns undefined for any other path
 * @throws ZodError if the body is invalid
 */
export function control(orderBook: OrderBookService, stream: Stream, path: string, body: unknown): Answer | undefined {
  const { exchange } = orderBook;
  switch (path) {
    case '/control/book': {
      const { listingId, bids, asks } = bookBody.parse(body);
      return answer(orderBook, freeze(exchange, listingId, bids, asks));
    }
    case '/control/thaw':
      return answer(orderBook, thaw(exchange, listingBody.parse(body).listingId));
    case '/control/age': {
      const { listingId, seconds } = ageBody.parse(body);
      return answer(orderBook, age(exchange, listingId, seconds));
    }
    case '/control/next': {
      const { listingId, script } = nextBody.parse(body);
      return answer(
        orderBook,
        exchange.amend(listingId, (contract) => contract.next.push(script)),
      );
    }
    case '/control/fee': {
      const { listingId, bps } = feeBody.parse(body);
      return answer(orderBook, setFee(orderBook, listingId, bps));
    }
    case '/control/resolve': {
      const { listingId, outcome, yesWorth } = resolveBody.parse(body);
      return answer(orderBook, resolve(exchange, listingId, outcome, yesWorth ?? null));
    }
    case '/control/reopen':
      return answer(orderBook, reopen(exchange, listingBody.parse(body).listingId));
    case '/control/pause':
    case '/control/resume': {
      const { listingId } = listingBody.parse(body);
      const [from, to] = path === '/control/pause' ? (['open', 'paused'] as const) : (['paused', 'open'] as const);
      return answer(
        orderBook,
        exchange.amend(listingId, (contract) => {
          if (contract.status === from) {
            contract.status = to;
          }
        }),
      );
    }
    case '/control/speak':
      return { status: 200, body: { orders: speak(orderBook) } };
    case '/control/stream':
      stream.disturb(faultBody.parse(body));
      return { status: 200, body: {} };
    case '/control/list':
      return {
        status: 200,
        body: {
          contracts: [...exchange.contracts.values()]
            .filter(({ contract }) => contract.frozen || contract.next.length > 0 || contract.feeBps !== 0)
            .map(({ contract }) => summary(contract)),
        },
      };
    default:
      return undefined;
  }
}

function answer(orderBook: OrderBookService, contract: PaperContract | undefined): Answer {
  if (contract === undefined) {
    return { status: 404, body: { error: 'unknown_listing' } };
  }
  const entry = orderBook.exchange.find(contract.id);
  return {
    status: 200,
    body: {
      ...summary(contract),
      market: entry === undefined ? null : renderMarket(entry.event, contract),
    },
  };
}

function summary(contract: PaperContract): object {
  return {
    ...renderBook(contract),
    frozen: contract.frozen,
    status: contract.status,
    feeBps: contract.feeBps,
    next: contract.next,
  };
}
