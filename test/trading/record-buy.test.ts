/** What a venue said of a buy, as the move that is written: every column, every fact, and that the same again writes nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { debitOf } from '../../src/money/blocks.ts';
import { buyExecution } from '../../src/trading/execution/record-fills.ts';
import type { OrderCommand, OrderRow } from '../../src/trading/orders/order.ts';
import { someBuy, someExecution, someFill } from './some-order.ts';
import { type ToldItem, told } from './told.ts';

/** 9.69 of the 9.80: 17 contracts at 0.57, and 0.05 of fee. */
const WHOLE = someFill({ quantityMicros: 17_000_000n, feeMicros: 50_000n });
const ASKED = { askedMicros: 17_000_000n };

function moved(order: OrderRow, ...changes: Parameters<typeof someExecution>): OrderCommand {
  const move = buyExecution(order, someExecution(...changes));
  if (move === null) {
    throw new Error('nothing was new');
  }
  return move;
}

const posted = (facts: readonly ToldItem[], movementType: string) =>
  facts.filter((fact) => (fact.detail as { movementType?: string }).movementType === movementType);
const kinds = (facts: readonly ToldItem[]) =>
  facts.map(({ type, detail }) => {
    const { movementType, kind, eventType, toState } = detail as Record<string, string | undefined>;
    return [type, movementType ?? kind ?? eventType ?? toState].filter(Boolean).join(' ');
  });

describe('a buy that one answer filled whole', () => {
  const move = moved(someBuy(), { ...ASKED, fills: [WHOLE], state: 'closed' });

  test('is written with its money, its position and its release', () => {
    const { journal, opensPositionId, ...columns } = move;
    expect(columns).toEqual({
      ...someBuy(),
      status: 'filled',
      transmissionState: 'resolved',
      filledQuantityMicros: 17000000n,
      priceWeight: '9690000000000',
      tradeMinor: 969n,
      platformFeeMinor: 20n,
      venueFeeMinor: 5n,
      venueFeeKnown: true,
      positionVersion: null,
      addQuantityMicros: 17000000n,
      addCostMinor: 994n,
      addFeesMinor: 25n,
      addWeight: 9690000000000n,
      exposureMinor: -6n,
    });
    expect(opensPositionId).toMatch(/^pos_/);
    expect(journal.find(({ kind }) => kind === 'order_filled')).toMatchObject({
      fillNo: 1,
      fillFeeMicros: 50_000n,
      venueFillId: 'v-1',
    });
  });

  test('tells it in one order: state, fill, entry, collateral, fees, release', () => {
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed filled',
      'order.filled',
      'webhook.emitted order.filled',
      'ledger.posted ORDER_FILL',
      'collateral.moved spend',
      'fee.assessed platform',
      'fee.assessed venue',
      'ledger.posted ORDER_RELEASE',
      'collateral.moved release',
    ]);
    expect(posted(told(move.journal), 'ORDER_FILL')).toMatchObject([
      {
        lines: [
          ['collateral:committed', '994'],
          ['stakes', '-969'],
          ['fees:platform', '-20'],
          ['fees:venue', '-5'],
        ],
      },
    ]);
    expect(posted(told(move.journal), 'ORDER_RELEASE')).toMatchObject([
      {
        lines: [
          ['collateral:committed', '6'],
          ['collateral:available', '-6'],
        ],
      },
    ]);
    expect(
      told(move.journal)
        .filter(({ type }) => type === 'collateral.moved')
        .map(({ money }) => money),
    ).toMatchObject([
      { currency: 'USD', amount: '9.94' },
      { currency: 'USD', amount: '0.06' },
    ]);
    expect(
      told(move.journal)
        .filter(({ type }) => type === 'fee.assessed')
        .map(({ detail }) => detail),
    ).toEqual([
      { kind: 'platform', bps: 200 },
      { kind: 'venue', bps: null },
    ]);
  });
});

