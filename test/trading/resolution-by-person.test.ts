/** What a person learned of an order at its venue: recorded as it was, held only against what is recorded already. */
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/core/errors.ts';
import type { RecordedFill } from '../../src/ledger/fills.ts';
import { type Learned, learnedExecution } from '../../src/trading/execution/report.ts';
import { someAttempt } from './some-order.ts';

const ATTEMPT = someAttempt();
const BUY = { action: 'buy', quotedQuantityMicros: 10_000_000n } as const;
const SELL = { action: 'sell', quotedQuantityMicros: 10_000_000n } as const;
const RECORDED: RecordedFill = {
  fillId: 'fil_1',
  quantityMicros: 4_000_000n,
  priceMicros: 560_000n,
  feeMicros: 10_000n,
  venueFillId: 'v-1',
  filledAt: new Date(0),
};
const UNREAD: RecordedFill = { ...RECORDED, fillId: 'fil_2', venueFillId: 'v-2', feeMicros: null };

const filled = (contracts: number, changes: { priceMicros?: bigint; feeMinor?: bigint } = {}): Learned => ({
  rejected: false,
  quantityMicros: BigInt(contracts * 1_000_000),
  priceMicros: 570_000n,
  feeMinor: 0n,
  ...changes,
});

function learn(order: typeof BUY | typeof SELL, recorded: readonly RecordedFill[], learned: Learned) {
  return learnedExecution(order, ATTEMPT, recorded, 'live', learned);
}

function refused(...given: Parameters<typeof learn>): Refusal {
  try {
    learn(...given);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return error as Refusal;
  }
  throw new Error('it was taken');
}

describe('a rejection', () => {
  test('ends the order without a fill', () => {
    expect(learn(BUY, [], { rejected: true })).toEqual({
      execution: { mode: 'live', askedMicros: 10_000_000n, fills: [], state: 'rejected', reason: 'rejected_by_venue' },
      evidence: [],
    });
  });

  test('contradicts recorded fills', () => {
    const { code, message } = refused(BUY, [RECORDED, UNREAD], { rejected: true });
    expect([code, message]).toEqual(['contradicts_fills', 'Fills of 8 contracts are recorded: it was not rejected.']);
  });
});

describe('a quantity', () => {
  test('below what is recorded contradicts it; the same is taken', () => {
    const { code, message } = refused(BUY, [RECORDED], filled(3.999999));
    expect([code, message]).toEqual(['contradicts_fills', 'Fills of 4 contracts are recorded, more than 3.999999.']);
    expect(learn(BUY, [RECORDED], filled(4)).execution.fills).toHaveLength(1);
  });

  test('beyond what is recorded is one more fill', () => {
    const { execution, evidence } = learn(BUY, [RECORDED], filled(9, { feeMinor: 3n }));
    expect(evidence).toEqual([]);
    expect(execution).toEqual({
      mode: 'live',
      askedMicros: 10_000_000n,
      state: 'closed',
      reason: null,
      gainedMinor: 0n,
      fills: [
        {
          fillId: 'fil_1',
          venueFillId: 'v-1',
          recorded: true,
          feeRecorded: true,
          priceMicros: 560_000n,
          quantityMicros: 4_000_000n,
          feeMicros: 10_000n,
        },
        {
          fillId: expect.stringMatching(/^fil_/),
          venueFillId: expect.stringMatching(/^att_/),
          recorded: false,
          feeRecorded: false,
          priceMicros: 570_000n,
          quantityMicros: 5_000_000n,
          feeMicros: 30_000n,
        },
      ],
    });
  });

  test('of nothing closes the order unfilled', () => {
    expect(learn(BUY, [], filled(0)).execution).toMatchObject({ fills: [], state: 'closed', gainedMinor: 0n });
  });
});

