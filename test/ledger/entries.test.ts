/** Ledger entries as they are composed, without a database: lines that sum to zero, on the accounts of the chart. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACCOUNTS,
  collateralFunds,
  holdAccount,
  operatorCashFunds,
  walletAccount,
  walletFunds,
} from '../../src/ledger/accounts.ts';
import { collateralMoved } from '../../src/ledger/collateral.ts';
import { type Entry, postEntry } from '../../src/ledger/entry.ts';
import { exitEntry, fillEntry, fundsOf, holdEntry, releaseEntry } from '../../src/ledger/order-entries.ts';

const ENTRY: Entry = {
  movementType: 'CORRECTION',
  memo: 'why',
  referenceType: 'entry',
  referenceId: 'ent_1',
  lines: [
    ['a', 150n],
    ['b', -100n],
    ['c', -50n],
  ],
};

describe('the chart of accounts', () => {
  test('has the names that entries are kept under', () => {
    expect(ACCOUNTS).toEqual({
      sandboxFloat: 'sandbox:float',
      collateralDeposits: 'deposits',
      collateralAvailable: 'collateral:available',
      collateralCommitted: 'collateral:committed',
      operatorCash: 'operator:cash',
      stakes: 'stakes',
      platformFees: 'fees:platform',
      venueFees: 'fees:venue',
      feesReturned: 'fees:returned',
      result: 'result',
      overrun: 'overrun',
    });
    expect([walletAccount('ana'), holdAccount('ana')]).toEqual(['wallet:ana', 'hold:ana']);
  });

  test('knows where the money of an order is free and where it is held', () => {
    expect(walletFunds('ana')).toEqual({ available: 'wallet:ana', held: 'hold:ana' });
    expect(collateralFunds).toEqual({ available: 'collateral:available', held: 'collateral:committed' });
    expect(operatorCashFunds).toEqual({ available: 'operator:cash', held: 'operator:cash' });
    expect(fundsOf('sandbox', false, 'ana')).toEqual(walletFunds('ana'));
    expect(fundsOf('sandbox', true, 'ana')).toEqual(walletFunds('ana'));
    expect(fundsOf('live', true, 'ana')).toEqual(operatorCashFunds);
    expect(fundsOf('live', false, 'ana')).toEqual(collateralFunds);
  });
});

describe('an entry', () => {
  // contract 24.4
  test('is posted as one fact, whose item is made of its lines', () => {
    const { itemId, ...fact } = postEntry(ENTRY) ?? { itemId: 'none' };
    expect(itemId).toMatch(/^ent_[0-9a-f]{32}$/);
    expect(fact).toEqual({
      type: 'ledger.posted',
      money: null,
      detail: {
        movementType: 'CORRECTION',
        memo: 'why',
        referenceType: 'entry',
        referenceId: 'ent_1',
        correctsEntryId: null,
      },
      lines: [
        ['a', '150'],
        ['b', '-100'],
        ['c', '-50'],
      ],
    });
  });

  // contract 23.1
  test('names the entry that it corrects', () => {
    expect(postEntry({ ...ENTRY, correctsEntryId: 'ent_0' })?.detail).toMatchObject({ correctsEntryId: 'ent_0' });
  });

  test('leaves lines of nothing out, and is none where no line is left', () => {
    const lines = [...ENTRY.lines, ['d', 0n]] as const;
    expect(postEntry({ ...ENTRY, lines })?.lines?.map(([account]) => account)).toEqual(['a', 'b', 'c']);
    expect(postEntry({ ...ENTRY, lines: [['d', 0n]] })).toBeNull();
    expect(postEntry({ ...ENTRY, lines: [] })).toBeNull();
  });

  test('that does not balance is refused by name', () => {
    for (const past of [1n, -1n]) {
      expect(() => postEntry({ ...ENTRY, lines: [...ENTRY.lines, ['d', past]] })).toThrow(
        'entry CORRECTION of ent_1 does not balance',
      );
    }
  });

  test('balances or is refused, whatever its lines', () => {
    const line = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.bigInt(-1_000n, 1_000n));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const sum = lines.reduce((total, [, amount]) => total + amount, 0n);
        if (sum !== 0n) {
          expect(() => postEntry({ ...ENTRY, lines })).toThrow(RangeError);
          return;
        }
        const posted = postEntry({ ...ENTRY, lines })?.lines ?? [];
        expect(posted.reduce((total, [, amount]) => total + BigInt(amount), 0n)).toBe(0n);
        expect(posted.every(([, amount]) => amount !== '0')).toBe(true);
      }),
    );
  });
});

describe('the entries of an order', () => {
  const detail = (movementType: string, memo: string) => ({
    movementType,
    memo,
    referenceType: 'order',
    referenceId: 'ord_1',
    correctsEntryId: null,
  });
  const funds = walletFunds('ana');

  test('hold from what is free', () => {
    const entry = holdEntry('ord_1', funds, 1_000n);
    expect(entry?.detail).toEqual(detail('ORDER_HOLD', 'Authorization held'));
    expect(entry?.lines).toEqual([
      ['wallet:ana', '1000'],
      ['hold:ana', '-1000'],
    ]);
  });

  test('release to what is free', () => {
    const entry = releaseEntry('ord_1', funds, 1_000n);
    expect(entry?.detail).toEqual(detail('ORDER_RELEASE', 'Authorization released'));
    expect(entry?.lines).toEqual([
      ['hold:ana', '1000'],
      ['wallet:ana', '-1000'],
    ]);
  });

  test('spend the debit on stakes and fees', () => {
    const money = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n };
    const entry = fillEntry('ord_1', 'hold:ana', money);
    expect(entry?.detail).toEqual(detail('ORDER_FILL', 'Contracts bought'));
    expect(entry?.lines).toEqual([
      ['hold:ana', '994'],
      ['stakes', '-969'],
      ['fees:platform', '-20'],
      ['fees:venue', '-5'],
    ]);
  });

  test.each([
    ['a market that won', 400n, ['result', '100']],
    ['a market that lost', 600n, ['result', '-100']],
  ])('exit with the result of %s', (_, stakeShareMinor, result) => {
    const exit = { stakeShareMinor, proceedsMinor: 488n, platformFeeMinor: 10n, venueFeeMinor: 2n };
    const entry = exitEntry('ord_1', 'wallet:ana', exit);
    expect(entry?.detail).toEqual(detail('POSITION_EXIT', 'Contracts sold'));
    expect(entry?.lines).toEqual([
      ['stakes', `${stakeShareMinor}`],
      result,
      ['wallet:ana', '-488'],
      ['fees:platform', '-10'],
      ['fees:venue', '-2'],
    ]);
  });

  test('are none where nothing moves', () => {
    const nothing = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
    expect(fillEntry('ord_1', 'hold:ana', nothing)).toBeNull();
    expect(holdEntry('ord_1', funds, 0n)).toBeNull();
    expect(releaseEntry('ord_1', funds, 0n)).toBeNull();
  });
});

test.each([
  ['commit', 'Collateral committed to an order'],
  ['release', 'Committed collateral released'],
  ['spend', 'Committed collateral spent on contracts'],
  ['return', 'Collateral returned by contracts'],
] as const)('collateral that moved by %s names its entry', (kind, memo) => {
  const entry = { type: 'ledger.posted', itemId: 'ent_1', money: null, detail: {} } as const;
  expect(collateralMoved(kind, 994n, entry)).toEqual({
    type: 'collateral.moved',
    itemId: expect.stringMatching(/^mov_/),
    money: { currency: 'USD', amount: '9.94' },
    detail: { kind, memo, ledgerEntryId: 'ent_1' },
  });
});
