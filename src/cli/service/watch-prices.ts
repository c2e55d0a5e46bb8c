/** Follows the public price stream of server-sent events and reconnects when it breaks. No key is sent, because the stream needs none. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient, nameBody, ServiceUnreachable, UnexpectedAnswer } from '../../client/create-client.ts';
import type { Price, PriceSnapshot } from '../../client/shapes.ts';

export type PriceUpdate =
  | { readonly event: 'price' | 'closed'; readonly price: Price }
  | { readonly event: 'unknown'; readonly contractId: string };

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * @param onCut called before each wait for the next attempt, with its length
 * @throws ApiError or ServiceUnreachable at the first attempt only, because a stream that is refused at once stays refused
 */
export async function* watchPrices(
  url: string,
  contractIds: readonly string[],
  onCut: (seconds: number) => void,
): AsyncGenerator<PriceUpdate> {
  const client = createClient({ baseUrl: url });
  let retryMs = FIRST_RETRY_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await client.stream('/api/v1/stream/prices', { query: { contracts: contractIds.join(',') } });
      const type = response.headers.get('content-type');
      if (!type?.startsWith('text/event-stream')) {
        throw new UnexpectedAnswer(response.url, response.status, nameBody(type));
      }
      retryMs = FIRST_RETRY_MS;
      if (response.body !== null) {
        for await (const { event, data } of readServerEvents(response.body)) {
          yield* updatesOf(event, data);
        }
      }
    } catch (error) {
      const isRefused = error instanceof ApiError || error instanceof ServiceUnreachable;
      if (isRefused && attempt === 0) {
        throw error;
      }
    }
    onCut(retryMs / 1000);
    await sleep(retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }
}

function* updatesOf(event: string, data: string): Generator<PriceUpdate> {
  if (event === 'snapshot') {
    const snapshot = JSON.parse(data) as PriceSnapshot;
    for (const price of snapshot.contracts) {
      yield { event: price.tradingClosed ? 'closed' : 'price', price };
    }
    for (const contractId of snapshot.unknown) {
      yield { event: 'unknown', contractId };
    }
  } else if (event === 'price' || event === 'closed') {
    yield { event, price: JSON.parse(data) as Price };
  }
}

interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads the events of a response body as they arrive, until the body ends. Comments are skipped. */
async function* readServerEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) {
        yield event;
      }
    }
  }
}

function readBlock(block: string): ServerEvent | undefined {
  let id = '';
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === 'id') {
      id = value ?? '';
    } else if (name === 'event') {
      event = value ?? event;
    } else if (name === 'data') {
      data.push(value ?? '');
    }
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') };
}
