/** What a venue said of a sell, as the move that is written: contracts leave the position once their venue fees are known. */
import { describe, expect, test } from 'vitest';
import { sellExecution, soldPosition } from '../../src/trading/execution/record-fills.ts';
import type { OrderCommand, OrderRow } from '../../src/trading/orders/order.ts';
import { MADE_AT, POSITION, someExecution, someFill, someSell } from './some-order.ts';
import { type ToldItem, told } from './told.ts';

const sold = (contracts: number, changes: Parameters<typeof someFill>[0] = {}) =>
  someFill({ priceMicros: 500_000n, quantityMicros: BigInt(contracts) * 1_000_000n, feeMicros: 20_000n, ...changes });

function moved(order: OrderRow, ...changes: Parameters<typeof someExecution>): OrderCommand {
  const move = sellExecution(order, someExecution(...changes), POSITION);
  if (move === null) {
    throw new Error('nothing was new');
  }
  return move;
}

const kinds = (facts: readonly ToldItem[]) =>
  facts.map(({ type, detail }) => {
    const { movementType, kind, eventType, toState } = detail as Record<string, string | undefined>;
    return [type, movementType ?? kind ?? eventType ?? toState].filter(Boolean).join(' ');
  });

describe('a sell that one answer filled whole', () => {
  const move = moved(someSell(), { fills: [sold(10)], state: 'closed' });

  test('takes its share of the position, and of its cost rounded down', () => {
    const { journal, ...columns } = move;
    expect(columns).toEqual({
      ...someSell(),
      status: 'filled',
      transmissionState: 'resolved',
      filledQuantityMicros: 10000000n,
      priceWeight: '5000000000000',
      tradeMinor: 500n,
      platformFeeMinor: 10n,
      venueFeeMinor: 2n,
      venueFeeKnown: true,
      positionVersion: 7n,
      takeQuantityMicros: 10000000n,
      costShareMinor: 420n,
      feeShareMinor: 20n,
      weightShare: 4000000000000n,
      addRealisedMinor: 68n,
      holdQuantityMicros: -10000000n,
      exposureMinor: -420n,
    });
    expect(journal.length).toBeGreaterThan(0);
  });

  test('tells it in one order, and credits the collateral with the proceeds', () => {
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed filled',
      'order.filled',
      'webhook.emitted order.filled',
      'ledger.posted POSITION_EXIT',
      'collateral.moved return',
      'fee.assessed platform',
      'fee.assessed venue',
      'position.exited',
    ]);
    expect(told(move.journal)[3]?.lines).toEqual([
      ['stakes', '400'],
      ['result', '100'],
      ['collateral:available', '-488'],
      ['fees:platform', '-10'],
      ['fees:venue', '-2'],
    ]);
    expect(told(move.journal)[4]?.money).toMatchObject({ currency: 'USD', amount: '4.88' });
    expect(told(move.journal)[5]?.detail).toEqual({ kind: 'platform', bps: 200 });
    expect(told(move.journal)[6]?.detail).toEqual({ kind: 'venue', bps: null });
    expect(told(move.journal)[7]).toMatchObject({
      money: { sellProceeds: '4.88', platformFee: '0.10', venueFee: '0.02', venueFeeKnown: true },
      detail: {
        side: 'YES',
        quantity: 10,
        quantityRemaining: 10,
        exitPrice: 0.5,
        entryPrice: 0.4,
        simulated: false,
        venueAgrees: null,
        venueFeeKnown: true,
        costBasis: '4.20',
        entryFeeShare: '0.20',
        realisedPnl: '0.68',
      },
    });
  });

  test.each([
    ['agrees', { quantityMicros: 10_000_000n, priceMicros: 500_000n }, true],
    ['names another quantity', { quantityMicros: 9_000_000n, priceMicros: 500_000n }, false],
    ['names another price', { quantityMicros: 10_000_000n, priceMicros: 490_000n }, false],
  ])("says whether the venue's own record %s", (_, record, agrees) => {
    const crossCheck = new Map([['v-1', record]]);
    const facts = told(moved(someSell(), { fills: [sold(10)], state: 'closed', crossCheck }).journal);
    expect(facts.find(({ type }) => type === 'position.exited')?.detail).toMatchObject({ venueAgrees: agrees });
  });
});

