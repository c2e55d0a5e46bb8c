/** What a venue says of an order is taken only where it fits what was sent; all else is evidence and moves no money. */
import { describe, expect, test } from 'vitest';
import type { RecordedFill } from '../../src/ledger/fills.ts';
import { known, validateReport } from '../../src/trading/execution/report.ts';
import type { VenueFill, VenueOrder } from '../../src/venues/port.ts';
import { MADE_AT, someAttempt } from './some-order.ts';

const ATTEMPT = someAttempt();
const BUY = { side: 'YES', action: 'buy' } as const;

const fill = (changes: Partial<VenueFill> = {}): VenueFill => ({
  fillId: 'v-1',
  ourId: 'att_1',
  listingId: 'listing-1',
  quantityMicros: 4_000_000n,
  priceMicros: 570_000n,
  feeMicros: 10_000n,
  occurredAt: MADE_AT,
  ...changes,
});

const report = (fills: readonly VenueFill[], changes: Partial<VenueOrder> = {}): VenueOrder => ({
  ourId: 'att_1',
  venueOrderId: 'v-order',
  listingId: 'listing-1',
  state: 'working',
  reason: null,
  side: 'YES',
  action: 'BUY',
  quantityMicros: 10_000_000n,
  fills,
  ...changes,
});

const RECORDED: RecordedFill = {
  fillId: 'fil_1',
  quantityMicros: 4_000_000n,
  priceMicros: 570_000n,
  feeMicros: null,
  venueFillId: 'v-1',
  filledAt: new Date(0),
};
const KNOWN = {
  fillId: 'fil_1',
  venueFillId: 'v-1',
  recorded: true,
  feeRecorded: false,
  priceMicros: 570_000n,
  quantityMicros: 4_000_000n,
  feeMicros: null,
};

describe('a report of another order', () => {
  test.each([
    ['our id', { ourId: 'att_2' }],
    ['the listing', { listingId: 'listing-2' }],
    ['the side', { side: 'NO' }],
  ] as const)('by %s is evidence as a whole', (_, changes) => {
    const foreign = report([fill()], changes);
    expect(validateReport(BUY, ATTEMPT, [RECORDED], foreign)).toEqual({
      fills: [KNOWN],
      evidence: [{ kind: 'foreign_order', raw: foreign }],
    });
  });
});

describe('a new fill', () => {
  test('that fits is taken as it is, under an id of ours', () => {
    const { fills, evidence } = validateReport(BUY, ATTEMPT, [], report([fill()]));
    expect(evidence).toEqual([]);
    expect(fills).toEqual([
      {
        fillId: expect.stringMatching(/^fil_[0-9a-f]{32}$/),
        venueFillId: 'v-1',
        recorded: false,
        feeRecorded: false,
        priceMicros: 570_000n,
        quantityMicros: 4_000_000n,
        feeMicros: 10_000n,
      },
    ]);
  });

  test('is behind the recorded ones, in the order of the venue', () => {
    const more = [
      fill({ fillId: 'v-3' }),
      fill({ fillId: 'v-2', quantityMicros: 2_000_000n, feeMicros: null }),
      fill(),
    ];
    const { fills, evidence } = validateReport(BUY, ATTEMPT, [RECORDED], report(more));
    expect(evidence).toEqual([]);
    expect(fills.map(({ venueFillId, recorded, feeMicros }) => [venueFillId, recorded, feeMicros])).toEqual([
      ['v-1', true, 10_000n],
      ['v-3', false, 10_000n],
      ['v-2', false, null],
    ]);
  });

  test.each([
    ['foreign_fill', { ourId: 'att_2' }],
    ['foreign_fill', { listingId: 'listing-2' }],
    ['impossible_price', { priceMicros: 0n }],
    ['impossible_price', { priceMicros: -1n }],
    ['impossible_price', { priceMicros: 1_000_000n }],
    ['impossible_quantity', { quantityMicros: 0n }],
    ['impossible_quantity', { quantityMicros: -1n }],
    ['impossible_quantity', { quantityMicros: 10_000_001n }],
    ['impossible_fee', { feeMicros: -1n }],
    ['beyond_limit', { priceMicros: 570_001n }],
  ] as const)('is %s where it says %o', (kind, changes) => {
    const strange = fill(changes);
    expect(validateReport(BUY, ATTEMPT, [], report([strange]))).toEqual({
      fills: [],
      evidence: [{ kind, raw: strange }],
    });
  });

  test.each([
    ['at the cheapest price', { priceMicros: 1n }],
    ['of all that was asked', { quantityMicros: 10_000_000n }],
    ['without a fee', { feeMicros: 0n }],
    ['whose fee is being read', { feeMicros: null }],
  ] as const)('is taken %s', (_, changes) => {
    expect(validateReport(BUY, ATTEMPT, [], report([fill(changes)])).fills).toHaveLength(1);
  });

  test('of a sell is beyond its limit where it is cheaper, and fits up to a dollar', () => {
    const sell = { side: 'YES', action: 'sell' } as const;
    const cheaper = fill({ priceMicros: 569_999n });
    expect(validateReport(sell, ATTEMPT, [], report([cheaper])).evidence).toEqual([
      { kind: 'beyond_limit', raw: cheaper },
    ]);
    for (const priceMicros of [570_000n, 999_999n]) {
      expect(validateReport(sell, ATTEMPT, [], report([fill({ priceMicros })])).evidence).toEqual([]);
    }
  });

  test('may fill what is left and no more, counted with the recorded and the taken ones', () => {
    const rest = (quantityMicros: bigint) => [
      fill({ fillId: 'v-2', quantityMicros: 4_000_000n }),
      fill({ fillId: 'v-3', quantityMicros }),
    ];
    expect(validateReport(BUY, ATTEMPT, [RECORDED], report(rest(2_000_000n))).evidence).toEqual([]);
    const { fills, evidence } = validateReport(BUY, ATTEMPT, [RECORDED], report(rest(2_000_001n)));
    expect(fills.map(({ venueFillId }) => venueFillId)).toEqual(['v-1', 'v-2']);
    expect(evidence).toMatchObject([{ kind: 'impossible_quantity', raw: { fillId: 'v-3' } }]);
  });

  test('that is strange counts for nothing against the next', () => {
    const strange = fill({ fillId: 'v-2', quantityMicros: 9_000_000n, feeMicros: -1n });
    const { fills } = validateReport(BUY, ATTEMPT, [], report([strange, fill({ quantityMicros: 10_000_000n })]));
    expect(fills.map(({ venueFillId }) => venueFillId)).toEqual(['v-1']);
  });
});