describe('a buy that is filled in parts', () => {
  const first = someFill({ quantityMicros: 4_000_000n, feeMicros: 10_000n });
  const second = someFill({ fillId: 'fil_2', venueFillId: 'v-2', quantityMicros: 3_000_000n, feeMicros: null });
  const partly = someBuy({
    status: 'partially_filled',
    filledQuantityMicros: 4_000_000n,
    priceWeight: '2280000000000',
    tradeMinor: 228n,
    platformFeeMinor: 5n,
    venueFeeMinor: 1n,
    venueFeeKnown: true,
  });

  test('debits each as it lands and holds the rest', () => {
    const move = moved(someBuy(), { ...ASKED, fills: [first] });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'unknown',
      filledQuantityMicros: 4000000n,
      tradeMinor: 228n,
      platformFeeMinor: 5n,
      venueFeeMinor: 1n,
      venueFeeKnown: true,
      exposureMinor: 234n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed partially_filled',
      'order.filled',
      'webhook.emitted order.filled',
      'ledger.posted ORDER_FILL',
      'collateral.moved spend',
      'fee.assessed platform',
      'fee.assessed venue',
    ]);
  });

  test('adds the difference only, and counts the venue fees that are known', () => {
    const fills = [{ ...first, recorded: true }, second];
    const move = moved(partly, { ...ASKED, fills, state: 'closed' });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'unknown',
      filledQuantityMicros: 7000000n,
      tradeMinor: 399n,
      platformFeeMinor: 9n,
      venueFeeMinor: 1n,
      venueFeeKnown: false,
      addQuantityMicros: 3000000n,
      addCostMinor: 175n,
      addFeesMinor: 4n,
      addWeight: 1710000000000n,
      exposureMinor: 175n,
    });
    expect(posted(told(move.journal), 'ORDER_FILL')).toMatchObject([
      {
        lines: [
          ['collateral:committed', '175'],
          ['stakes', '-171'],
          ['fees:platform', '-4'],
        ],
      },
    ]);
    expect(posted(told(move.journal), 'ORDER_RELEASE')).toEqual([]);
  });

  test('ends once its fee is read, and lets go of what it held', () => {
    const fills = [{ ...first, recorded: true }];
    const before = { ...partly, platformFeeMinor: 5n, venueFeeMinor: 0n, venueFeeKnown: false };
    const move = moved(before, { ...ASKED, fills, state: 'closed' });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'resolved',
      venueFeeMinor: 1n,
      venueFeeKnown: true,
      addQuantityMicros: 0n,
      addCostMinor: 1n,
      addFeesMinor: 1n,
      addWeight: 0n,
      exposureMinor: -999n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed partially_filled',
      'ledger.posted ORDER_FILL',
      'collateral.moved spend',
      'fee.assessed venue',
      'ledger.posted ORDER_RELEASE',
      'collateral.moved release',
      'webhook.emitted order.completed',
    ]);
  });

  test('ends where the venue only says that it works no longer', () => {
    const move = moved(partly, { ...ASKED, fills: [{ ...first, recorded: true }], state: 'closed' });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'resolved',
      addQuantityMicros: 0n,
      addCostMinor: 0n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed partially_filled',
      'ledger.posted ORDER_RELEASE',
      'collateral.moved release',
      'webhook.emitted order.completed',
    ]);
  });

  test('writes nothing where nothing is new', () => {
    const recorded = { ...first, recorded: true };
    expect(buyExecution(partly, someExecution({ ...ASKED, fills: [recorded] }))).toBeNull();
    expect(buyExecution(someBuy(), someExecution(ASKED))).toBeNull();
  });

  test.each([
    ['a fee of the venue', { venueFeeMinor: 0n }],
    ['a fee of ours', { platformFeeMinor: 4n }],
    ['the trade amount', { tradeMinor: 227n }],
  ])('writes what changed by %s alone', (_, changes) => {
    const recorded = { ...first, recorded: true };
    const move = moved({ ...partly, ...changes }, { ...ASKED, fills: [recorded] });
    expect(move).toMatchObject({ status: 'partially_filled', transmissionState: 'unknown', addCostMinor: 1n });
  });
});

describe('a buy that ends without a fill', () => {
  test('is cancelled, and releases all', () => {
    const move = moved(someBuy(), { state: 'closed' });
    expect(move).toMatchObject({
      status: 'cancelled',
      transmissionState: 'resolved',
      venueFeeKnown: true,
      rejectReason: null,
      exposureMinor: -1000n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed cancelled',
      'ledger.posted ORDER_RELEASE',
      'collateral.moved release',
      'webhook.emitted order.completed',
    ]);
  });

  test('is rejected with a reason that names no venue', () => {
    const move = moved(someBuy(), { state: 'rejected', reason: 'Kalshi says no to 0197f1c2a0b37d3e' });
    const reason = 'the venue says no to inl_Best_00000000000000 (inl_Best_00000000000000)';
    expect(move).toMatchObject({ status: 'rejected', rejectReason: reason });
    expect(told(move.journal)[0]?.detail).toMatchObject({ reason: 'the venue says no to inl_Best_00000000000000' });
    expect(told(move.journal).at(-1)).toMatchObject({ detail: { eventType: 'order.rejected' }, event: { reason } });
  });

  test('stays unknown and unwritten while it works', () => {
    expect(buyExecution(someBuy({ status: 'pending_venue_execution' }), someExecution())).toMatchObject({
      status: 'submitted',
      venueFeeKnown: false,
      exposureMinor: 0n,
    });
  });
});

