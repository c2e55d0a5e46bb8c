/** The rows that an order leaves in the journal, as they are told: recorded, confirmed, filled at once, withdrawn, rejected. Those of its fills: `fill-rows.test.ts`. */
import { describe, expect, test } from 'vitest';
import { exitShare } from '../../src/money/exit.ts';
import {
  orderEnds,
  orderExecuted,
  orderRecorded,
  orderWithdrawn,
  reserveConfirmed,
  stateChanged,
} from '../../src/trading/orders/journal-rows.ts';
import { someBuy, someSell } from './some-order.ts';
import { COLUMNS, eventOf, keysOf, NAMES, NOTHING_BOOKED, outline, told } from './told.ts';

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
    told(orderRecorded(order, mode, commitsMinor));
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
    expect(facts[2]?.money).toMatchObject({ currency: 'USD', amount: '10.00' });
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
  const order = someBuy({ status: 'pending_venue_execution' });

  test('commits collateral, once', () => {
    const facts = told(reserveConfirmed(order, 'reserve_pending', 'live', 1_000n, null));
    expect(outline(facts)).toEqual([
      ['order.state_changed', 'chg_', 'pending_venue_execution'],
      ['ledger.posted', 'ent_', COMMITTED],
      ['collateral.moved', 'mov_', 'commit'],
    ]);
    expect(facts[0]?.detail).toMatchObject({ fromState: 'reserve_pending' });
  });

  test('changes the state alone where nothing is committed', () => {
    expect(outline(told(reserveConfirmed(order, 'reserve_pending', 'sandbox', 0n, null)))).toEqual([
      ['order.state_changed', 'chg_', 'pending_venue_execution'],
    ]);
  });

  test('cannot lead to a state that nothing leads to', () => {
    expect(() => stateChanged('reserve_confirmed', order, 'filled')).toThrow(
      'no transition of an order from filled to pending_venue_execution',
    );
  });
});

describe('an order that is withdrawn', () => {
  const withdrawn = (mode: 'sandbox' | 'live', order = someBuy({ status: 'pending_venue_execution' })) =>
    told(orderWithdrawn(order, mode, 'can_1', 'market_unavailable'));
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
    expect(facts[2]?.money).toMatchObject({ currency: 'USD', amount: '10.00' });
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
  const buy = (changes = {}) => ({
    ...someBuy({ simulated: true, status: 'filled', transmissionState: 'resolved', ...changes }),
    ...COLUMNS,
  });
  const fill = { quantityMicros: 17_000_000n, priceMicros: 570_000n };

  test('that was rejected says that the price moved, and its event why', () => {
    const order = { ...someBuy({ status: 'rejected', transmissionState: 'resolved' }), venueFeeKnown: true };
    const items = told([
      stateChanged('order_executed', order, null, { reason: 'price_moved' }),
      orderEnds(order, 0, false, 'halted'),
    ]);
    expect(outline(items)).toEqual([
      ['order.state_changed', 'chg_', 'rejected'],
      ['webhook.emitted', 'evn_', 'order.rejected'],
    ]);
    expect(items[0]?.detail).toMatchObject({ fromState: null, reason: 'price_moved' });
    expect(eventOf(items, 'order.rejected')).toEqual({
      ...NAMES,
      reason: 'halted',
      operatorMoney: { ...NOTHING_BOOKED, venueFeeKnown: true },
    });
    expect(keysOf(items)).toEqual(['order.rejected:ord_1']);
  });

  test.each([
    ['sandbox', 'wallet:ana'],
    ['live', 'operator:cash'],
  ] as const)('of a %s operator pays its contracts from %s', (mode, source) => {
    const order = { ...buy(), venueFeeMinor: 0n };
    expect(outline(told([orderExecuted(order, mode, fill, null)]))).toEqual([
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

  test('that sells has the items of its exit before its event, all with the digits of the order', () => {
    const sell = { ...someSell({ status: 'filled', transmissionState: 'resolved' }), ...COLUMNS, venueFeeMinor: 0n };
    const holding = {
      quantityMicros: 17_000_000n,
      costBasisMinor: 420n,
      entryFeesMinor: 20n,
      priceWeight: 4_000_000_000_000n,
    };
    const exit = {
      fill,
      share: exitShare(holding, 17_000_000n, 949n),
      money: { proceedsMinor: 949n, platformFeeMinor: 20n, venueFeeMinor: 0n },
      entryPriceMicros: 235_294n,
      venueAgrees: null,
    };
    const items = told([orderExecuted(sell, 'sandbox', fill, exit)]);
    expect(outline(items)).toEqual([
      ['order.state_changed', 'chg_', 'filled'],
      ['order.filled', 'fil_', undefined],
      [
        'ledger.posted',
        'ent_',
        [
          ['stakes', '400'],
          ['result', '569'],
          ['wallet:ana', '-949'],
          ['fees:platform', '-20'],
        ],
      ],
      ['fee.assessed', 'fee_', 'platform'],
      ['position.exited', 'exi_', undefined],
      ['webhook.emitted', 'evn_', 'order.filled'],
    ]);
    expect(items.map(({ id }) => id.slice(4))).toEqual(Array.from({ length: 6 }, () => '1'));
  });

  test('that sells more than is held says what it did, and moves nothing', () => {
    const sell = { ...someSell({ status: 'filled', transmissionState: 'resolved' }), ...COLUMNS };
    expect(outline(told([orderExecuted(sell, 'sandbox', fill, null)])).map(([type]) => type)).not.toContain(
      'ledger.posted',
    );
  });
});