describe('a recorded fill', () => {
  const paid: RecordedFill = { ...RECORDED, feeMicros: 10_000n };

  test('that is repeated is not recorded again', () => {
    expect(validateReport(BUY, ATTEMPT, [paid], report([fill(), fill()]))).toEqual({
      fills: [{ ...KNOWN, feeRecorded: true, feeMicros: 10_000n }],
      evidence: [],
    });
  });

  test('that is left out stays as it is', () => {
    expect(validateReport(BUY, ATTEMPT, [RECORDED, { ...paid, venueFillId: null }], report([]))).toEqual({
      fills: [KNOWN, { ...KNOWN, venueFillId: null, feeRecorded: true, feeMicros: 10_000n }],
      evidence: [],
    });
  });

  test('a recorded fill that a complete report leaves out is evidence, and stays', () => {
    const complete = report([fill({ fillId: 'v-2', quantityMicros: 6_000_000n })], { state: 'closed' });
    const { fills, evidence } = validateReport(BUY, ATTEMPT, [RECORDED], complete);
    expect(evidence).toEqual([{ kind: 'fill_missing', raw: [RECORDED] }]);
    expect(fills[0]).toEqual(KNOWN);
    // one that still works may list it later
    expect(validateReport(BUY, ATTEMPT, [RECORDED], report([])).evidence).toEqual([]);
  });

  test('takes the fee that became known, also one of nothing', () => {
    for (const feeMicros of [0n, 7n]) {
      const { fills, evidence } = validateReport(BUY, ATTEMPT, [RECORDED], report([fill({ feeMicros })]));
      expect([fills, evidence]).toEqual([[{ ...KNOWN, feeMicros }], []]);
    }
  });

  test.each<[string, RecordedFill, Partial<VenueFill>, bigint | null]>([
    ['fill_changed', RECORDED, { quantityMicros: 4_000_001n, feeMicros: null }, null],
    ['fill_changed', RECORDED, { priceMicros: 560_000n, feeMicros: null }, null],
    ['fee_changed', paid, { feeMicros: 10_001n }, 10_000n],
    ['fee_changed', paid, { feeMicros: -1n }, 10_000n],
    ['impossible_fee', RECORDED, { feeMicros: -1n }, null],
  ])('is %s, and stays as it was recorded', (kind, recorded, changes, feeMicros) => {
    const again = fill(changes);
    expect(validateReport(BUY, ATTEMPT, [recorded], report([again]))).toEqual({
      fills: [{ ...KNOWN, feeRecorded: recorded === paid, feeMicros }],
      evidence: [{ kind, raw: again }],
    });
  });

  test('whose fee is known is not asked about while the venue reads it', () => {
    expect(validateReport(BUY, ATTEMPT, [paid], report([fill({ feeMicros: null })]))).toEqual({
      fills: [{ ...KNOWN, feeRecorded: true, feeMicros: 10_000n }],
      evidence: [],
    });
  });

  test('that a complete report no longer has is evidence', () => {
    const closed = report([fill({ fillId: 'v-1:maker' })], { state: 'closed' });
    expect(validateReport(BUY, ATTEMPT, [RECORDED], closed).evidence).toEqual([
      { kind: 'fill_missing', raw: [RECORDED] },
    ]);
    expect(validateReport(BUY, ATTEMPT, [RECORDED], report([])).evidence).toEqual([]);
  });

  test('keeps its fee, whatever is learned', () => {
    expect(known(paid, 99n).feeMicros).toBe(10_000n);
    expect(known({ ...paid, feeMicros: 0n }, 99n).feeMicros).toBe(0n);
    expect(known(RECORDED, 99n).feeMicros).toBe(99n);
  });
});

describe('where the venue takes dollars', () => {
  const spends = someAttempt({ quantityMicros: 10_000_000n, limitPriceMicros: 600_000n, spendMicros: 6_000_000n });

  test('a better price fills more than was asked for, and all of it counts', () => {
    const more = fill({ quantityMicros: 12_000_000n, priceMicros: 500_000n });
    const { fills, evidence } = validateReport(BUY, spends, [], report([more]));
    expect(evidence).toEqual([]);
    expect(fills).toMatchObject([{ quantityMicros: 12_000_000n }]);
  });

  test('more dollars than were sent are evidence and move nothing', () => {
    const most = fill({ quantityMicros: 12_000_000n, priceMicros: 500_000n });
    const beyond = fill({ fillId: 'v-2', quantityMicros: 10_000n, priceMicros: 500_000n });
    const { fills, evidence } = validateReport(BUY, spends, [], report([most, beyond]));
    expect(fills).toHaveLength(1);
    expect(evidence).toEqual([{ kind: 'impossible_quantity', raw: beyond }]);
  });
});
