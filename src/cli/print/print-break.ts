/** A break between a statement from outside and our books, as commands show it. */
import { formatMinor } from '../../money/usd.ts';
import type { OutsideBreak } from '../../reconciliation/outside/outside-statements.ts';
import type { Column } from '../terminal/output.ts';

export type ShownBreak = Omit<OutsideBreak, 'outsideMinor' | 'booksMinor' | 'openedAt' | 'closedAt'> & {
  /** Dollars; above 0 was paid to us. */
  readonly outside: string | null;
  readonly books: string | null;
  readonly openedAt: string;
  readonly closedAt: string | null;
};

export function renderBreak({ outsideMinor, booksMinor, openedAt, closedAt, ...found }: OutsideBreak): ShownBreak {
  return {
    ...found,
    outside: outsideMinor === null ? null : formatMinor(outsideMinor),
    books: booksMinor === null ? null : formatMinor(booksMinor),
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
}

export const BREAK_COLUMNS: Column<ShownBreak>[] = [
  { name: 'breakId', title: 'break', value: (row) => row.breakId },
  { name: 'account', value: (row) => row.account },
  { name: 'problem', value: (row) => row.problem },
  { name: 'reference', value: (row) => row.reference },
  { name: 'outside', value: (row) => row.outside, align: 'right' },
  { name: 'books', value: (row) => row.books, align: 'right' },
  { name: 'outsideOn', title: 'outside on', value: (row) => row.outsideOn },
  { name: 'booksOn', title: 'books on', value: (row) => row.booksOn },
  { name: 'openedAt', title: 'open since', value: (row) => row.openedAt },
  { name: 'kind', value: (row) => row.kind, csvOnly: true },
  { name: 'line', value: (row) => row.line, csvOnly: true },
  { name: 'fileSha256', value: (row) => row.fileSha256, csvOnly: true },
  { name: 'closedBy', value: (row) => row.closedBy, csvOnly: true },
  { name: 'closedAt', value: (row) => row.closedAt, csvOnly: true },
  { name: 'reason', value: (row) => row.reason, csvOnly: true },
];
