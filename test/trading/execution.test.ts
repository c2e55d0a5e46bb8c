/** Where an order stands after what a venue said, and what its fills add to the money: the rules that buys and sells share. */
import { describe, expect, test } from 'vitest';
import { newFills, orderEnded, stateAfter } from '../../src/trading/execution/execution-rows.ts';
import {
  type Ending,
  type Execution,
  endingOf,
  NOTHING,
  subtract,
  type Totals,
} from '../../src/trading/execution/report.ts';
import { someBuy, someExecution, someFill } from './some-order.ts';
import { told } from './told.ts';

const SUBMITTED: Ending = { status: 'submitted', transmissionState: 'unknown', resolved: false, matched: false };
const PARTLY: Ending = { status: 'partially_filled', transmissionState: 'unknown', resolved: false, matched: false };
const CLOSED: Ending = { ...PARTLY, transmissionState: 'resolved', resolved: true };
const FILLED: Ending = { status: 'filled', transmissionState: 'resolved', resolved: true, matched: true };

/** Ten contracts are asked. @param filled contracts of each fill. */
function ending(state: Execution['state'], filled: readonly number[], feesKnown: boolean): Ending {
  const fills = filled.map((contracts) => someFill({ quantityMicros: BigInt(contracts) * 1_000_000n }));
  return endingOf(someExecution({ state, fills }), feesKnown);
}

describe('an order ends', () => {
  test.each([
    ['working', [], true, SUBMITTED],
    ['working', [], false, SUBMITTED],
    ['closed', [], true, { status: 'cancelled', transmissionState: 'resolved', resolved: true, matched: false }],
    ['rejected', [], true, { status: 'rejected', transmissionState: 'resolved', resolved: true, matched: false }],
    ['working', [4], true, PARTLY],
    ['working', [4, 5], true, PARTLY],
    ['working', [4], false, PARTLY],
    ['closed', [4], true, CLOSED],
    ['closed', [4], false, PARTLY],
    ['rejected', [4], true, CLOSED],
    ['working', [4, 6], true, FILLED],
    ['closed', [4, 6], true, FILLED],
    ['closed', [4, 7], true, FILLED],
    ['working', [10], false, { ...PARTLY, matched: true }],
    ['closed', [10], false, { ...PARTLY, matched: true }],
  ] as const)('as it is %s with fills of %o, fees known: %s', (state, filled, feesKnown, expected) => {
    expect(ending(state, filled, feesKnown)).toEqual(expected);
  });

  test('never before the fee of every fill is known', () => {
    for (const state of ['working', 'closed', 'rejected'] as const) {
      for (const filled of [[1], [10], [5, 5]]) {
        expect(ending(state, filled, false)).toMatchObject({ resolved: false, transmissionState: 'unknown' });
      }
    }
  });
});

test('the money of a fill is what it adds', () => {
  const before = { tradeMinor: 100n, platformFeeMinor: 10n, venueFeeMinor: 1n };
  const after = { tradeMinor: 150n, platformFeeMinor: 13n, venueFeeMinor: 5n };
  expect(subtract(after, before)).toEqual({ tradeMinor: 50n, platformFeeMinor: 3n, venueFeeMinor: 4n });
  expect(subtract(after, NOTHING)).toEqual(after);
});

describe('what a venue took or paid beyond', () => {
  const totals = (overrunMinor: bigint): Totals => ({ ...NOTHING, venueFeeKnown: true, overrunMinor });
  const post = (overrunMinor: bigint, gainedMinor: bigint | undefined, ending: Ending) =>
    told(
      orderEnded(
        someBuy(),
        someExecution(gainedMinor === undefined ? {} : { gainedMinor }),
        ending,
        totals(overrunMinor),
        someBuy(),
        null,
        0n,
      ),
    ).filter(({ type }) => type === 'ledger.posted');

  test('is posted once the order is final, and only where it is something', () => {
    expect(post(5n, undefined, PARTLY)).toEqual([]);
    expect(post(0n, undefined, FILLED)).toEqual([]);
    expect(post(5n, 5n, FILLED)).toEqual([]);
  });

  test.each([
    [5n, undefined, 'Taken by the venue beyond the amount sent', ['5', '-5']],
    [5n, 2n, 'Taken by the venue beyond the amount sent', ['3', '-3']],
    [0n, 7n, 'Paid by the venue beyond the quantity sent', ['-7', '7']],
  ])('is ours: %s taken, %s paid', (taken, paid, memo, [overrun, fees]) => {
    expect(post(taken, paid, CLOSED)[0]).toMatchObject({
      type: 'ledger.posted',
      detail: { movementType: 'VENUE_OVERRUN', memo, referenceType: 'order', referenceId: 'ord_1' },
      lines: [
        ['overrun', overrun],
        ['fees:venue', fees],
      ],
    });
  });
});

