/** Every answer has the fields that the contract names for its resource, and no others: compared key by key, not by our own schemas. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readEvents } from '../support/events.ts';
import type { TestMarket } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import {
  BUY_MONEY,
  CANCELLATION,
  EVENTS,
  EXIT_MONEY,
  FILL_MONEY,
  INTENT,
  ITEM,
  ITEMS,
  ORDER,
  POSITION,
  QUOTE,
  SETTLEMENT,
  SETTLEMENT_MONEY,
} from './answer-fields.ts';

type Json = AnyJson;
const keysOf = (value: object) => Object.keys(value).sort();
const sorted = (keys: readonly string[]) => [...keys].sort();
const AMOUNT = /^-?\d+\.\d{2}$/;

/** Identities of the contract, in cents. */
function holds(money: Json): void {
  const cents = (text: string) => {
    expect(text).toMatch(AMOUNT);
    return BigInt(text.replace('.', ''));
  };
  expect(cents(money.authorizationAmount)).toBe(cents(money.actualDebit) + cents(money.releaseAmount));
  expect(cents(money.actualDebit)).toBe(cents(money.tradeAmount) + cents(money.platformFee) + cents(money.venueFee));
}

let live: Live;
let market: TestMarket;
let sandbox: Tenant;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive();
  market = live.market;
  sandbox = await live.tenant({ mode: 'sandbox' });
  tenant = await live.tenant();
});
afterAll(() => live.close());

const get = async (path: string, by: Tenant) => (await live.request('GET', `/api/v1/${path}`, { key: by.key })).body;

describe('resources', () => {
  // contract 9.4, contract 9.7, contract 9.8, contract 9.9, contract 10.15, contract 11.1, contract 11.10, contract 11.16, contract 13.17, contract 14.6, contract 15.1, contract 15.2
  test('quote of a buy and of a sell, order, fills, position, cancellation', async () => {
    const buy = (await sandbox.quote('ana')).body;
    expect(keysOf(buy)).toEqual(sorted(QUOTE));
    expect(keysOf(buy.operatorMoney)).toEqual(sorted(BUY_MONEY));
    expect(buy.operatorExitMoney).toBeNull();
    expect(keysOf(buy.freshness)).toEqual(['ageSeconds', 'feed', 'level']);
    expect(buy.routing).toEqual({ consideredVenues: 1, routable: false });
    holds(buy.operatorMoney);
    expect(buy.operatorMoney).toMatchObject({ venueFee: '0.00', venueFeeKnown: false });

    const placed = (await sandbox.order('ana', { quoteId: buy.quoteId, clientOrderId: 'shape' })).body;
    expect(keysOf(placed)).toEqual(sorted(ORDER));
    expect(placed.routing).toEqual({ reason: 'single_venue', consideredVenues: 1 });
    holds(placed.operatorMoney);
    const read = await get(`orders/${placed.orderId}?fills=true`, sandbox);
    expect(keysOf(read)).toEqual(sorted([...ORDER, 'intent', 'fills']));
    expect(keysOf(read.intent)).toEqual(sorted(INTENT));
    expect(keysOf(read.fills[0])).toEqual(['fillId', 'filledAt', 'price', 'quantity']);
    expect(await get(`orders/${placed.orderId}?fills=True`, sandbox)).not.toHaveProperty('fills');
    const [listed] = (await get('orders?externalUserId=ana', sandbox)).orders;
    expect(keysOf(listed)).toEqual(sorted(ORDER));

    const sell = (await sandbox.quote('ana', { action: 'sell', stake: undefined, contracts: 5 })).body;
    expect(keysOf(sell)).toEqual(sorted(QUOTE));
    expect(keysOf(sell.operatorExitMoney)).toEqual(sorted(EXIT_MONEY));
    expect([sell.operatorMoney, sell.stake]).toEqual([null, null]);
    expect([sell.tradeAmount, sell.potentialPayout]).toEqual([2.75, Number(sell.operatorExitMoney.sellProceeds)]);

    const [position] = (await get('positions?externalUserId=ana', sandbox)).positions;
    expect(keysOf(position)).toEqual(sorted(POSITION));
    expect(keysOf(position.operatorMoney)).toEqual(['costBasis', 'currency', 'realisedPnl']);
    expect(await get(`positions/${position.positionId}`, sandbox)).toEqual(position);

    const intent = await tenant.place('ana');
    const cancelled = await tenant.cancel(intent.body.orderId);
    expect(keysOf(cancelled.body)).toEqual(sorted(CANCELLATION));
    expect(keysOf((await tenant.cancel(intent.body.orderId)).body)).toEqual(
      sorted([...CANCELLATION, 'idempotentReplay']),
    );
    const withdrawn = await tenant.read(intent.body.orderId);
    expect(withdrawn.intent).toMatchObject({
      cancellationId: cancelled.body.cancellationId,
      releaseAmount: '10.00',
      cancelledAt: expect.any(String),
    });
  });

  // contract 16.1, contract 16.10
  test('settlement, in the register and in the deprecated list', async () => {
    const settled = await live.openMarket(`settled${Date.now()}`);
    await sandbox.place('sue', {}, { marketId: settled.contractId });
    await live.sql`select * from decide_market(${settled.contractId}, 'resolve', 'YES', null)`;
    await settleMarket(live.sql, settled.contractId);
    const page = await get('settlements?externalUserId=sue', sandbox);
    expect(keysOf(page)).toEqual(['count', 'hasMore', 'nextCursor', 'settlements']);
    expect(keysOf(page.settlements[0])).toEqual(sorted(SETTLEMENT));
    expect(keysOf(page.settlements[0].operatorMoney)).toEqual(sorted(SETTLEMENT_MONEY));
    const old = await get('settlements/positions?externalUserId=sue', sandbox);
    expect(keysOf(old)).toEqual(['count', 'cursor', 'settlements', 'supersededBy']);
    expect(old.settlements[0].contractId).toBe(settled.contractId);
    await live.sql`select * from decide_market(${settled.contractId}, 'resolve', 'NO', null)`;
    expect(await raiseResolutionChanges(live.sql, settled.contractId)).toBe(1);
  });
});