test('a sandbox buy moves the wallet, no collateral and no exposure', () => {
  const simulated = { tradeMinor: 490n, platformFeeMinor: 10n, venueFeeMinor: 0n };
  const fills = [someFill({ quantityMicros: 8_000_000n })];
  const move = moved(someBuy(), { ...ASKED, mode: 'sandbox', fills, state: 'closed', simulated });
  expect(move).toMatchObject({
    tradeMinor: 490n,
    platformFeeMinor: 10n,
    venueFeeMinor: 0n,
    exposureMinor: 0n,
  });
  expect(kinds(told(move.journal))).toEqual([
    'order.state_changed partially_filled',
    'order.filled',
    'webhook.emitted order.filled',
    'ledger.posted ORDER_FILL',
    'fee.assessed platform',
    'ledger.posted ORDER_RELEASE',
    'webhook.emitted order.completed',
  ]);
  expect(posted(told(move.journal), 'ORDER_RELEASE')).toMatchObject([
    {
      lines: [
        ['hold:ana', '500'],
        ['wallet:ana', '-500'],
      ],
    },
  ]);
});

test('money that is said is that of all the fills; of the parts before, prices tell it', () => {
  const simulated = { tradeMinor: 500n, platformFeeMinor: 11n, venueFeeMinor: 3n };
  const fills = [someFill(), someFill({ fillId: 'fil_2' })];
  const events = told(moved(someBuy(), { ...ASKED, fills, state: 'closed', simulated }).journal).filter(
    ({ detail }) => (detail as { eventType?: string }).eventType === 'order.filled',
  );
  expect(events.map(({ event }) => event)).toMatchObject([
    { fillMoney: { tradeAmount: '0.57', platformFee: '0.02', venueFee: '0.00' } },
    { fillMoney: { tradeAmount: '4.43', platformFee: '0.09', venueFee: '0.03' } },
  ]);
});

test('what the venue took beyond the amount sent is posted as ours', () => {
  const fills = [someFill({ quantityMicros: 17_000_000n, feeMicros: 150_000n })];
  const move = moved(someBuy(), { ...ASKED, fills, state: 'closed' });
  expect(move).toMatchObject({ exposureMinor: 0n });
  expect(posted(told(move.journal), 'VENUE_OVERRUN')).toMatchObject([
    {
      lines: [
        ['overrun', '4'],
        ['fees:venue', '-4'],
      ],
    },
  ]);
  expect(posted(told(move.journal), 'ORDER_RELEASE')).toEqual([]);
});

test('whatever the fills, the debit stays within the authorization, and the moves of the parts add up to the whole', () => {
  const fill = fc.record({
    priceMicros: fc.bigInt(1n, 999_999n),
    quantityMicros: fc.bigInt(1n, 5_000_000n),
    feeMicros: fc.bigInt(0n, 200_000n),
  });
  fc.assert(
    fc.property(fc.array(fill, { minLength: 1, maxLength: 5 }), (given) => {
      let order = someBuy();
      let spent = 0n;
      let exposure = 0n;
      for (let count = 1; count <= given.length; count += 1) {
        const fills = given
          .slice(0, count)
          .map((one, index) => someFill({ ...one, fillId: `fil_${index}`, recorded: index < count - 1 }));
        const state = count === given.length ? 'closed' : 'working';
        const move = moved(order, { askedMicros: 30_000_000n, fills, state });
        spent += move.addCostMinor ?? 0n;
        exposure += move.exposureMinor ?? 0n;
        expect(debitOf(move)).toBe(spent);
        expect(spent).toBeLessThanOrEqual(1_000n);
        order = { ...order, ...move, status: 'partially_filled' };
      }
      expect(exposure).toBe(spent - 1_000n);
    }),
  );
});
