/** How a comparison asks and answers: one statement that sees one moment, and a finding for each difference. */
import type { Finding } from '../wire/reconciliation/report.ts';
import type { Compared } from './answers.ts';
import type { CheckName } from './books.ts';

/** A difference of one value. */
export interface BookDifference {
  readonly subject: string;
  readonly name: string;
  readonly booked: string | null;
  readonly stored: string | null;
}

export interface Comparison {
  /** Takes the operator; its rows are differences. */
  readonly statement: string;
  readonly tell: (difference: BookDifference, operatorId: string) => Finding;
}

/** The most findings of a comparison. */
export const MOST = 100;

/** Rows of the journal that the auditor has not read yet. */
export const LATER = `
  later as materialized (
    select row.* from journal row
    where row.operator_id = $1 and row.sequence > coalesce((select sequence from audit.progress where operator_id = $1), 0))`;

/** A table against its book, row by row and in both directions. */
export function tableComparison({ table, book, subject, missing, changedBy, where = 'true' }: Compared): Comparison {
  const { key, checks } = book;
  const first = key[0];
  const names = [...checks.keys()];
  const read = [...new Set([...key, subject, ...names, ...(changedBy === null ? [] : [changedBy])])];
  const changedLater =
    changedBy === null
      ? `later.reference = coalesce(book.${subject}, stored.${subject}) or later.kind = 'entry_corrected'`
      : `later.${changedBy} = coalesce(book.${changedBy}, stored.${changedBy})`;
  return {
    statement: `with ${LATER}
     select coalesce(book.${subject}, stored.${subject})::text as subject, one.name, one.booked, one.stored
     from (select * from ${book.table} where operator_id = $1) book
       full join (select ${read.join(', ')} from ${table} where operator_id = $1 and ${where}) stored
         on ${key.map((name) => `stored.${name} = book.${name}`).join(' and ')}
       cross join lateral (
         select '' as name, book.${first}::text as booked, stored.${first}::text as stored where book.${first} is null or stored.${first} is null
         union all
         select * from (values ${names.map((name) => `('${name}', book.${name}::text, stored.${name}::text)`).join(', ')}) value
         where book.${first} is not null and stored.${first} is not null) one
     where (book.${first} is null or stored.${first} is null or (${names.map((name) => `book.${name}`).join(', ')})
         is distinct from (${names.map((name) => `stored.${name}`).join(', ')}))
       and one.booked is distinct from one.stored
       and not exists (select from later where ${changedLater})
     order by 1, 2 limit ${MOST}`,
    tell: (difference) =>
      found(checks.get(difference.name) ?? missing, difference.subject, detailOf(table, difference)),
  };
}

/** What the books say and what is stored, in the words of the table. */
function detailOf(table: string, { name, booked, stored }: BookDifference): string {
  const row = table.replaceAll('_', ' ').replace(/s$/, '');
  if (name === '') {
    return booked === null ? `The journal knows of no such ${row}.` : `The ${row} of the journal is gone.`;
  }
  return `The ${row} says ${stored ?? 'nothing'} as ${name.replaceAll('_', ' ')}, the journal ${booked ?? 'nothing'}.`;
}

export const found = (
  check: CheckName,
  subjectId: string,
  detail: string,
  subjectType: Finding['subjectType'] = 'record',
): Finding => ({ check, severity: 'critical', detail, subjectType, subjectId });

/** Signed cents as dollars, in SQL. */
export const money = (amount: string) => `trim(to_char(-(${amount}) / 100.0, 'FM999999999999999990.00'))`;
