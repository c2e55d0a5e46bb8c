/** The conformance facts of contract 36.6, checked one after the other against a running service with a new customer. */
import { randomUUID } from 'node:crypto';
import { type InlayClient, ServiceUnreachable } from '../../client/create-client.ts';
import type { FeedPage, OrderDetail, Quote } from '../../client/shapes.ts';
import { asFailure, Failure } from '../failure.ts';
import { type ApiAnswer, ApiClient } from '../service/api.ts';

export interface FactResult {
  readonly name: string;
  readonly ok: boolean;
  readonly expected: string;
  readonly got: string;
}

/** Errors after which no fact is known, because the service itself did not answer. */
const NO_SERVICE = new Set(['service_unreachable', 'unexpected_answer']);

/** @returns the id of a contract that can be bought now. @throws Failure if there is none. */
export async function findTradable(client: InlayClient): Promise<string> {
  const { data } = await client.get('/api/v1/events', {
    query: { tradable: true, sort: 'volume', limit: 20 },
  });
  const outcomes = data.flatMap((event) => event.outcomes);
  const found = outcomes.find(({ executableYesCents: cents }) => cents !== null && cents > 5 && cents < 95);
  if (found === undefined) {
    throw new Failure('no_tradable_contract', 'No contract can be bought now.', {
      next: 'Choose one with --contract, or wait until the catalogue has prices.',
    });
  }
  return found.id;
}

interface Subject {
  readonly client: InlayClient;
  /** For requests that the typed client cannot send. */
  readonly api: ApiClient;
  readonly apiUrl: string;
  readonly contractId: string;
  /** A new customer, so that earlier runs have no effect. */
  readonly user: string;
}

/** @throws if the service does not answer; any other error is recorded as the behaviour */
export async function* checkFacts(subject: Subject): AsyncGenerator<FactResult> {
  for (const { name, expected, ask } of factsOf(subject)) {
    let got: string;
    try {
      got = await ask();
    } catch (error) {
      if (error instanceof ServiceUnreachable || (error instanceof Failure && NO_SERVICE.has(error.code))) {
        throw error;
      }
      const { code, message } = asFailure(error);
      got = `${code}: ${message}`;
    }
    yield { name, ok: got === expected, expected, got };
  }
}

interface Fact {
  readonly name: string;
  readonly expected: string;
  /** Behaviour of the service; equal to `expected` if the fact holds. */
  ask(): Promise<string>;
}

const STAKE = 5;

