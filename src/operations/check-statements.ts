/** Whether every break between imported statements of banks and venues and our books is closed. Reads only; for `doctor`. */
import type { Sql } from '../db/client.ts';
import type { Check } from './check.ts';

const DAY_MS = 86_400_000;

export async function checkStatements(sql: Sql): Promise<Check> {
  const rows = await sql<{ kind: string; open: number; oldest: Date }[]>`
    select kind, count(*)::int as open, min(opened_at) as oldest from outside_breaks
    where closed_at is null group by kind order by kind`;
  const parts = rows.map(({ kind, open, oldest }) => {
    const days = Math.floor((Date.now() - oldest.getTime()) / DAY_MS);
    return `${open} of ${kind}s, the oldest open for ${days} days`;
  });
  return {
    name: 'statements',
    ok: rows.length === 0,
    warning: true,
    detail:
      rows.length === 0
        ? 'no open breaks between imported statements and the books'
        : `open breaks: ${parts.join('; ')} ("inlay reconciliation breaks list")`,
  };
}
