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
    'the auditor does not sum an entry',
    'src/audit/entries.ts',
    'if (sum !== 0n) {',
    'if (sum !== 0n && row.version < 0) {',
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'a row that does not balance' },
  ),
  mutant(
    'the auditor takes any balance after a row',
    'src/audit/entries.ts',
    'if (after === null ? Boolean(row[column]) : after !== balance) {',
    'if (after === undefined) {',
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'a balance after a row' },
  ),
  mutant(
    'the auditor takes any charge of an order',
    'src/audit/order-rules.ts',
    '!same(stated, entries) &&',
    "!same(stated, entries) && order.action === 'none' &&",
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'contracts that no fill bought' },
  ),
  mutant(
    'the auditor lets an order go anywhere',
    'src/audit/orders.ts',
    '!TRANSITIONS[row.kind]?.[from]?.includes(status)',
    "status === ''",
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'an order that goes from filled to submitted' },
  ),
  mutant(
    'the auditor lets a position be paid twice',
    'src/audit/positions.ts',
    "position === undefined || position.status !== 'open' || position.heldQuantityMicros !== 0n",
    'position === undefined',
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'a settlement that was paid twice' },
  ),
  mutant(
    'the auditor misses a row that is gone',
    'src/audit/fold.ts',
    'if (row.sequence !== expected) {',
    'if (row.sequence < expected) {',
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'a row that is gone between two' },
  ),
  mutant(
    'the comparison leaves out what only one side has',
    'src/audit/compare.ts',
    'full join (select ${read',
    'join (select ${read',
    { test: 'test/reconciliation/damaged-ledger.test.ts', title: 'a deposit whose record is gone' },
  ),
  mutant(
    'the auditor takes any amount that is told',
    'src/audit/told.ts',
    'amounts[name] === follows',
    "amounts[name] === follows || follows !== '?'",
    { test: 'test/audit/told.test.ts', title: 'each amount of each item' },
  ),
  mutant(
    'the auditor takes a row that is another one since',
    'src/audit/digests.ts',
    'where remembered.digest <> stored.digest or',
    'where',
    { test: 'test/audit/digests.test.ts', title: 'a change of any column' },
  ),
  mutant(
    'who has read the old books writes into the new ones',
    'sql/functions/operations/books.sql',
    'where operator_id = p_operator_id and writes = p_writes',
    'where operator_id = p_operator_id',
    { test: 'test/audit/anew.test.ts', title: 'who has read the old books' },
  ),
  mutant(
    'a cursor of lost books is taken',
    'src/ledger/read-feed.ts',
    "throw refuse('cursor_ahead'",
    "if (false) throw refuse('cursor_ahead'",
    { test: 'test/feed/epoch.test.ts' },
  ),
];
