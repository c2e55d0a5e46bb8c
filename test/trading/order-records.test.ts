/** The facts that an order leaves, field by field: recorded, confirmed, filled at once, withdrawn, rejected. Those of its fills: `fill-records.test.ts`. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/core/fact.ts';
import { filledAtOnce } from '../../src/trading/records/filled-at-once.ts';
import { orderCancelled } from '../../src/trading/records/order-cancelled.ts';
import { orderRejected } from '../../src/trading/records/order-ended.ts';
import { orderRecorded, reserveConfirmed } from '../../src/trading/records/order-recorded.ts';
import { stateChanged, stateOf } from '../../src/trading/records/order-state.ts';
import { COLUMNS, eventOf, FILLED, keysOf, NAMES, NOTHING_BOOKED, outline } from './order-facts.ts';
import { someBuy, someSell } from './some-order.ts';

const HELD = [
  ['wallet:ana', '1000'],
  ['hold:ana', '-1000'],
];
const RETURNED = [
  ['hold:ana', '1000'],
  ['wallet:ana', '-1000'],
];
const COMMITTED = [
  ['collateral:available', '1000'],
  ['collateral:committed', '-1000'],
];
const RELEASED = [
  ['collateral:committed', '1000'],
  ['collateral:available', '-1000'],
];

describe('an intent that is recorded', () => {
  const recorded = (mode: 'sandbox' | 'live', commitsMinor = 0n, order = someBuy({ status: 'reserve_pending' })) =>
    orderRecorded(stateOf(order), mode, commitsMinor);
  const STATE = ['order.state_changed', 'chg_', 'reserve_pending'];
  const EVENT = ['webhook.emitted', 'evn_', 'order.intent_recorded'];

  test('holds the amount in the wallet of a sandbox customer', () => {
    expect(outline(recorded('sandbox'))).toEqual([STATE, ['ledger.posted', 'ent_', HELD], EVENT]);
  });

  test('holds nothing of a live customer, and commits collateral where its reserve comes with it', () => {
    expect(outline(recorded('live'))).toEqual([STATE, EVENT]);
    const facts = recorded('live', 1_000n);
    expect(outline(facts)).toEqual([
      STATE,
      ['ledger.posted', 'ent_', COMMITTED],
      ['collateral.moved', 'mov_', 'commit'],
      EVENT,
    ]);
    expect(facts[2]?.money).toEqual({ currency: 'USD', amount: '10.00' });
  });

  test('holds nothing for a sell', () => {
    const sell = someSell({ status: 'reserve_pending' });
    expect(outline(recorded('sandbox', 0n, sell))).toEqual([STATE, EVENT]);
    expect(recorded('sandbox', 0n, sell)[0]?.money).toBeNull();
  });

  test('is reported with its names and its authorization', () => {
    const facts = recorded('live');
    expect(eventOf(facts, 'order.intent_recorded')).toEqual({
      ...NAMES,
      authorizationAmount: '10.00',
      currency: 'USD',
      transmitted: false,
    });
    expect(keysOf(facts)).toEqual(['order.intent_recorded:ord_1']);
    expect(facts[0]).toMatchObject({
      money: { ...NOTHING_BOOKED, venueFeeKnown: false },
      detail: {
        fromState: null,
        toState: 'reserve_pending',
        reason: null,
        side: 'YES',
        action: 'buy',
        orderStatus: 'reserve_pending',
        simulated: false,
      },
    });
  });
});

describe('a reserve that is confirmed', () => {
  const order = stateOf(someBuy({ status: 'pending_venue_execution' }));

  test('commits collateral, once', () => {
    const facts = reserveConfirmed(order, 'reserve_pending', 'live', 1_000n);
    expect(outline(facts)).toEqual([
      ['order.state_changed', 'chg_', 'pending_venue_execution'],
      ['ledger.posted', 'ent_', COMMITTED],
      ['collateral.moved', 'mov_', 'commit'],
    ]);
    expect(facts[0]?.detail).toMatchObject({ fromState: 'reserve_pending' });
  });

  test('changes the state alone where nothing is committed', () => {
    expect(outline(reserveConfirmed(order, 'reserve_pending', 'sandbox', 0n))).toEqual([
      ['order.state_changed', 'chg_', 'pending_venue_execution'],
    ]);
  });

  test('cannot lead to a state that nothing leads to', () => {
    expect(() => stateChanged(order, 'filled')).toThrow(
      'no transition of an order from filled to pending_venue_execution',
    );
  });
});

describe('an order that is withdrawn', () => {
  const withdrawn = (mode: 'sandbox' | 'live', order = someBuy({ status: 'pending_venue_execution' })) =>
    orderCancelled(order, mode, 'can_1', 'market_unavailable');
  const STATE = ['order.state_changed', 'chg_', 'cancelled'];
  const EVENT = ['webhook.emitted', 'evn_', 'order.cancelled'];

  test('gives a sandbox wallet back what it held, confirmed or not', () => {
    for (const reserveConfirmedAt of [null, new Date()]) {
      const facts = withdrawn('sandbox', someBuy({ status: 'reserve_pending', reserveConfirmedAt }));
      expect(outline(facts)).toEqual([STATE, ['ledger.posted', 'ent_', RETURNED], EVENT]);
    }
  });

  test('releases the collateral that its reserve had committed', () => {
    const facts = withdrawn('live');
    expect(outline(facts)).toEqual([
      STATE,
      ['ledger.posted', 'ent_', RELEASED],
      ['collateral.moved', 'mov_', 'release'],
      EVENT,
    ]);
    expect(facts[2]?.money).toEqual({ currency: 'USD', amount: '10.00' });
  });

  test('releases nothing before its reserve was confirmed, for a sell, and for an order of nothing', () => {
    expect(outline(withdrawn('live', someBuy({ status: 'reserve_pending', reserveConfirmedAt: null })))).toEqual([
      STATE,
      EVENT,
    ]);
    for (const mode of ['live', 'sandbox'] as const) {
      const sell = someSell({ status: 'pending_venue_execution', authorizationMinor: 1_000n });
      expect(outline(withdrawn(mode, sell))).toEqual([STATE, EVENT]);
      const nothing = someBuy({ status: 'pending_venue_execution', authorizationMinor: 0n });
      expect(outline(withdrawn(mode, nothing))).toEqual([STATE, EVENT]);
    }
  });

  test('is reported with its reason and its release', () => {
    const facts = withdrawn('live');
    expect(eventOf(facts, 'order.cancelled')).toEqual({
      ...NAMES,
      action: 'buy',
      cancellationId: 'can_1',
      currency: 'USD',
      authorizationAmount: '10.00',
      actualDebit: '0.00',
      releaseAmount: '10.00',
      reason: 'market_unavailable',
      transmitted: false,
    });
    expect(keysOf(facts)).toEqual(['order.cancelled:ord_1']);
    expect(facts[0]).toMatchObject({
      money: { ...NOTHING_BOOKED, venueFeeKnown: true },
      detail: { fromState: 'pending_venue_execution', toState: 'cancelled', reason: 'market_unavailable' },
    });
  });
});

describe('a simulated order', () => {
  const buy = (changes = {}) =>
    stateOf(someBuy({ simulated: true, status: 'filled', transmissionState: 'resolved', ...changes }), COLUMNS);
  const fill = { quantityMicros: 17_000_000n, priceMicros: 570_000n };
  const money = { ...FILLED, venueFeeMinor: 0n };

  test('that was rejected says why, or that the price moved', () => {
    const order = stateOf(someBuy({ status: 'rejected', transmissionState: 'resolved' }), { venueFeeKnown: true });
    for (const [reason, said] of [
      ['halted', 'halted'],
      [null, 'price_moved'],
    ] as const) {
      const facts = orderRejected(order, reason);
      expect(outline(facts)).toEqual([
        ['order.state_changed', 'chg_', 'rejected'],
        ['webhook.emitted', 'evn_', 'order.rejected'],
      ]);
      expect(facts[0]?.detail).toMatchObject({ fromState: null, reason: 'price_moved' });
      expect(eventOf(facts, 'order.rejected')).toEqual({
        ...NAMES,
        reason: said,
        operatorMoney: { ...NOTHING_BOOKED, venueFeeKnown: true },
      });
      expect(keysOf(facts)).toEqual(['order.rejected:ord_1']);
    }
  });

  test.each([
    ['sandbox', 'wallet:ana'],
    ['live', 'operator:cash'],
  ] as const)('of a %s operator pays its contracts from %s', (mode, source) => {
    expect(outline(filledAtOnce(buy(), mode, fill, money, []))).toEqual([
      ['order.state_changed', 'chg_', 'filled'],
      ['order.filled', 'fil_', undefined],
      [
        'ledger.posted',
        'ent_',
        [
          [source, '989'],
          ['stakes', '-969'],
          ['fees:platform', '-20'],
        ],
      ],
      ['fee.assessed', 'fee_', 'platform'],
      ['webhook.emitted', 'evn_', 'order.filled'],
    ]);
  });

  test('that sells has the facts of its exit in their place', () => {
    const exit: Fact = { type: 'position.exited', itemId: 'exi_1', money: null, detail: {} };
    const sell = stateOf(someSell({ status: 'filled', transmissionState: 'resolved' }), COLUMNS);
    expect(outline(filledAtOnce(sell, 'sandbox', fill, money, [exit]))).toEqual([
      ['order.state_changed', 'chg_', 'filled'],
      ['order.filled', 'fil_', undefined],
      ['position.exited', 'exi_', undefined],
      ['webhook.emitted', 'evn_', 'order.filled'],
    ]);
  });

  test('has items whose ids are those of the order, and their short forms', () => {
    const facts = filledAtOnce(buy(), 'sandbox', fill, money, []);
    expect(facts.filter(({ short }) => short !== undefined).map(({ itemId, short }) => [itemId, short])).toEqual([
      [
        'chg_1',
        [
          'filled',
          'YES',
          'buy',
          'inl_Best_00000000000000',
          'mkt_1',
          '10.00',
          '9.94',
          '0.06',
          '9.69',
          '0.20',
          '\tkey-1',
        ],
      ],
      ['fil_1', ['17', '0.57']],
      ['fee_1', ['0.20', '200']],
      ['evn_1', []],
    ]);
  });
});
