/** Ledger entries as they are rendered from a row of the journal: the accounts of its amounts, in their order and words. */
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/ledger/journal-row.ts';
import {
  ACCOUNTS,
  collateralFunds,
  entryOf,
  holdAccount,
  operatorCashFunds,
  walletAccount,
  walletFunds,
} from '../../src/ledger/render/entry.ts';

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
  });
});

const ROW: JournalEntry = {
  kind: 'authorization_released',
  items: 1,
  digits: '0'.repeat(31).concat('1'),
  externalUserId: 'ana',
  orderId: 'ord_1',
  funds: 'wallet',
  held: 1_000n,
  available: -1_000n,
};
const posted = (row: Partial<JournalEntry>) => {
  const entry = entryOf({ ...ROW, held: null, available: null, ...row });
  return (
    entry && {
      words: [entry.movementType, entry.memo, entry.referenceType, entry.referenceId],
      lines: entry.lines.map(({ accountId, amountMinor }) => [accountId, amountMinor]),
    }
  );
};

describe('an entry', () => {
  // contract 24.4
  test('has the digits of its row, and a line for each amount', () => {
    expect(entryOf(ROW)).toEqual({
      entryId: `ent_${ROW.digits}`,
      movementType: 'ORDER_RELEASE',
      memo: 'Authorization released',
      referenceType: 'order',
      referenceId: 'ord_1',
      effectiveAt: null,
      lines: [
        { accountId: 'hold:ana', amountMinor: 1_000n, balanceAfterMinor: null },
        { accountId: 'wallet:ana', amountMinor: -1_000n, balanceAfterMinor: null },
      ],
    });
  });

  test('is none where no amount is left', () => {
    expect(posted({})).toBeNull();
    expect(posted({ available: 0n, held: 0n })).toBeNull();
    expect(posted({ kind: 'order_sent', available: 5n, held: -5n })).toBeNull();
  });

  test.each([
    [
      'order_recorded',
      { available: 5n, held: -5n },
      ['ORDER_HOLD', 'Authorization held'],
      [
        ['wallet:ana', 5n],
        ['hold:ana', -5n],
      ],
    ],
    [
      'contracts_bought',
      { action: 'buy', held: 994n, stakes: -969n, platformFees: -20n, venueFees: -5n },
      ['ORDER_FILL', 'Contracts bought'],
      [
        ['hold:ana', 994n],
        ['stakes', -969n],
        ['fees:platform', -20n],
        ['fees:venue', -5n],
      ],
    ],
    [
      'contracts_sold',
      { action: 'sell', stakes: 600n, result: -100n, available: -488n, platformFees: -10n, venueFees: -2n },
      ['POSITION_EXIT', 'Contracts sold'],
      [
        ['stakes', 600n],
        ['result', -100n],
        ['wallet:ana', -488n],
        ['fees:platform', -10n],
        ['fees:venue', -2n],
      ],
    ],
    [
      'overrun_posted',
      { other: 7n, otherAccount: 'overrun', venueFees: -7n },
      ['VENUE_OVERRUN', 'Taken by the venue beyond the amount sent'],
      [
        ['overrun', 7n],
        ['fees:venue', -7n],
      ],
    ],
  ] as const)('of a row %s', (kind, amounts, words, lines) => {
    expect(posted({ kind, ...amounts })).toEqual({ words: [...words, 'order', 'ord_1'], lines });
  });

  test('of a settlement returns the fees of an annulled market', () => {
    const row = {
      kind: 'position_settled',
      positionId: 'pos_1',
      outcome: 'void',
      otherAccount: 'fees:returned',
    } as const;
    expect(posted({ ...row, stakes: 980n, other: 20n, available: -1_000n })).toEqual({
      words: ['POSITION_SETTLEMENT', 'Position settled: void', 'position', 'pos_1'],
      lines: [
        ['stakes', 980n],
        ['fees:returned', 20n],
        ['wallet:ana', -1_000n],
      ],
    });
  });
});
