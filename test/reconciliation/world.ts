/** A running service with customers that trade and positions that settle, and a way to damage its data behind its back. */
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { AnyJson } from '../support/any-json.ts';
import { seedMarket, type TestMarket } from '../support/market.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { withoutTriggers } from '../support/without-triggers.ts';

export interface World {
  readonly service: TestService;
  readonly operatorId: string;
  market(name: string): Promise<TestMarket>;
  /** Buys and returns the order as answered. */
  buy(market: TestMarket, user: string, side?: 'YES' | 'NO', stake?: number, body?: object): Promise<OrderAnswer>;
  sell(market: TestMarket, user: string, contracts: number, side?: 'YES' | 'NO'): Promise<OrderAnswer>;
  resolve(market: TestMarket, resolution: 'YES' | 'NO' | 'VOID' | 'SPLIT', yesWorth?: bigint): Promise<void>;
  /** As the owner of the tables, with triggers and constraints of the service out of the way. */
  damage(statement: string): Promise<void>;
  close(): Promise<void>;
}

export type OrderAnswer = AnyJson;

export async function startWorld(options: TestServiceOptions = {}): Promise<World> {
  const service = await startTestService(options);
  let orders = 0;
  async function trade(user: string, quote: object, extra: object = {}): Promise<OrderAnswer> {
    const quoted = await service.request('POST', '/api/v1/quotes', { user, body: quote });
    if (quoted.status !== 200) {
      throw new Error(`quote: ${quoted.text}`);
    }
    orders += 1;
    const placed = await service.request('POST', '/api/v1/orders', {
      user,
      body: { quoteId: quoted.body.quoteId, clientOrderId: `c-${orders}`, ...extra },
    });
    if (placed.status !== 201) {
      throw new Error(`order: ${placed.text}`);
    }
    return placed.body;
  }
  return {
    service,
    operatorId: service.operator.operatorId,
    market: async (name) => {
      const market = await seedMarket(service.sql, name);
      await service.context.board.refresh();
      return market;
    },
    buy: (market, user, side = 'YES', stake = 10, body = {}) =>
      trade(user, { marketId: market.contractId, side, action: 'buy', stake }, body),
    sell: (market, user, contracts, side = 'YES') =>
      trade(user, { marketId: market.contractId, side, action: 'sell', contracts }),
    resolve: async (market, resolution, yesWorth) => {
      await service.sql`select * from decide_market(${market.contractId}, 'resolve', ${resolution}, ${yesWorth ?? null})`;
      await settleMarket(service.sql, null);
    },
    damage: (statement) => withoutTriggers(service.database.ownerUrl, statement),
    close: () => service.close(),
  };
}
