/** The rows that a fill leaves in the journal, as they are told: the fill, the order it completes, its fees, the contracts that leave a position. */
import { describe, expect, test } from 'vitest';
import { contractsBought, contractsSold, newFills } from '../../src/trading/execution/execution-rows.ts';
import { orderEnds } from '../../src/trading/orders/journal-rows.ts';
import { someBuy, someExecution, someFill, someSell } from './some-order.ts';
import { COLUMNS, eventOf, FILLED, keysOf, NAMES, NOTHING_BOOKED, outline, type ToldItem, told } from './told.ts';

describe('a fill', () => {
  const fills = [someFill({ quantityMicros: 17_000_000n, feeMicros: 50_000n })];
  const ending = { status: 'filled', transmissionState: 'resolved', resolved: true, matched: true } as const;
  const reported = (order: ReturnType<typeof someBuy>) => {
    const totals = { ...FILLED, venueFeeKnown: true, overrunMinor: 0n };
    return told(newFills(order, someExecution({ fills }), ending, () => totals));
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
    expect(facts[0]).toMatchObject({
      type: 'order.filled',
      id: 'fil_1',
      money: null,
      detail: { quantity: 17, price: 0.57, side: 'YES', executionRef: shared.executionRef },
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
      outline(told([contractsBought(someBuy(), 'live', { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n })])),
    ).toEqual([]);
    // a fee that goes from us to the venue: an entry, and no money of the operator
    const shifted = told([
      contractsBought(someBuy(), 'live', { tradeMinor: 0n, platformFeeMinor: -5n, venueFeeMinor: 5n }),
    ]);
    expect(outline(shifted).map(([type]) => type)).toEqual(['ledger.posted', 'fee.assessed', 'fee.assessed']);
    expect(outline(told([contractsBought(someBuy(), 'sandbox', FILLED)])).map(([type]) => type)).toEqual([
      'ledger.posted',
      'fee.assessed',
      'fee.assessed',
    ]);
  });
});

describe('an order that is completed', () => {
  const whole = { filledQuantityMicros: 17_000_000n, priceWeight: '9690000000000', ...COLUMNS };

  test('is reported once, with everything that it came to', () => {
    const order = { ...someBuy({ status: 'partially_filled', transmissionState: 'resolved' }), ...whole };
    const items = told([orderEnds(order, 2, true)]);
    expect(keysOf(items)).toEqual(['order.completed:ord_1']);
    expect(eventOf(items, 'order.completed')).toEqual({
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
    const sell = { ...someSell({ status: 'cancelled', transmissionState: 'resolved' }), venueFeeKnown: true };
    expect(eventOf(told([orderEnds(sell, 0, true)]), 'order.completed')).toMatchObject({
      releaseAmount: '0.00',
      partial: false,
      averagePrice: null,
      filledQuantity: 0,
      operatorMoney: null,
    });
  });
});

test('a fee is an item of its own, each with an id of its own, and a fee of nothing is none', () => {
  const items = told([contractsBought(someBuy(), 'live', FILLED)]).filter(({ type }) => type === 'fee.assessed');
  expect(items).toMatchObject([
    { money: { currency: 'USD', amount: '0.20' }, detail: { kind: 'platform', bps: 200 } },
    { money: { currency: 'USD', amount: '0.05' }, detail: { kind: 'venue', bps: null } },
  ]);
  expect(new Set(items.map(({ id }) => id)).size).toBe(2);
  const none = told([contractsBought(someBuy(), 'live', { ...FILLED, platformFeeMinor: 0n, venueFeeMinor: 0n })]);
  expect(none.map(({ type }) => type)).toEqual(['ledger.posted', 'collateral.moved']);
});

test('a fee of a position that holds nothing any more lowers its profit', () => {
  const items = told([
    contractsBought(someBuy(), 'live', { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 7n }, true),
  ]);
  expect(items.at(-1)?.detail).toEqual({ kind: 'venue', bps: null, realisedPnl: '-0.07' });
});

describe('contracts that leave a position', () => {
  const exit = (proceedsMinor: bigint, mode: 'live' | 'sandbox' = 'live') =>
    told([
      contractsSold(someSell(), mode, {
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
      }),
    ]);

  test('return their proceeds to the collateral they came from, if there are any', () => {
    const kinds = (facts: readonly ToldItem[]) => outline(facts).map(([type, id]) => `${type} ${id}`);
    const REST = ['fee.assessed fee_', 'fee.assessed fee_', 'position.exited exi_'];
    expect(kinds(exit(488n))).toEqual(['ledger.posted ent_', 'collateral.moved mov_', ...REST]);
    expect(kinds(exit(0n))).toEqual(['ledger.posted ent_', ...REST]);
    expect(kinds(exit(488n, 'sandbox'))).toEqual(['ledger.posted ent_', ...REST]);
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
