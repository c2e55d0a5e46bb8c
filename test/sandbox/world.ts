/** One sandbox operator with a market, and the calls that these tests make of it. */
import { expect } from 'vitest';
import { seedMarket, type TestBook, type TestMarket } from '../support/market.ts';
import { startTestService, type TestResponse, type TestService } from '../support/service.ts';

export interface SandboxWorld {
  readonly service: TestService;
  market(name: string, book?: TestBook): Promise<TestMarket>;
  quote(user: string, market: TestMarket, body?: object): Promise<TestResponse>;
  /** Places an order of a new quote. */
  buy(user: string, market: TestMarket, clientOrderId: string, body?: object): Promise<TestResponse>;
  sell(
    user: string,
    market: TestMarket,
    clientOrderId: string,
    contracts: number,
    side?: string,
  ): Promise<TestResponse>;
  arm(body: object): Promise<TestResponse>;
  get(path: string): Promise<TestResponse>;
  balance(user: string): Promise<TestResponse>;
  positionOf(user: string, market: TestMarket): Promise<{ positionId: string; status: string; quantity: number }>;
  close(): Promise<void>;
}

export async function openSandbox(): Promise<SandboxWorld> {
  const service = await startTestService();
  const { request } = service;
  const world: SandboxWorld = {
    service,
    market: async (name, book) => {
      const market = await seedMarket(service.sql, name, book);
      await service.context.board.refresh();
      return market;
    },
    quote: (user, market, body = {}) =>
      request('POST', '/api/v1/quotes', {
        user,
        body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10, ...body },
      }),
    buy: async (user, market, clientOrderId, { intent, ...body }: { intent?: string } = {}) => {
      const quoted = await world.quote(user, market, body);
      expect(quoted.status).toBe(200);
      return request('POST', '/api/v1/orders', {
        user,
        body: { quoteId: quoted.body.quoteId, clientOrderId, ...(intent && { executionIntent: intent }) },
      });
    },
    sell: async (user, market, clientOrderId, contracts, side = 'YES') => {
      const quoted = await request('POST', '/api/v1/quotes', {
        user,
        body: { marketId: market.contractId, side, action: 'sell', contracts },
      });
      expect(quoted.status).toBe(200);
      return request('POST', '/api/v1/orders', { user, body: { quoteId: quoted.body.quoteId, clientOrderId } });
    },
    arm: (body) => request('POST', '/api/v1/sandbox/scenarios', { body: { kind: 'partial_fill', ...body } }),
    get: (path) => request('GET', path),
    balance: (user) => request('GET', `/api/v1/users/${encodeURIComponent(user)}/balance`),
    positionOf: async (user, market) => {
      const page = await request('GET', `/api/v1/positions?externalUserId=${user}`);
      return page.body.positions.find(({ contractId }: { contractId: string }) => contractId === market.contractId);
    },
    close: () => service.close(),
  };
  return world;
}
