/** The exchanges over which tables of tests run: `describe.each(EXCHANGES)`. */
import type { Exchange } from './exchange.ts';
import { openGeminiExchange } from './gemini-venue.ts';
import { openKalshiMarket } from './kalshi-venue.ts';
import { openPolymarketExchange } from './polymarket-venue.ts';

/** Gemini lists orders under our id here. That it may not is shown in `gemini.test.ts`. */
async function openGeminiWithOurIds(): Promise<Exchange> {
  const exchange = await openGeminiExchange();
  exchange.tell({ do: 'lists', clientIds: 'sender' });
  return exchange;
}

export type ExchangeName = 'kalshi' | 'polymarket' | 'gemini';

export const EXCHANGES: readonly (readonly [name: ExchangeName, open: () => Promise<Exchange>])[] = [
  ['kalshi', openKalshiMarket],
  ['polymarket', openPolymarketExchange],
  ['gemini', openGeminiWithOurIds],
];
