/** Rules of money, of the ledger, of the report and of the feed, each broken in one place. */
import { type Mutant, mutant } from './mutant.ts';

const MONEY = { pure: 'test/money' } as const;

export const BOOKS: readonly Mutant[] = [
  mutant(
    'the fee debits more than was authorised',
    'src/money/live.ts',
    'min(ceilDivide(fees, CENT), terms.tradeMinor - tradeMinor)',
    'ceilDivide(fees, CENT)',
    MONEY,
  ),
  mutant(
    'the cost of fills is rounded down',
    'src/money/live.ts',
    'min(ceilDivide(priceWeight, CENT), terms.tradeMinor)',
    'min(priceWeight / CENT, terms.tradeMinor)',
    MONEY,
  ),
  mutant(
    'the platform fee passes what was quoted',
    'src/money/partial.ts',
    'min(terms.platformFeeMinor, ceilDivide(terms.platformFeeMinor * taken, terms.tradeMinor))',
    'ceilDivide(terms.platformFeeMinor * taken, terms.tradeMinor) + 1n',
    MONEY,
  ),
  mutant('an overrun is not counted', 'src/money/live.ts', 'return past > 0n ? past : 0n;', 'return 0n;', MONEY),
  mutant(
    'the trial balance is not looked at',
    'sql/functions/reconciliation/check_ledger.sql',
    '(select whole.total <> 0 or whole.weighted <> 0 from whole)',
    'false',
    { test: 'test/reconciliation/findings.test.ts', title: 'trial_balance' },
  ),
  mutant(
    'a seal is not held against its entries',
    'sql/functions/ledger/broken_seals.sql',
    'and seal_row.digest <> ledger_digest(p_operator_id, seal_row.after_position,\n       seal_row.through_position)',
    'and false',
    { test: 'test/reconciliation/seal.test.ts' },
  ),
  mutant(
    'the chain of seals is not checked',
    'sql/functions/ledger/broken_seals.sql',
    'where not seal_row.linked',
    'where false',
    { test: 'test/reconciliation/seal.test.ts' },
  ),
  mutant(
    'a cursor of lost books is taken',
    'src/ledger/read-feed.ts',
    "throw refuse('cursor_ahead'",
    "if (false) throw refuse('cursor_ahead'",
    { test: 'test/feed/epoch.test.ts' },
  ),
];
