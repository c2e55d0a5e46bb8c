/** One running paper venue: exchange, desk, feed and HTTP put together, stepping four times a second. */
import { judgePaperToken } from '../core/secrets/paper-token.ts';
import type { Secrets } from '../core/secrets/secret.ts';
import type { Exchange, ExchangeOptions } from './exchange.ts';
import { listen } from './http/server.ts';
import { Stream } from './http/stream.ts';
import { openExchange, step } from './market/step.ts';
import { Desk } from './orders/order-book-service.ts';

const STEP_MS = 250;
const COMPACT_MS = 60_000;

export interface PaperVenue {
  readonly url: string;
  readonly exchange: Exchange;
  readonly desk: Desk;
  close(): Promise<void>;
}

export interface PaperVenueOptions extends ExchangeOptions {
  /** Of the deployment: only requests with the token derived from them are answered. */
  readonly secrets: Secrets;
  /** 0 takes a free one. */
  readonly port?: number;
  /** False holds every price still; control, orders and the feed work. */
  readonly moving?: boolean;
}

export async function openPaperVenue({
  secrets,
  port = 0,
  moving = true,
  ...options
}: PaperVenueOptions): Promise<PaperVenue> {
  const exchange = openExchange(options);
  // What was minted or replayed so far goes into one file, and the next start has little to read.
  exchange.compact();
  const desk = new Desk(exchange);
  const stream = new Stream(exchange);
  const server = await listen(desk, stream, judgePaperToken(secrets), port);
  const timers = [setInterval(() => exchange.compact(), COMPACT_MS)];
  if (moving) {
    timers.push(setInterval(() => step(exchange), STEP_MS));
  }
  return {
    url: server.url,
    exchange,
    desk,
    close: async () => {
      for (const timer of timers) {
        clearInterval(timer);
      }
      desk.close();
      stream.close();
      await server.close();
      exchange.compact();
      options.journal.close();
    },
  };
}