const word = ({ status, body }: ApiAnswer<unknown>): string => {
  const code = typeof body === 'object' && body !== null && 'error' in body ? ` ${String(body.error)}` : '';
  return `${status}${code}`;
};

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** In this order: later facts use the order that earlier ones placed. */
function factsOf({ client, api, apiUrl, contractId, user }: Subject): Fact[] {
  const line = { marketId: contractId, side: 'YES', action: 'buy', stake: STAKE } as const;
  const clientOrderId = `conformance-${randomUUID()}`;
  const ask = (by: ApiClient, method: string, path: string, request = {}) => by.send(method, path, request);
  const quote = () => client.post('/api/v1/quotes', { user, body: line });
  const place = (quoteId: string) =>
    api.send<OrderDetail>('POST', '/api/v1/orders', { body: { quoteId, clientOrderId }, user });
  let spent = '';
  let placed: OrderDetail | undefined;
  const orderId = () => placed?.orderId ?? 'none';

  return [
    {
      name: 'a request without a key',
      expected: '401 missing_credentials',
      ask: async () => word(await ask(new ApiClient(apiUrl, undefined), 'GET', '/api/v1/events')),
    },
    {
      name: 'a bad key',
      expected: '401 invalid_key',
      ask: async () => word(await ask(new ApiClient(apiUrl, 'pk_test_not_a_key_of_anybody'), 'GET', '/api/v1/events')),
    },
    {
      name: 'no user header',
      expected: '400 missing_user',
      ask: async () => word(await ask(api, 'POST', '/api/v1/quotes', { body: line })),
    },
    {
      name: 'a side other than YES or NO',
      expected: '400 invalid_request',
      ask: async () => word(await ask(api, 'POST', '/api/v1/quotes', { body: { ...line, side: 'MAYBE' }, user })),
    },
    {
      name: 'a body that is not a JSON object of a quote',
      expected: '400 invalid_request',
      ask: async () => word(await ask(api, 'POST', '/api/v1/quotes', { body: {}, user })),
    },
    {
      name: 'an unknown contract',
      expected: '404 market_not_found',
      ask: async () =>
        word(await ask(api, 'POST', '/api/v1/quotes', { body: { ...line, marketId: 'ctr_nobody' }, user })),
    },
    {
      name: 'a quote adds up',
      expected: 'authorization = debit + release; debit = trade + fees',
      ask: async () => identities((await quote()).operatorMoney),
    },
    {
      name: 'an order is created',
      expected: '201',
      ask: async () => {
        spent = (await quote()).quoteId;
        const answer = await place(spent);
        placed = answer.body;
        return word(answer);
      },
    },
    {
      name: 'an order adds up',
      expected: 'authorization = debit + release; debit = trade + fees',
      ask: async () => identities((await client.get('/api/v1/orders/{id}', { path: { id: orderId() } })).operatorMoney),
    },
    {
      name: 'the same clientOrderId again',
      expected: '200 replay of the same order',
      ask: async () => {
        const { status, body } = await place(spent);
        const same = body.idempotentReplay === true && body.orderId === orderId();
        return `${status} ${same ? 'replay of the same order' : 'another answer'}`;
      },
    },
    {
      name: 'the same clientOrderId for another quote',
      expected: '409 idempotency_conflict',
      ask: async () => word(await place((await quote()).quoteId)),
    },
    {
      name: 'a quote is spent once',
      expected: '409 quote_already_used',
      ask: async () =>
        word(
          await ask(api, 'POST', '/api/v1/orders', {
            body: { quoteId: spent, clientOrderId: `conformance-${randomUUID()}` },
            user,
          }),
        ),
    },
    {
      name: 'the order is found by its key',
      expected: 'one order, with its intent',
      ask: async () => {
        const page = await client.get('/api/v1/orders', { query: { externalUserId: user, clientOrderId } });
        const [found] = page.orders;
        return found?.orderId === orderId() && found.intent !== undefined ? 'one order, with its intent' : 'not found';
      },
    },
    {
      name: 'an order that does not exist',
      expected: '404 unknown_order',
      ask: async () => word(await ask(api, 'GET', '/api/v1/orders/ord_nobody')),
    },
    {
      name: 'the feed of a customer who does not exist',
      expected: '404 unknown_user',
      ask: async () =>
        word(await ask(api, 'GET', '/api/v1/reconciliation/feed', { query: { externalUserId: randomUUID() } })),
    },
    {
      name: 'a malformed cursor',
      expected: '400 invalid_cursor',
      ask: async () => word(await ask(api, 'GET', '/api/v1/orders', { query: { cursor: 'not-a-cursor' } })),
    },
    {
      name: 'reading the feed consumes nothing',
      expected: 'the same items twice',
      ask: async () => {
        const read = () => client.get('/api/v1/reconciliation/feed', { query: { externalUserId: user } });
        const [first, second] = [await read(), await read()];
        const names = (page: FeedPage) => page.items.map((item) => item.id).join();
        return first.items.length > 0 && names(first) === names(second) ? 'the same items twice' : 'different items';
      },
    },
  ];
}

function identities(money: Quote['operatorMoney']): string {
  if (money === null) {
    return 'no money block';
  }
  const debit = minor(money.actualDebit);
  const holds =
    minor(money.authorizationAmount) === debit + minor(money.releaseAmount) &&
    debit === minor(money.tradeAmount) + minor(money.platformFee) + minor(money.venueFee);
  return holds ? 'authorization = debit + release; debit = trade + fees' : JSON.stringify(money);
}