describe('a fee', () => {
  test('goes with the first fill whose fee was not read; what was not read besides cost nothing', () => {
    const { execution } = learn(BUY, [RECORDED, UNREAD, UNREAD], filled(13, { feeMinor: 2n }));
    expect(execution.fills.map(({ feeMicros }) => feeMicros)).toEqual([10_000n, 20_000n, 0n, 0n]);
  });

  test('is counted once where the first recorded fill has it', () => {
    const { execution } = learn(BUY, [UNREAD], filled(9, { feeMinor: 2n }));
    expect(execution.fills.map(({ feeMicros }) => feeMicros)).toEqual([20_000n, 0n]);
  });

  test('needs a fill that it can belong to', () => {
    const { code, message } = refused(BUY, [RECORDED], filled(4, { feeMinor: 1n }));
    expect(code).toBe('contradicts_fills');
    expect(message).toBe('Every fill and its fee are recorded, so the fee belongs to no fill.');
    expect(refused(BUY, [], filled(0, { feeMinor: 1n })).code).toBe('contradicts_fills');
    expect(learn(BUY, [UNREAD], filled(4, { feeMinor: 1n })).execution.fills[0]?.feeMicros).toBe(10_000n);
    expect(learn(BUY, [RECORDED], filled(5, { feeMinor: 1n })).execution.fills[1]?.feeMicros).toBe(10_000n);
  });
});

describe('evidence', () => {
  const raw = (contracts: bigint, priceMicros: bigint) => ({
    quantityMicros: contracts * 1_000_000n,
    priceMicros,
    sentMicros: 10_000_000n,
    limitMicros: 570_000n,
  });

  test.each([
    ['a buy above its limit', BUY, 570_001n, ['beyond_limit']],
    ['a buy at its limit', BUY, 570_000n, []],
    ['a buy below its limit', BUY, 569_999n, []],
    ['a sell below its limit', SELL, 569_999n, ['beyond_limit']],
    ['a sell at its limit', SELL, 570_000n, []],
    ['a sell above its limit', SELL, 570_001n, []],
  ] as const)('of %s', (_, order, priceMicros, kinds) => {
    const { evidence } = learn(order, [], filled(10, { priceMicros }));
    expect(evidence).toEqual(kinds.map((kind) => ({ kind, raw: raw(10n, priceMicros) })));
    expect(learn(order, [RECORDED], filled(4, { priceMicros })).evidence).toEqual([]);
  });

  test('of more than was sent', () => {
    expect(learn(BUY, [], filled(11)).evidence).toEqual([{ kind: 'beyond_quantity', raw: raw(11n, 570_000n) }]);
  });
});

test('a sell of less than it held back delivers that and no more', () => {
  const { execution } = learn(SELL, [RECORDED], filled(7));
  expect(execution.fills.map(({ quantityMicros }) => quantityMicros)).toEqual([4_000_000n, 3_000_000n]);
  expect(execution.gainedMinor).toBe(0n);
});

describe('a sell of more than it held back', () => {
  test('delivers what it held; what the venue paid for the rest is a gain', () => {
    const { execution, evidence } = learn(SELL, [RECORDED], filled(12));
    expect(execution.fills.map(({ quantityMicros }) => quantityMicros)).toEqual([4_000_000n, 6_000_000n]);
    expect(execution.gainedMinor).toBe(114n);
    expect(evidence.map(({ kind }) => kind)).toEqual([]);
  });

  test('takes nothing back that was recorded beyond it', () => {
    const recorded = { ...RECORDED, quantityMicros: 11_000_000n };
    const { execution } = learn(SELL, [recorded], filled(12));
    expect(execution.fills.map(({ quantityMicros }) => quantityMicros)).toEqual([11_000_000n]);
    expect(execution.gainedMinor).toBe(57n);
  });

  test('while a buy is recorded whole, and gains nothing', () => {
    const { execution } = learn(BUY, [], filled(12));
    expect(execution.fills.map(({ quantityMicros }) => quantityMicros)).toEqual([12_000_000n]);
    expect(execution.gainedMinor).toBe(0n);
  });
});
