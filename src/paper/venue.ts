/**
 * Runs one paper venue in this process: its exchange, which advances four times a second, its order book, feed and HTTP
 * server.
 */
import { createPaperTokenCheck, type Secrets } from '../core/secret.ts';
import { listen } from './http/routes.ts';
import { Stream } from './http/stream.ts';
import type { Exchange, ExchangeOptions } from './market/exchange.ts';
import { createExchange, step } from './market/step.ts';
import { OrderBookService } from './orders/order-book-service.ts';

const STEP_MS = 250;
const COMPACT_MS = 60_000;

export interface PaperVenue {
  readonly url: string;
  readonly exchange: Exchange;
  readonly orderBook: OrderBookService;
  close(): Promise<void>;
}

interface PaperVenueOptions extends ExchangeOptions {
  /** The secrets of the deployment: only requests with the token derived from them are accepted. */
  readonly secrets: Secrets;
  /** 0 selects a free port. */
  readonly port?: number;
  /** If false, no price changes; control, orders and the feed work. */
  readonly moving?: boolean;
}

export async function openPaperVenue({
  secrets,
  port = 0,
  moving = true,
  ...options
}: PaperVenueOptions): Promise<PaperVenue> {
  const exchange = createExchange(options);
  // Writes everything so far to one snapshot, so that the next start reads little.
  exchange.compact();
  const orderBook = new OrderBookService(exchange);
  const stream = new Stream(exchange);
  const server = await listen(orderBook, stream, createPaperTokenCheck(secrets), port);
  const timers = [setInterval(() => exchange.compact(), COMPACT_MS)];
  if (moving) {
    timers.push(setInterval(() => step(exchange), STEP_MS));
  }
  return {
    url: server.url,
    exchange,
    orderBook,
    close: async () => {
      for (const timer of timers) {
        clearInterval(timer);
      }
      orderBook.close();
      stream.close();
      await server.close();
      exchange.compact();
      options.journal.close();
    },
  };
}
