/** Applies the passing of time to the exchange, a quarter of a second at a time, and opens it. */

import { ASSETS, moveSpot } from '../catalogue/five-minutes.ts';
import { listFives, listFixtures } from '../catalogue/listing.ts';
import { Exchange, type ExchangeOptions } from '../exchange.ts';
import { endWhatIsDue } from './ending.ts';
import { movePrices } from './moving.ts';

/** Opens an exchange with its fixtures listed and its state up to date. */
export function createExchange(options: ExchangeOptions): Exchange {
  const exchange = new Exchange(options);
  listFixtures(exchange, exchange.now());
  step(exchange);
  return exchange;
}

/** Advances the venue by a quarter of a second. */
export function step(exchange: Exchange): void {
  const { state } = exchange;
  const now = exchange.now();
  const seconds = Math.min(60, Math.max(0, (now - state.lastStep) / 1000));
  state.lastStep = now;
  state.steps += 1;
  if (exchange.venue === 'paper') {
    for (const asset of Object.keys(ASSETS)) {
      state.spots[asset] = moveSpot(asset, state.spots[asset] ?? 1, seconds, exchange.random);
    }
    listFives(exchange, now);
  }
  endWhatIsDue(exchange, now);
  movePrices(exchange, now);
}
