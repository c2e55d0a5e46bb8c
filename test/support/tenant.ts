/** An operator that trades through HTTP, and what it is told. */
import { expect } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import type { AnyJson } from './any-json.ts';
import { audit } from './audit.ts';
import { readEventsOf } from './events.ts';
import { readItems } from './items.ts';
import type { TestMarket } from './market.ts';

export interface TestRequest {
  /** Left out, the key of the demo operator; null sends none. */
  readonly key?: string | null;
  /** Sent as X-Service-User. */
  readonly user?: string;
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: AnyJson;
}

export interface Tenant {
  readonly operator: Operator;
  readonly key: string;
  /** Asks to buy YES for 10.00 of the world's first market, where nothing else is said. */
  quote(user: string, body?: object): Promise<TestResponse>;
  /** Quotes, and places the order under a key of its own. */
  place(user: string, order?: object, quote?: object): Promise<TestResponse>;
  order(user: string, body: object): Promise<TestResponse>;
  /** Places an order that has to be taken. @returns its answer */
  buy(market: TestMarket, user: string, side?: 'YES' | 'NO', stake?: number, order?: object): Promise<AnyJson>;
  sell(market: TestMarket, user: string, contracts: number, side?: 'YES' | 'NO'): Promise<AnyJson>;
  read(orderId: string): Promise<AnyJson>;
  confirm(orderId: string, body?: object): Promise<TestResponse>;
  cancel(orderId: string): Promise<TestResponse>;
  balance(user: string): Promise<TestResponse>;
  /** The position of a customer in a market. */
  positionOf(user: string, market: TestMarket): Promise<AnyJson>;
  /** The order's states as the feed tells them, `from>to`. */
  told(orderId: string): Promise<string[]>;
  /** Types of the webhook events of the order. */
  events(orderId: string): Promise<string[]>;
  set(column: string, value: unknown): Promise<void>;
  audit(): Promise<string[]>;
}

interface Traded {
  readonly sql: Sql;
  request(method: string, path: string, options?: TestRequest): Promise<TestResponse>;
  /** The contract that is traded where a quote names none. */
  market(): string | undefined;
  /** A client's key that no other order of this database has. */
  newKey(): string;
}

export function openTenant({ sql, request, market, newKey }: Traded, operator: Operator, key: string): Tenant {
  const { operatorId } = operator;
  const taken = async (user: string, quote: object, order: object = {}): Promise<AnyJson> => {
    const placed = await tenant.place(user, order, quote);
    expect(placed.status, placed.text).toBe(201);
    return placed.body;
  };
  const tenant: Tenant = {
    operator,
    key,
    quote: (user, body = {}) => {
      const asked = { marketId: market(), side: 'YES', action: 'buy', stake: 10, ...body };
      return request('POST', '/api/v1/quotes', { key, user, body: asked });
    },
    order: (user, body) => request('POST', '/api/v1/orders', { key, user, body }),
    place: async (user, order = {}, quote = {}) => {
      const quoted = await tenant.quote(user, quote);
      expect(quoted.status, quoted.text).toBe(200);
      return tenant.order(user, { quoteId: quoted.body.quoteId, clientOrderId: newKey(), ...order });
    },
    buy: ({ contractId }, user, side = 'YES', stake = 10, order = {}) =>
      taken(user, { marketId: contractId, side, stake }, order),
    sell: ({ contractId }, user, contracts, side = 'YES') =>
      taken(user, { marketId: contractId, side, action: 'sell', stake: undefined, contracts }),
    read: async (orderId) => (await request('GET', `/api/v1/orders/${orderId}?fills=true`, { key })).body,
    confirm: (orderId, body) =>
      request('POST', `/api/v1/orders/${orderId}/confirm-reserve`, { key, ...(body && { body }) }),
    cancel: (orderId) => request('POST', `/api/v1/orders/${orderId}/cancel`, { key }),
    balance: (user) => request('GET', `/api/v1/users/${encodeURIComponent(user)}/balance`, { key }),
    positionOf: async (user, { contractId }) => {
      const { body } = await request('GET', `/api/v1/positions?externalUserId=${user}`, { key });
      return body.positions.find((position: AnyJson) => position.contractId === contractId);
    },
    told: async (orderId) => {
      const items = await readItems(sql, operatorId);
      return items
        .filter((item) => item.orderId === orderId && item.type === 'order.state_changed')
        .map(({ detail }) => `${detail.fromState ?? ''}>${detail.toState}`);
    },
    events: async (orderId) => (await readEventsOf(sql, operatorId, orderId)).map(({ type }) => type),
    set: async (column, value) => {
      await sql`update operators set ${sql({ [column]: value } as never)} where operator_id = ${operatorId}`;
    },
    audit: async () => [...(await audit(sql, operatorId)), ...(await criticalFindings(sql, operatorId))],
  };
  return tenant;
}

/** The report of the service itself has to agree with the auditor, who knows none of its code. */
async function criticalFindings(sql: Sql, operatorId: string): Promise<string[]> {
  const { findings } = await runReport(sql, operatorId);
  return (
    findings
      .filter(({ severity }) => severity === 'critical')
      .map(({ check, subjectId, detail }) => `${check} of ${subjectId}: ${detail}`)
      // tests move attempts into the past
      .filter((problem) => !/The attempt has .* as (sent|expires) at/.test(problem))
  );
}
