/** The facts that an order leaves, field by field: recorded, confirmed, filled at once, withdrawn, rejected, completed. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/core/fact.ts';
import { collateralFunds, walletFunds } from '../../src/ledger/accounts.ts';
import { orderCancelled } from '../../src/trading/records/order-cancelled.ts';
import { completedEvent, orderRejected } from '../../src/trading/records/order-ended.ts';
import { contractsBought, filledAtOnce, newFills } from '../../src/trading/records/order-filled.ts';
import { orderRecorded, reserveConfirmed } from '../../src/trading/records/order-recorded.ts';
import { feeAssessed, stateChanged, stateOf, tradedSoFar } from '../../src/trading/records/order-state.ts';
import { positionExited } from '../../src/trading/records/position-exited.ts';
import { someBuy, someExecution, someFill, someSell } from './some-order.ts';

const NAMES = {
  orderId: 'ord_1',
  executionRef: 'inl_Best_00000000000000',
  clientOrderId: 'key-1',
  externalUserId: 'ana',
};
const NOTHING_BOOKED = {
  currency: 'USD',
  authorizationAmount: '10.00',
  actualDebit: '0.00',
  releaseAmount: '10.00',
  tradeAmount: '0.00',
  platformFee: '0.00',
  venueFee: '0.00',
};
/** 9.69 of contracts, 0.20 and 0.05 of fees. */
const FILLED = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n };
const COLUMNS = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n, venueFeeKnown: true };

/** What a fact is and moves: its type, the prefix of its id, and the lines of an entry or the words of its detail. */
const outline = (facts: readonly Fact[]) =>
  facts.map(({ type, itemId, lines, detail }) => {
    const { kind, eventType, toState } = detail as Record<string, string | undefined>;
    return [type, itemId.slice(0, 4), lines ?? kind ?? eventType ?? toState];
  });

const eventOf = (facts: readonly Fact[], eventType: string): unknown =>
  facts.find(({ detail }) => (detail as { eventType?: string }).eventType === eventType)?.event;
const keysOf = (facts: readonly Fact[]) =>
  facts.flatMap(({ detail }) => (detail as { dedupeKey?: string }).dedupeKey ?? []);

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
      orderId: 'ord_1',
      executionRef: 'inl_Best_00000000000000',
      externalUserId: 'ana',
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
  const fill = { fillId: 'fil_1', fillNo: 1, quantityMicros: 17_000_000n, priceMicros: 570_000n };
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
      ['order.filled', 'fil_', undefined],
      ['position.exited', 'exi_', undefined],
      ['webhook.emitted', 'evn_', 'order.filled'],
    ]);
  });

  test('is partial unless it is filled', () => {
    const partial = (status: 'filled' | 'partially_filled') =>
      eventOf(filledAtOnce(buy({ status }), 'sandbox', fill, money, []), 'order.filled');
    expect(partial('filled')).toMatchObject({ partial: false, status: 'filled' });
    expect(partial('partially_filled')).toMatchObject({ partial: true, status: 'partially_filled' });
  });
});

describe('a fill', () => {
  const fills = [someFill({ quantityMicros: 17_000_000n, feeMicros: 50_000n })];
  const ending = { status: 'filled', transmissionState: 'resolved', resolved: true, matched: true } as const;
  const reported = (order: ReturnType<typeof someBuy>) => {
    const totals = { ...FILLED, venueFeeKnown: true, overrunMinor: 0n };
    return newFills(order, someExecution({ fills }), ending, () => totals);
  };
  const shared = {
    ...NAMES,
    fillId: 'fil_1',
    contractId: 'mkt_1',
    side: 'YES',
    fillQuantity: 17,
    fillPrice: 0.57,
    filledQuantity: 17,
    averagePrice: 0.57,
    status: 'filled',
    transmissionState: 'resolved',
    simulated: false,
    fillSequence: 1,
    partial: false,
    final: true,
  };
  const fillMoney = {
    currency: 'USD',
    tradeAmount: '9.69',
    platformFee: '0.20',
    venueFee: '0.05',
    venueFeeKnown: true,
  };

  test('of a buy is reported with its debit', () => {
    const facts = reported(someBuy());
    expect(eventOf(facts, 'order.filled')).toEqual({
      ...shared,
      action: 'buy',
      operatorMoney: {
        ...NOTHING_BOOKED,
        actualDebit: '9.94',
        releaseAmount: '0.06',
        tradeAmount: '9.69',
        platformFee: '0.20',
        venueFee: '0.05',
        venueFeeKnown: true,
      },
      operatorExitMoney: null,
      fillMoney: { ...fillMoney, actualDebit: '9.94', sellProceeds: null },
    });
    expect(keysOf(facts)).toEqual(['order.filled:ord_1:fil_1']);
    expect(facts[0]).toEqual({
      type: 'order.filled',
      itemId: 'fil_1',
      money: null,
      detail: { quantity: 17, price: 0.57, side: 'YES' },
    });
  });

  test('of a sell is reported with its proceeds', () => {
    expect(eventOf(reported(someSell()), 'order.filled')).toEqual({
      ...shared,
      action: 'sell',
      operatorMoney: null,
      operatorExitMoney: {
        currency: 'USD',
        sellProceeds: '9.44',
        platformFee: '0.20',
        venueFee: '0.05',
        venueFeeKnown: true,
      },
      fillMoney: { ...fillMoney, actualDebit: null, sellProceeds: '9.44' },
    });
  });

  test('that cost nothing moves no collateral, and in a sandbox none is moved', () => {
    expect(
      outline(contractsBought(someBuy(), 'live', { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n })),
    ).toEqual([]);
    // a fee that goes from us to the venue: an entry, and no money of the operator
    const shifted = contractsBought(someBuy(), 'live', { tradeMinor: 0n, platformFeeMinor: -5n, venueFeeMinor: 5n });
    expect(outline(shifted).map(([type]) => type)).toEqual(['ledger.posted', 'fee.assessed', 'fee.assessed']);
    expect(outline(contractsBought(someBuy(), 'sandbox', FILLED)).map(([type]) => type)).toEqual([
      'ledger.posted',
      'fee.assessed',
      'fee.assessed',
    ]);
  });
});

