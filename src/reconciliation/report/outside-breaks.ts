/**
 * `outside_break`: open breaks between imported statements and our books, with their age. Those of a bank are in the report of the
 * operator; those of a venue are of the service's own account, and no operator sees them.
 */
import type { Sql } from '../../db/client.ts';
import { formatMinor } from '../../money/usd.ts';
import type { OutsideBreak } from '../outside/outside-statements.ts';
import type { FoundRow } from './report.ts';

type OpenBreak = Pick<
  OutsideBreak,
  'breakId' | 'account' | 'problem' | 'reference' | 'outsideMinor' | 'booksMinor' | 'openedAt'
>;

const MOST = 100;
const DAY_MS = 86_400_000;

const PROBLEMS: Readonly<Record<OutsideBreak['problem'], string>> = {
  missing_in_books: 'is in the statement and not in the books',
  missing_outside: 'is in the books and in no statement',
  amount_differs: 'has another amount in the books',
  date_differs: 'has another date in the books',
  repeated_outside: 'is in the statement more than once',
};

/** Warnings: a break outside does not make our own books wrong. */
export async function findOutsideBreaks(sql: Sql, operatorId: string, now: Date): Promise<FoundRow[]> {
  const breaks = await sql<OpenBreak[]>`
    select break_id as "breakId", '' as account, problem, reference, outside_minor as "outsideMinor",
      books_minor as "booksMinor", opened_at as "openedAt"
    from outside_breaks where operator_id = ${operatorId} and closed_at is null order by opened_at, break_id limit ${MOST}`;
  return breaks.map((open) => findingOf(open, "The bank's", now));
}

/** For the service operator alone: the words name the venue. */
export async function findVenueBreaks(sql: Sql, now: Date): Promise<FoundRow[]> {
  const breaks = await sql<OpenBreak[]>`
    select break_id as "breakId", account, problem, reference, outside_minor as "outsideMinor",
      books_minor as "booksMinor", opened_at as "openedAt"
    from outside_breaks where kind = 'venue' and closed_at is null order by opened_at, break_id limit ${MOST}`;
  return breaks.map((open) => findingOf(open, `At ${open.account}, the`, now));
}

function findingOf(open: OpenBreak, whose: string, now: Date): FoundRow {
  const days = Math.floor((now.getTime() - open.openedAt.getTime()) / DAY_MS);
  return {
    checkName: 'outside_break',
    severity: 'warning',
    detail: `${whose} movement "${open.reference}" of ${amountsOf(open)} ${PROBLEMS[open.problem]}; open for ${days} days.`,
    subjectType: 'record',
    subjectId: open.breakId,
  };
}

function amountsOf({ outsideMinor, booksMinor }: OpenBreak): string {
  const amounts = [outsideMinor, booksMinor].filter((minor) => minor !== null).map(formatMinor);
  return [...new Set(amounts)].join(' and ');
}