describe('the order to date', () => {
  test('has the sums of its fills and the money and the state that are given', () => {
    const fills = [someFill(), someFill({ priceMicros: 500_000n, quantityMicros: 2_000_000n })];
    const totals = { tradeMinor: 157n, platformFeeMinor: 4n, venueFeeMinor: 1n, venueFeeKnown: true };
    expect(stateAfter(someBuy(), fills, totals, CLOSED)).toEqual({
      ...someBuy(),
      status: 'partially_filled',
      transmissionState: 'resolved',
      filledQuantityMicros: 3_000_000n,
      priceWeight: '1570000000000',
      tradeMinor: 157n,
      platformFeeMinor: 4n,
      venueFeeMinor: 1n,
      venueFeeKnown: true,
    });
  });
});

describe('what landed', () => {
  const totalsAfter = (count: number): Totals => ({
    tradeMinor: 57n * BigInt(count),
    platformFeeMinor: 2n * BigInt(count),
    venueFeeMinor: BigInt(count),
    venueFeeKnown: true,
    overrunMinor: 0n,
  });
  const three = [
    someFill({ recorded: true }),
    someFill({ fillId: 'fil_2', quantityMicros: 2_000_000n }),
    someFill({ fillId: 'fil_3', quantityMicros: 7_000_000n }),
  ];

  test('is an item and an event for each new fill, with the order as it stood after it', () => {
    const facts = told(newFills(someBuy(), someExecution({ fills: three }), FILLED, totalsAfter));
    expect(facts.map(({ type, id }) => [type, id.slice(0, 5)])).toEqual([
      ['order.filled', 'fil_2'],
      ['webhook.emitted', 'evn_2'],
      ['order.filled', 'fil_3'],
      ['webhook.emitted', 'evn_3'],
    ]);
    expect(facts[1]?.event).toMatchObject({
      fillId: 'fil_2',
      fillSequence: 2,
      fillQuantity: 2,
      fillPrice: 0.57,
      filledQuantity: 3,
      status: 'partially_filled',
      transmissionState: 'unknown',
      partial: true,
      final: false,
      operatorMoney: { tradeAmount: '1.14', platformFee: '0.04', venueFee: '0.02', actualDebit: '1.20' },
      fillMoney: {
        tradeAmount: '0.57',
        platformFee: '0.02',
        venueFee: '0.01',
        actualDebit: '0.60',
        sellProceeds: null,
      },
    });
    expect(facts[3]?.event).toMatchObject({
      fillId: 'fil_3',
      fillSequence: 3,
      filledQuantity: 10,
      status: 'filled',
      transmissionState: 'resolved',
      partial: false,
      final: true,
    });
    expect(facts[2]?.detail).toEqual({ quantity: 7, price: 0.57, side: 'YES', executionRef: someBuy().executionRef });
  });

  test('first is counted from nothing', () => {
    const [, event] = told(
      newFills(someBuy(), someExecution({ fills: [someFill()] }), PARTLY, (count) => totalsAfter(count + 1)),
    );
    expect(event?.event).toMatchObject({
      fillMoney: { tradeAmount: '1.14' },
      status: 'partially_filled',
      partial: true,
    });
  });

  test('is nothing where all was recorded', () => {
    const recorded = three.map((fill) => ({ ...fill, recorded: true }));
    expect(newFills(someBuy(), someExecution({ fills: recorded }), FILLED, totalsAfter)).toEqual([]);
  });
});

describe('the event of the end', () => {
  const ends = (acknowledged: boolean, fills: Execution['fills'], ending: Ending, reason: string | null = null) =>
    told(
      orderEnded(
        someBuy(),
        someExecution({ fills, acknowledged }),
        ending,
        { ...NOTHING, venueFeeKnown: true, overrunMinor: 0n },
        { ...someBuy(), status: ending.status, transmissionState: ending.transmissionState },
        reason,
        0n,
      ),
    );
  const recorded = someFill({ recorded: true });

  test('is missing while the order is open', () => {
    expect(ends(true, [], SUBMITTED)).toEqual([]);
    expect(ends(false, [someFill()], PARTLY)).toEqual([]);
    expect(ends(false, [someFill()], { ...PARTLY, matched: true })).toEqual([]);
  });

  test('is missing where the first answer filled it whole, which its fill has said', () => {
    expect(ends(false, [someFill()], FILLED)).toEqual([]);
  });

  test.each([
    ['complete', true, [recorded, someFill()], FILLED, 2],
    ['complete', true, [someFill()], FILLED, 1],
    ['closed_partial', false, [someFill()], CLOSED, 1],
    ['closed_partial', true, [recorded], CLOSED, 1],
    ['closed_unfilled', false, [], { ...CLOSED, status: 'cancelled' }, 0],
  ] as const)('is %s, acknowledged before: %s', (outcome, acknowledged, fills, ending, fillCount) => {
    expect(ends(acknowledged, fills, ending)[0]).toMatchObject({
      type: 'webhook.emitted',
      detail: { eventType: 'order.completed', dedupeKey: 'order.completed:ord_1' },
      event: { outcome, fillCount, final: true, partial: outcome === 'closed_partial' },
    });
  });

  test('of a rejected order names the reason', () => {
    expect(ends(false, [], { ...CLOSED, status: 'rejected' }, 'halted')[0]?.event).toMatchObject({
      reason: 'halted',
    });
  });
});
