/** The world that fuzzed requests are sent to: a sandbox tenant with orders, positions and sessions, and another tenant of whom nothing may be seen. */
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';
import type { Operation, Pools } from './request-arbitrary.ts';

export interface FuzzWorld {
  readonly live: Live;
  readonly pools: Pools;
  /** Texts that only the other tenant's things contain. */
  readonly foreign: readonly string[];
  credentials(operation: Operation): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const FOREIGN_USER = 'nobody-elses-customer';
/** Budgets of keys and sessions are not what is tested, so there are several. */
const CALLERS = 12;

export async function openFuzzWorld(): Promise<FuzzWorld> {
  const live = await openLive({ environment: { INLAY_ANONYMOUS_RATE: '1000000' } });
  const own = await live.tenant({ mode: 'sandbox', rateCeiling: 10_000_000 });
  const other = await live.tenant({ mode: 'sandbox' });
  const [mine, theirs] = [await inhabit(live, own, 'ana'), await inhabit(live, other, FOREIGN_USER)];
  const names = (kind: 'orders' | 'positions' | 'deposits' | 'quotes') => [...mine[kind], ...theirs[kind]];
  const users = ['ana', 'ben', FOREIGN_USER];
  const session = async () => {
    const minted = await live.request('POST', '/api/v1/embed-sessions', {
      key: own.key,
      body: { externalUserId: 'ana' },
    });
    return minted.body as { token: string; sessionId: string };
  };
  const keys = await Promise.all(Array.from({ length: CALLERS }, () => live.issueKey(own.operator)));
  const sessions = await Promise.all(keys.map(session));
  let turn = 0;
  const spare = await session();
  const contracts = [live.market.contractId];
  return {
    live,
    pools: {
      'orders.id': names('orders'),
      'positions.id': names('positions'),
      'users.id': users,
      'events.id': [live.market.eventId],
      'images.id': [live.market.eventId],
      'deposits.id': names('deposits'),
      'embed-sessions.id': [spare.sessionId],
      marketId: contracts,
      contracts,
      quoteId: names('quotes'),
      clientOrderId: ['key-a', 'key-b'],
      positionId: names('positions'),
      externalUserId: users,
      cursor: mine.cursors,
      symbol: ['USDC'],
      kind: ['partial_fill', 'orders', 'feed', 'settlements'],
    },
    // ids that a request names come back in refusals; these are never named
    foreign: [other.key, other.operator.operatorId, ...theirs.executionRefs],
    credentials: ({ isEmbed, isOpen }): Readonly<Record<string, string>> => {
      if (isOpen) {
        return {};
      }
      turn = (turn + 1) % CALLERS;
      if (isEmbed) {
        return { authorization: `Embed ${sessions[turn]?.token}` };
      }
      return { authorization: `Bearer ${keys[turn]?.apiKey}`, 'x-service-user': 'ana' };
    },
    close: () => live.close(),
  };
}

async function inhabit(live: Live, tenant: Tenant, user: string) {
  const orders: string[] = [];
  const executionRefs: string[] = [];
  const quotes: string[] = [];
  for (const executionIntent of ['simulate', 'simulate', 'record_intent', 'record_intent']) {
    const placed = await tenant.place(user, { executionIntent });
    orders.push(placed.body.orderId);
    executionRefs.push(placed.body.executionRef);
  }
  for (let quote = 0; quote < 20; quote += 1) {
    quotes.push((await tenant.quote(user)).body.quoteId);
  }
  const get = async (path: string) => (await live.request('GET', `/api/v1/${path}`, { key: tenant.key })).body;
  const deposit = await live.request('POST', '/api/v1/funding/deposit-address', {
    key: tenant.key,
    user,
    body: { symbol: 'USDC', chainId: 1 },
  });
  const { positions } = await get('positions');
  return {
    orders,
    executionRefs,
    quotes,
    positions: positions.map(({ positionId }: { positionId: string }) => positionId) as string[],
    deposits: [String(deposit.body.depositId)],
    cursors: [
      (await get('orders?limit=1')).nextCursor,
      (await get('reconciliation/feed?limit=1')).nextCursor,
    ] as string[],
  };
}