describe('an order that is completed', () => {
  const whole = { filledQuantity: 17_000_000n, priceWeight: 9_690_000_000_000n, ...COLUMNS };

  test('is reported once, with everything that it came to', () => {
    const order = stateOf(someBuy({ status: 'partially_filled', transmissionState: 'resolved' }), whole);
    const fact = completedEvent(order, 'closed_partial', 2);
    expect(keysOf([fact])).toEqual(['order.completed:ord_1']);
    expect(fact.event).toEqual({
      ...NAMES,
      contractId: 'mkt_1',
      side: 'YES',
      action: 'buy',
      status: 'partially_filled',
      outcome: 'closed_partial',
      filledQuantity: 17,
      averagePrice: 0.57,
      fillCount: 2,
      transmissionState: 'resolved',
      final: true,
      partial: true,
      operatorMoney: {
        ...NOTHING_BOOKED,
        actualDebit: '9.94',
        releaseAmount: '0.06',
        tradeAmount: '9.69',
        platformFee: '0.20',
        venueFee: '0.05',
        venueFeeKnown: true,
      },
      operatorExitMoney: null,
      releaseAmount: '0.06',
      currency: 'USD',
      simulated: false,
    });
  });

  test('releases nothing as a sell, and has no price without contracts', () => {
    const sell = stateOf(someSell({ status: 'cancelled', transmissionState: 'resolved' }), { venueFeeKnown: true });
    expect(completedEvent(sell, 'closed_unfilled', 0).event).toMatchObject({
      releaseAmount: '0.00',
      partial: false,
      averagePrice: null,
      filledQuantity: 0,
      operatorMoney: null,
    });
    expect(tradedSoFar(stateOf(someBuy())).averagePrice).toBeNull();
  });
});

test('a fee is an item of its own, and a fee of nothing is none', () => {
  expect(feeAssessed('venue', 5n, null)).toEqual({
    type: 'fee.assessed',
    itemId: expect.stringMatching(/^fee_[0-9a-f]{32}$/),
    money: { currency: 'USD', amount: '0.05' },
    detail: { kind: 'venue', bps: null },
  });
  expect(feeAssessed('platform', 0n, 200)).toBeNull();
});

describe('contracts that leave a position', () => {
  const exit = (proceedsMinor: bigint, funds = collateralFunds) =>
    positionExited(stateOf(someSell()), funds, {
      fill: { quantityMicros: 10_000_000n, priceMicros: 500_000n },
      share: {
        costShareMinor: 420n,
        feeShareMinor: 20n,
        realisedPnlMinor: proceedsMinor - 420n,
        status: 'open',
        remaining: {
          quantityMicros: 10_000_000n,
          costBasisMinor: 420n,
          entryFeesMinor: 20n,
          priceWeight: 4_000_000_000_000n,
        },
      },
      money: { proceedsMinor, platformFeeMinor: 10n, venueFeeMinor: 2n },
      entryPriceMicros: 400_000n,
      venueAgrees: true,
    });

  test('return their proceeds to the collateral they came from, if there are any', () => {
    const kinds = (facts: readonly Fact[]) => outline(facts).map(([type, id]) => `${type} ${id}`);
    const REST = ['fee.assessed fee_', 'fee.assessed fee_', 'position.exited exi_'];
    expect(kinds(exit(488n))).toEqual(['ledger.posted ent_', 'collateral.moved mov_', ...REST]);
    expect(kinds(exit(0n))).toEqual(['ledger.posted ent_', ...REST]);
    expect(kinds(exit(488n, walletFunds('ana')))).toEqual(['ledger.posted ent_', ...REST]);
  });

  test('are reported with what they cost and brought', () => {
    expect(exit(488n).at(-1)).toMatchObject({
      money: { currency: 'USD', sellProceeds: '4.88', platformFee: '0.10', venueFee: '0.02' },
      detail: {
        side: 'YES',
        quantity: 10,
        quantityRemaining: 10,
        exitPrice: 0.5,
        entryPrice: 0.4,
        simulated: false,
        venueAgrees: true,
        venueFeeKnown: true,
        costBasis: '4.20',
        entryFeeShare: '0.20',
        realisedPnl: '0.68',
      },
    });
  });
});