describe('a sell of which the step of the venue leaves a rest', () => {
  const reasonOf = (...changes: Parameters<typeof someExecution>) => {
    const [changed] = told(moved(someSell(), ...changes).journal);
    const { reason } = (changed?.detail ?? {}) as { reason?: string | null };
    return reason;
  };
  const SENT = { askedMicros: 9_000_000n, state: 'closed' } as const;

  test('says so when it has ended', () => {
    expect(reasonOf({ ...SENT, fills: [sold(9)] })).toBe('rest_below_venue_step');
    expect(reasonOf({ ...SENT, fills: [sold(9)], reason: 'halted' })).toBe('halted');
  });

  test('does not say so while a fee is read, without a fill, or where nothing was left', () => {
    expect(reasonOf({ ...SENT, fills: [sold(9, { feeMicros: null })] })).toBeNull();
    expect(reasonOf({ ...SENT, fills: [] })).toBe('closed_unfilled');
    expect(reasonOf({ ...SENT, askedMicros: 10_000_000n, fills: [sold(10)] })).toBeNull();
    expect(reasonOf({ ...SENT, askedMicros: 10_000_000n, fills: [sold(9)] })).toBeNull();
  });
});

describe('a sell that is filled in parts', () => {
  const first = sold(4);
  const LEFT = { ...first, recorded: true, feeRecorded: true };
  const partly = someSell({
    status: 'partially_filled',
    filledQuantityMicros: 4_000_000n,
    priceWeight: '2000000000000',
    tradeMinor: 200n,
    platformFeeMinor: 4n,
    venueFeeMinor: 2n,
    venueFeeKnown: true,
  });

  test('keeps contracts held while their fee is being read, and books nothing of them', () => {
    const move = moved(someSell(), { fills: [sold(4, { feeMicros: null })] });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'unknown',
      filledQuantityMicros: 4000000n,
      tradeMinor: 0n,
      platformFeeMinor: 0n,
      venueFeeMinor: 0n,
      venueFeeKnown: false,
      takeQuantityMicros: 0n,
      costShareMinor: 0n,
      holdQuantityMicros: 0n,
      exposureMinor: 0n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed partially_filled',
      'order.filled',
      'webhook.emitted order.filled',
    ]);
  });

  // contract 21.10
  test('lets them leave when the fee is read', () => {
    const booked = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
    const move = moved({ ...partly, ...booked }, { fills: [{ ...first, recorded: true }] });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'unknown',
      tradeMinor: 200n,
      venueFeeKnown: true,
      takeQuantityMicros: 4000000n,
      holdQuantityMicros: -4000000n,
      exposureMinor: -168n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed partially_filled',
      'ledger.posted POSITION_EXIT',
      'collateral.moved return',
      'fee.assessed platform',
      'fee.assessed venue',
      'position.exited',
    ]);
  });

  // contract 21.10
  test('takes of the position only what is new, and lets go of the rest at the end', () => {
    const second = sold(3, { fillId: 'fil_2', venueFillId: 'v-2' });
    const move = moved(partly, { fills: [LEFT, second], state: 'closed' });
    expect(move).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'resolved',
      filledQuantityMicros: 7000000n,
      tradeMinor: 350n,
      platformFeeMinor: 7n,
      venueFeeMinor: 4n,
      takeQuantityMicros: 3000000n,
      // 840 * 3 / 20, and the three contracts that were not sold with them
      costShareMinor: 126n,
      feeShareMinor: 6n,
      weightShare: 1200000000000n,
      addRealisedMinor: 19n,
      holdQuantityMicros: -6000000n,
      exposureMinor: -126n,
    });
    const exited = told(move.journal).find(({ type }) => type === 'position.exited');
    expect(exited).toMatchObject({ money: { sellProceeds: '1.45' }, detail: { quantity: 3, quantityRemaining: 17 } });
    expect(kinds(told(move.journal)).at(-1)).toBe('webhook.emitted order.completed');
    expect(told(move.journal).at(-1)?.event).toMatchObject({ outcome: 'closed_partial', fillCount: 2 });
  });

  test('of two fills in one answer each takes its share of what the one before left', () => {
    const fills = [first, sold(3, { fillId: 'fil_2', venueFillId: 'v-2' })];
    const move = moved(someSell(), { fills });
    expect(move).toMatchObject({
      takeQuantityMicros: 7000000n,
      costShareMinor: 294n,
      feeShareMinor: 14n,
    });
    const exits = told(move.journal).filter(({ type }) => type === 'position.exited');
    expect(exits.map(({ detail }) => detail)).toMatchObject([
      { quantity: 4, quantityRemaining: 16, costBasis: '1.68' },
      { quantity: 3, quantityRemaining: 13, costBasis: '1.26' },
    ]);
    expect(exits.map(({ money }) => money)).toMatchObject([{ sellProceeds: '1.94' }, { sellProceeds: '1.45' }]);
  });

  test('with one fee unread none of its fills leaves, and what left before stays booked', () => {
    const fills = [LEFT, sold(3, { fillId: 'fil_2', feeMicros: null })];
    expect(moved(partly, { fills, state: 'closed' })).toMatchObject({
      status: 'partially_filled',
      transmissionState: 'unknown',
      filledQuantityMicros: 7000000n,
      tradeMinor: 200n,
      venueFeeMinor: 2n,
      takeQuantityMicros: 0n,
      holdQuantityMicros: 0n,
      venueFeeKnown: false,
    });
  });

  test('writes nothing where nothing is new', () => {
    expect(sellExecution(partly, someExecution({ fills: [LEFT] }), POSITION)).toBeNull();
    expect(sellExecution(someSell(), someExecution(), POSITION)).toBeNull();
  });

  test('writes its end alone', () => {
    const move = moved(partly, { fills: [LEFT], state: 'closed' });
    expect(move).toMatchObject({
      transmissionState: 'resolved',
      takeQuantityMicros: 0n,
      holdQuantityMicros: -6000000n,
    });
    expect(kinds(told(move.journal))).toEqual([
      'order.state_changed partially_filled',
      'webhook.emitted order.completed',
    ]);
  });
});

