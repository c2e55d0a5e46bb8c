/** Customers that trade without an end: each order is repeated under its key until it is answered. Every acknowledgement is kept. */
import { z } from 'zod';
import { timePasses } from '../support/until.ts';

export interface Acknowledged {
  readonly operator: string;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly live: boolean;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

export interface Trader {
  /** The slug of the operator. */
  readonly operator: string;
  readonly key: string;
  readonly live: boolean;
  readonly pauseMs: number;
}

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** How often each answer came that acknowledged nothing. */
  readonly refusals: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const RETRY_MS = 100;
const ASK_MS = 30_000;
const CATALOGUE_MS = 15_000;
const LEAST_CENTS = 20;
const MOST_CENTS = 80;
/** An order that a venue has not answered yet is acknowledged, too. */
const HELD = 409;

const answerSchema = z.looseObject({
  error: z.string().optional(),
  orderId: z.string().optional(),
  quoteId: z.string().optional(),
});
const eventsSchema = z.object({
  data: z.array(
    z.object({
      outcomes: z.array(z.object({ id: z.string(), tradable: z.boolean(), executableYesCents: z.number().nullable() })),
    }),
  ),
});
type Answer = z.infer<typeof answerSchema> & { readonly status: number };

/**
 * @param urls of the API processes; a trader asks the next one after a connection that failed
 * @param name begins the keys of all orders
 */
export function startLoad(urls: readonly string[], traders: readonly Trader[], name = 'order'): Load {
  const acknowledged: Acknowledged[] = [];
  const refusals = new Map<string, number>();
  let running = true;
  let number = 0;
  let contracts: readonly string[] = [];

  const note = (what: string, { status, error }: Answer) => {
    const name = `${what} ${status} ${error ?? ''}`.trim();
    refusals.set(name, (refusals.get(name) ?? 0) + 1);
  };

  async function trade({ operator, key, live, pauseMs }: Trader, index: number): Promise<void> {
    const user = `customer-${index}`;
    let server = index;
    const ask = async (path: string, body?: object): Promise<Answer> => {
      const answer = await askOnce(urls[server % urls.length] ?? '', key, user, path, body);
      server += answer.status === 0 ? 1 : 0;
      return answer;
    };
    while (running) {
      await timePasses(pauseMs);
      const marketId = contracts[Math.floor(Math.random() * contracts.length)];
      if (marketId === undefined) {
        continue;
      }
      const quote = await ask('/api/v1/quotes', { marketId, side: 'YES', action: 'buy', stake: 2 });
      if (quote.status !== 200 || quote.quoteId === undefined) {
        note('quote', quote);
        continue;
      }
      number += 1;
      const clientOrderId = `${name}-${number}`;
      const order = { quoteId: quote.quoteId, clientOrderId, ...(live && { reserveReference: clientOrderId }) };
      for (;;) {
        const answer = await ask('/api/v1/orders', order);
        const { status, orderId } = answer;
        if (orderId !== undefined && (status === 200 || status === 201 || (live && status === HELD))) {
          acknowledged.push({ operator, orderId, clientOrderId, live, at: performance.now() });
          break;
        }
        note('order', answer);
        await timePasses(RETRY_MS);
        if (status !== 503 && status !== 0) {
          break;
        }
      }
    }
  }

  async function followCatalogue(key: string): Promise<void> {
    for (let wait = 0; running; wait += RETRY_MS) {
      if (wait % CATALOGUE_MS === 0 || contracts.length === 0) {
        contracts = await listContracts(urls[0] ?? '', key).catch(() => contracts);
      }
      await timePasses(RETRY_MS);
    }
  }

  const all = [...traders.map(trade), followCatalogue(traders[0]?.key ?? '')];
  return {
    acknowledged,
    refusals,
    stop: async () => {
      running = false;
      await Promise.all(all);
    },
  };
}

/** @returns status 0 if the connection failed: whether anything was done is then unknown. */
async function askOnce(url: string, key: string, user: string, path: string, body?: object): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-service-user': user, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ASK_MS),
    });
    return { ...answerSchema.parse(await response.json()), status: response.status };
  } catch (error) {
    return { status: 0, error: error instanceof Error ? error.name : 'unknown' };
  }
}

async function listContracts(url: string, key: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/events?limit=100`, { headers: { authorization: `Bearer ${key}` } });
  return eventsSchema
    .parse(await response.json())
    .data.flatMap(({ outcomes }) => outcomes)
    .filter(({ tradable, executableYesCents }) => {
      const cents = executableYesCents ?? 0;
      return tradable && cents >= LEAST_CENTS && cents <= MOST_CENTS;
    })
    .map(({ id }) => id);
}
