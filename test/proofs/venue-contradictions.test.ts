/**
 * Venues that report what cannot be: an impossible fill, another order, a fee that changes, no answer at all. Such a report is
 * evidence, moves no money, and keeps the order open until the venue reports something possible.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type OrderToPlace,
  type PlaceAnswer,
  type VenueFill,
  type VenueOrder,
  VenueUnknown,
} from '../../src/venues/port.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
beforeAll(async () => {
  live = await openLive({ keepTrading: true });
});
afterAll(() => live.close());
beforeEach(async () => {
  live.venue.lookupIsComplete = true;
  live.venue.script = (order) => live.venue.fillWhole(order);
  tenant = await live.tenant();
});

const { send, ended, due, asked, evidence, bookedFee, holds } = createSentOrders(
  () => live,
  () => tenant,
);

describe('it says what cannot be', () => {
  type Lie = readonly [kind: string, lie: (fill: VenueFill, order: OrderToPlace) => VenueFill];
  const LIES: readonly Lie[] = [
    ['impossible_quantity', (fill, order) => ({ ...fill, quantityMicros: order.quantityMicros + 1n })],
    ['impossible_quantity', (fill) => ({ ...fill, quantityMicros: 0n })],
    ['impossible_quantity', (fill) => ({ ...fill, quantityMicros: -1_000_000n })],
    ['impossible_price', (fill) => ({ ...fill, priceMicros: 0n })],
    ['impossible_price', (fill) => ({ ...fill, priceMicros: 1_000_000n })],
    ['impossible_price', (fill) => ({ ...fill, priceMicros: -5n })],
    ['beyond_limit', (fill) => ({ ...fill, priceMicros: fill.priceMicros + 1n })],
    ['impossible_fee', (fill) => ({ ...fill, feeMicros: -1n })],
    ['foreign_fill', (fill) => ({ ...fill, ourId: 'att_somebody_else' })],
    ['foreign_fill', (fill) => ({ ...fill, listingId: 'another-listing' })],
  ];

  test.each(LIES)('%s', async (kind, lie) => {
    live.venue.script = (order) => {
      live.venue.fillWhole(order);
      live.venue.change(order.ourId, { fills: [lie(live.venue.fill(order, 0, 1_000_000n, 0), order)] });
      return { outcome: 'accepted', order: live.venue.orders.get(order.ourId) as VenueOrder };
    };
    const { orderId, sent } = await send();
    await until(
      () => evidence(orderId),
      (kinds) => kinds.length > 0,
    );
    expect(await evidence(orderId)).toEqual([kind]);
    expect((await holds(orderId)).filledQuantity).toBe(0);
    const report = await live.request('GET', '/api/v1/reconciliation', { key: tenant.key });
    expect(report.body.findings).toMatchObject([{ check: 'venue_evidence', subjectId: orderId }]);
    // it comes to its senses
    live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 7, sent.quantityMicros, 100)] });
    await due(orderId);
    expect((await ended(orderId)).status).toBe('filled');
    expect(await tenant.audit()).toEqual([]);
  });

  test('an order that is not ours, a fill that changed, a fee that turned negative', async () => {
    live.venue.script = (order) => live.venue.accept(order, [1_000_000n], 'working', null);
    const { orderId, sent } = await send();
    await until(
      () => tenant.read(orderId),
      (one) => one.status === 'partially_filled',
    );
    const right = live.venue.orders.get(sent.ourId) as VenueOrder;
    const fill = right.fills[0] as VenueFill;
    const wrong: Partial<VenueOrder>[] = [
      { side: 'NO', state: 'closed' },
      { listingId: 'another-listing', state: 'closed' },
      { fills: [{ ...fill, quantityMicros: 2_000_000n }], state: 'closed' },
      { fills: [{ ...fill, feeMicros: -100n }], state: 'closed' },
    ];
    for (const change of wrong) {
      live.venue.orders.set(sent.ourId, { ...right, ...change });
      await asked(orderId);
      await holds(orderId);
    }
    expect(await evidence(orderId)).toEqual(['fill_changed', 'foreign_order', 'foreign_order', 'impossible_fee']);
    live.venue.orders.set(sent.ourId, { ...right, fills: [{ ...fill, feeMicros: 10_000n }], state: 'closed' });
    await due(orderId);
    expect(await ended(orderId)).toMatchObject({ status: 'partially_filled', filledQuantity: 1 });
    expect(await tenant.audit()).toEqual([]);
  });

  test('a fee that the venue changes after it was read is evidence, moves no money and keeps the order open', async () => {
    live.venue.script = (order) => live.venue.accept(order, [1_000_000n], 'working', 100);
    const { orderId, sent } = await send();
    const before = await until(
      () => tenant.read(orderId),
      (one) => one.status === 'partially_filled',
    );
    const right = live.venue.orders.get(sent.ourId) as VenueOrder;
    const fill = right.fills[0] as VenueFill;
    const booked = await bookedFee(orderId);
    expect(booked).toBe(fill.feeMicros);
    // a venue that answers without the fee has said nothing new
    live.venue.orders.set(sent.ourId, { ...right, fills: [{ ...fill, feeMicros: null }] });
    await asked(orderId);
    expect(await evidence(orderId)).toEqual([]);
    live.venue.orders.set(sent.ourId, {
      ...right,
      fills: [{ ...fill, feeMicros: 5n + (fill.feeMicros ?? 0n) }],
      state: 'closed',
    });
    await asked(orderId);
    await until(
      () => evidence(orderId),
      (kinds) => kinds.length > 0,
    );
    expect(await evidence(orderId)).toEqual(['fee_changed']);
    expect(await holds(orderId)).toMatchObject({ operatorMoney: before.operatorMoney });
    expect(await bookedFee(orderId)).toBe(booked);
    const report = await live.request('GET', '/api/v1/reconciliation', { key: tenant.key });
    expect(report.body.findings).toMatchObject([{ check: 'venue_evidence', subjectId: orderId }]);
    live.venue.orders.set(sent.ourId, { ...right, state: 'closed' });
    await due(orderId);
    expect(await ended(orderId)).toMatchObject({ status: 'partially_filled', filledQuantity: 1 });
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 18.7
  test('wrong types, and answers that are no answers: asked again, slower and slower', async () => {
    const answers: unknown[] = [
      null,
      { outcome: 'accepted', order: null },
      { outcome: 'accepted', order: { fills: 'none' } },
      { outcome: 'accepted', order: { fills: [{ quantityMicros: '5', priceMicros: 0.5 }] } },
      'filled',
    ];
    for (const answer of answers) {
      live.venue.script = () => answer as PlaceAnswer;
      const { orderId, sent } = await send();
      live.venue.orders.set(sent.ourId, (answer as { order?: VenueOrder })?.order as VenueOrder);
      await asked(orderId);
      await holds(orderId);
      live.venue.fillWhole(sent);
      await due(orderId);
      expect((await ended(orderId)).status).toBe('filled');
    }
    expect(await tenant.audit()).toEqual([]);
  });

  test('a body that does not parse is kept word for word', async () => {
    const raw = { about: '/orders', reason: 'no JSON', raw: '<html>502</html>' };
    live.venue.script = () => {
      throw new VenueUnknown('paper', 'no JSON', { evidence: raw });
    };
    const { orderId } = await send();
    await until(
      () => evidence(orderId),
      (kinds) => kinds.length > 0,
    );
    const [row] = await live.sql`select raw from venue_evidence where order_id = ${orderId}`;
    expect(row?.['raw']).toEqual(raw);
    await holds(orderId);
  });
});
