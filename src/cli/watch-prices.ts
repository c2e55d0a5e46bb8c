/** Follows the public price stream, and comes back after a cut. No key is sent: the stream takes none. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PriceSnapshot, PriceView } from '../wire/catalogue.ts';
import { ApiClient, refusalOf } from './api-client.ts';
import { Failure } from './failure.ts';
import { readServerEvents } from './server-events.ts';

export type PriceUpdate =
  | { readonly event: 'price' | 'closed'; readonly price: PriceView }
  | { readonly event: 'unknown'; readonly contractId: string };

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * @param onCut told before each wait for the next try.
 * @throws Failure of the first answer: what was refused at once will not get better.
 */
export async function* watchPrices(
  url: string,
  contractIds: readonly string[],
  onCut: (seconds: number) => void,
): AsyncGenerator<PriceUpdate> {
  const api = new ApiClient(url, undefined);
  let retryMs = FIRST_RETRY_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await api.open('GET', '/api/v1/stream/prices', { query: { contracts: contractIds } });
      if (!response.ok || response.body === null) {
        const body: unknown = await response.json().catch(() => undefined);
        throw refusalOf({ status: response.status, headers: response.headers, body });
      }
      retryMs = FIRST_RETRY_MS;
      for await (const { event, data } of readServerEvents(response.body)) yield* updatesOf(event, data);
    } catch (error) {
      if (error instanceof Failure && attempt === 0) throw error;
    }
    onCut(retryMs / 1000);
    await sleep(retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }
}

function* updatesOf(event: string, data: string): Generator<PriceUpdate> {
  if (event === 'snapshot') {
    const snapshot = JSON.parse(data) as PriceSnapshot;
    for (const price of snapshot.contracts) yield { event: price.tradingClosed ? 'closed' : 'price', price };
    for (const contractId of snapshot.unknown) yield { event: 'unknown', contractId };
  } else if (event === 'price' || event === 'closed') {
    yield { event, price: JSON.parse(data) as PriceView };
  }
}
