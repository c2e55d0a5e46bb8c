/**
 * The feed alone: every balance, position and settlement is rebuilt from its items and equals what the service says. And a
 * copy of the data in another cluster answers the same cursors.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedItem } from '../../src/wire/feed.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
const SEED = Number(process.env['SEED'] ?? 20_261_121);

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));
const micros = (quantity: number): bigint => BigInt(Math.round(quantity * 1e6));

interface Position {
  quantity: bigint;
  cost: bigint;
  realised: bigint;
  status: 'open' | 'closed' | 'settled';
}

/** A reader that knows the contract and nothing else. */
function replay(items: readonly FeedItem[]) {
  const balances = new Map<string, bigint>();
  const positions = new Map<string, Position>();
  const settlements: object[] = [];
  const debited = new Map<string, bigint>();
  const actions = new Map<string, 'buy' | 'sell'>();
  const debits = new Map<string, bigint>();
  const at = (id: string | null): Position => {
    const found = positions.get(id ?? '') ?? { quantity: 0n, cost: 0n, realised: 0n, status: 'open' };
    positions.set(id ?? '', found);
    return found;
  };
  for (const item of items) {
    switch (item.type) {
      case 'ledger.posted':
        for (const { accountId, debit, credit } of item.money.lines) {
          balances.set(accountId, (balances.get(accountId) ?? 0n) + cents(debit) - cents(credit));
        }
        break;
      case 'order.state_changed': {
        actions.set(item.orderId ?? '', item.detail.action);
        if (item.money !== null) {
          const before = debited.get(item.orderId ?? '') ?? 0n;
          const now = cents(item.money.actualDebit);
          debited.set(item.orderId ?? '', now);
          debits.set(item.externalUserId ?? '', (debits.get(item.externalUserId ?? '') ?? 0n) + now - before);
          if (now !== before) {
            at(item.positionId).cost += now - before;
          }
        }
        break;
      }
      case 'order.filled':
        if (actions.get(item.orderId ?? '') === 'buy') {
          at(item.positionId).quantity += micros(item.detail.quantity);
        }
        break;
      case 'position.exited': {
        const position = at(item.positionId);
        position.quantity -= micros(item.detail.quantity);
        position.cost -= cents(item.detail.costBasis);
        position.realised += cents(item.detail.realisedPnl);
        expect(position.quantity).toBe(micros(item.detail.quantityRemaining));
        position.status = position.quantity === 0n ? 'closed' : 'open';
        break;
      }
      case 'position.settled': {
        const position = at(item.positionId);
        expect(position.quantity).toBe(micros(item.detail.contracts));
        const credit = cents(item.money.settlementCredit) + cents(item.money.voidCredit);
        expect(credit - position.cost).toBe(cents(item.detail.realisedPnl));
        position.realised += cents(item.detail.realisedPnl);
        expect(position.realised).toBe(cents(item.detail.lifetimeRealisedPnl));
        Object.assign(position, { quantity: 0n, cost: 0n, status: 'settled' });
        settlements.push({
          id: item.id,
          positionId: item.positionId,
          externalUserId: item.externalUserId,
          side: item.detail.side,
          resolution: item.detail.resolution,
          outcome: item.detail.outcome,
          contracts: item.detail.contracts,
          realisedPnl: item.detail.realisedPnl,
          lifetimeRealisedPnl: item.detail.lifetimeRealisedPnl,
          operatorMoney: item.money,
        });
        break;
      }
      default:
        break;
    }
  }
  return { balances, positions, settlements };
}

async function readAll<T>(path: string, name: string): Promise<T[]> {
  const all: T[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await world.request('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    all.push(...body[name]);
    if (!body.hasMore) {
      return all;
    }
    cursor = body.nextCursor;
  }
}

// contract 21.14
test(`random trading, replayed from the feed alone (SEED=${SEED})`, async () => {
  const random = randomFrom(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const markets = await Promise.all(['r1', 'r2', 'r3', 'r4', 'r5'].map((name) => world.openMarket(name)));
  const users = ['ana', 'ben', 'cem', 'dora'];
  for (let step = 0; step < 90; step += 1) {
    const market = pick(markets);
    const user = pick(users);
    const side = pick(['YES', 'NO'] as const);
    const dice = random();
    if (dice < 0.55) {
      if (random() < 0.3) {
        await world.request('POST', '/api/v1/sandbox/scenarios', {
          body: { kind: 'partial_fill', fillFraction: Math.round(random() * 98 + 1) / 100 },
        });
      }
      await world.buy(market, user, side, Math.round(random() * 20_000 + 200) / 100);
    } else if (dice < 0.9) {
      const held = await readAll<{ contractId: string; side: 'YES' | 'NO'; quantity: number }>(
        `/api/v1/positions?externalUserId=${user}&status=open`,
        'positions',
      );
      const position = held.find((one) => one.contractId === market.contractId && one.quantity > 1);
      if (position !== undefined) {
        const part = random() < 0.4 ? position.quantity : Math.floor(position.quantity * random() * 1e6) / 1e6;
        await world.sell(market, user, Math.max(part, 0.5), position.side).catch(() => {});
      }
    } else {
      const intent = await world.buy(market, user, side, 25, { executionIntent: 'record_intent' });
      if (random() < 0.5) {
        await world.request('POST', `/api/v1/orders/${intent.orderId}/cancel`, { body: {} });
      }
    }
  }
  const [won, lost, annulled, split] = markets;
  if (won && lost && annulled && split) {
    await world.resolve(won, 'YES');
    await world.resolve(lost, 'NO');
    await world.resolve(annulled, 'VOID');
    await world.resolve(split, 'SPLIT', 613_427n);
  }

  const items = await readAll<FeedItem>('/api/v1/reconciliation/feed?limit=500', 'items');
  expect(items.map((item) => item.sequence)).toEqual(items.map((_, index) => index + 1));
  const rebuilt = replay(items);

  const balances = await world.sql<{ accountId: string; balance: bigint }[]>`
    select account_id, balance from account_balances where operator_id = ${world.operator.operatorId} and balance <> 0`;
  expect(new Map([...rebuilt.balances].filter(([, balance]) => balance !== 0n))).toEqual(
    new Map(balances.map((row) => [row.accountId, row.balance])),
  );

  interface PositionAnswer {
    positionId: string;
    status: string;
    quantity: number;
    operatorMoney: { costBasis: string; realisedPnl: string };
  }
  const positions = await readAll<PositionAnswer>('/api/v1/positions?limit=200', 'positions');
  expect(positions.length).toBeGreaterThan(10);
  expect(rebuilt.positions).toEqual(
    new Map(
      positions.map((one) => [
        one.positionId,
        {
          status: one.status,
          quantity: micros(one.quantity),
          cost: cents(one.operatorMoney.costBasis),
          realised: cents(one.operatorMoney.realisedPnl),
        },
      ]),
    ),
  );

  const settlements = await readAll<Record<string, unknown>>('/api/v1/settlements?limit=500', 'settlements');
  expect(settlements).toMatchObject(rebuilt.settlements);
  expect(settlements).toHaveLength(rebuilt.settlements.length);
  const report = await world.request('GET', '/api/v1/reconciliation');
  expect(report.body.findings).toEqual([]);
}, 120_000);