describe('the feed and the events', () => {
  // contract 2.4, contract 4.4, contract 21.6, contract 21.7, contract 26.5, contract 26.6, contract 26.11, contract 26.13, contract 26.14, contract 26.15, contract 26.16, contract 26.17
  test('carry exactly the named fields, of sandbox and live orders in every outcome', async () => {
    const { venue } = live;
    const half = (micros: bigint) => micros / 2n - ((micros / 2n) % 10_000n);
    await tenant.place('ben', { reserveReference: 'r' });
    await tenant.place('ben', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts: 5 });
    venue.script = (order) => venue.accept(order, [half(order.quantityMicros)], 'closed');
    const part = await tenant.place('cem', { reserveReference: 'r' });
    venue.script = (order) => venue.accept(order, [], 'closed');
    const unfilled = await tenant.place('dan', { reserveReference: 'r' });
    venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
    const rejected = await tenant.place('eva', { reserveReference: 'r' });
    venue.script = (order) => venue.fillWhole(order);
    expect([part, unfilled, rejected].map(({ body }) => body.status)).toEqual([
      'partially_filled',
      'cancelled',
      'rejected',
    ]);
    await live.sql`select * from decide_market(${market.contractId}, 'resolve', 'NO', null)`;
    await until(
      () => settleMarket(live.sql, market.contractId),
      (count) => count === 0,
    );

    const seen = new Set<string>();
    for (const by of [sandbox, tenant]) {
      const page = await get('reconciliation/feed?limit=500', by);
      expect(keysOf(page)).toEqual(['hasMore', 'items', 'nextCursor']);
      for (const item of page.items) {
        const named = ITEMS[item.type];
        seen.add(item.type);
        expect(keysOf(item), item.type).toEqual(sorted(ITEM));
        expect(keysOf(item.detail), item.type).toEqual(sorted(named?.detail ?? []));
        if (item.money === null) {
          expect(named?.money === null || item.detail.action === 'sell', item.type).toBe(true);
        } else {
          expect(keysOf(item.money), item.type).toEqual(sorted(named?.money ?? []));
        }
        if (item.type === 'order.state_changed' && item.money !== null) {
          holds(item.money);
        }
        if (item.type === 'ledger.posted') {
          expect(item.positionId).toBeNull();
          for (const line of item.money.lines) {
            expect(keysOf(line)).toEqual(['accountId', 'credit', 'debit']);
          }
        }
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(ITEMS).sort());

    const events = await readEvents(live.sql);
    const keyOf: Readonly<Record<string, (data: Json, operatorId: string) => string>> = {
      'order.filled': (data) => `${data.orderId}:${data.fillId}`,
      'position.settled': (data) => data.positionId,
      'market.resolution_changed': (data, operatorId) =>
        `${data.contractId}:${data.settledResolution}->${data.currentResolution}:${operatorId}`,
    };
    for (const { type, dedupeKey: key, data, operatorId } of events) {
      expect(keysOf(data), type).toEqual(sorted(EVENTS[type] ?? []));
      expect(key).toBe(`${type}:${keyOf[type]?.(data, operatorId) ?? data.orderId}`);
      if (type === 'order.filled') {
        expect(keysOf(data.fillMoney)).toEqual(sorted(FILL_MONEY));
        expect(data.final).toBe(data.transmissionState === 'resolved');
        expect([data.fillMoney.actualDebit, data.fillMoney.sellProceeds].filter((one) => one === null)).toHaveLength(1);
        expect(data.fillMoney[data.action === 'buy' ? 'actualDebit' : 'sellProceeds']).toMatch(AMOUNT);
      }
      if (data.operatorMoney?.authorizationAmount !== undefined) {
        holds(data.operatorMoney);
      }
    }
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(Object.keys(EVENTS).sort());
    const completed = events
      .filter(({ type }) => type === 'order.completed')
      .map(({ data }) => [data.outcome, data.partial]);
    expect(completed.sort()).toEqual([
      ['closed_partial', true],
      ['closed_unfilled', false],
    ]);
  });
});