describe('a sell that ends without a fill', () => {
  test('lets go of all that it held', () => {
    expect(moved(someSell(), { state: 'closed' })).toMatchObject({
      status: 'cancelled',
      transmissionState: 'resolved',
      venueFeeKnown: true,
      rejectReason: null,
      takeQuantityMicros: 0n,
      holdQuantityMicros: -10000000n,
      exposureMinor: 0n,
    });
  });

  test('is rejected with our reference', () => {
    const move = moved(someSell(), { state: 'rejected', reason: 'halted' });
    expect(move).toMatchObject({ status: 'rejected', rejectReason: 'halted (inl_Best_00000000000000)' });
    expect(kinds(told(move.journal)).at(-1)).toBe('webhook.emitted order.rejected');
  });

  test('is unknown while it works', () => {
    expect(moved(someSell({ status: 'pending_venue_execution' }), {})).toMatchObject({
      status: 'submitted',
      venueFeeKnown: false,
      holdQuantityMicros: 0n,
    });
  });
});

test('a sandbox sell credits the wallet with the money that is said, and moves no exposure', () => {
  const simulated = { tradeMinor: 499n, platformFeeMinor: 9n, venueFeeMinor: 0n };
  const move = moved(someSell(), { mode: 'sandbox', fills: [sold(10, { feeMicros: 0n })], state: 'closed', simulated });
  expect(move).toMatchObject({
    tradeMinor: 499n,
    exposureMinor: 0n,
    costShareMinor: 420n,
  });
  expect(kinds(told(move.journal))).toEqual([
    'order.state_changed filled',
    'order.filled',
    'webhook.emitted order.filled',
    'ledger.posted POSITION_EXIT',
    'fee.assessed platform',
    'position.exited',
  ]);
  expect(told(move.journal)[3]?.lines?.[2]).toEqual(['wallet:ana', '-490']);
});

test('fees that eat the proceeds return nothing, and what they take beyond is ours', () => {
  const move = moved(someSell(), { fills: [sold(10, { feeMicros: 6_000_000n })], state: 'closed' });
  expect(move).toMatchObject({ venueFeeMinor: 500n, platformFeeMinor: 0n });
  expect(kinds(told(move.journal))).toEqual([
    'order.state_changed filled',
    'order.filled',
    'webhook.emitted order.filled',
    'ledger.posted POSITION_EXIT',
    'fee.assessed venue',
    'position.exited',
    'ledger.posted VENUE_OVERRUN',
  ]);
});

test('a position is sold from as it was read', () => {
  expect(
    soldPosition({
      positionId: 'pos_1',
      externalUserId: 'ana',
      contractId: 'mkt_1',
      side: 'YES',
      simulated: false,
      status: 'open',
      quantityMicros: 20_000_000n,
      heldQuantityMicros: 10_000_000n,
      costBasisMinor: 840n,
      entryFeesMinor: 40n,
      priceWeight: '8000000000000',
      averagePriceMicros: 400_000n,
      realisedPnlMinor: 0n,
      openedAt: MADE_AT,
      updatedAt: MADE_AT,
      version: 7n,
    }),
  ).toEqual(POSITION);
});

// A report of so many fills took 96 seconds when each fill was summed up with all before it.
test('the time of a report grows with its fills', () => {
  const count = 10_000;
  const fills = Array.from({ length: count }, (_, index) =>
    sold(0, { fillId: `fil_${index}`, venueFillId: `v-${index}`, quantityMicros: 1_000n, feeMicros: 10n }),
  );
  const begun = performance.now();
  const move = moved(someSell(), { fills, askedMicros: 10_000_000n, state: 'closed' });
  expect(performance.now() - begun).toBeLessThan(20_000);
  expect(move.takeQuantityMicros).toBe(10_000_000n);
  expect(move.journal.filter(({ kind }) => kind === 'order_filled')).toHaveLength(count);
});
