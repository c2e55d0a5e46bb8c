/**
 * Accounting periods of an operator. They follow one another without a gap, and the database refuses an entry dated in a closed
 * one. Owns `accounting_periods`.
 */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

export interface AccountingPeriod {
  readonly operatorId: string;
  readonly slug: string;
  readonly number: number;
  /** Inclusive; the first period begins at 1970-01-01. */
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  /** The last item of the feed when the period was closed; no later entry is dated in it. */
  readonly throughSequence: number;
  readonly closedBy: string;
  readonly closedAt: Date;
}

interface CloseAnswer {
  readonly outcome: 'closed' | 'repeated' | 'in_future' | 'not_after';
  readonly number: number | null;
}

/**
 * Closes the period from the end of the last one until `until`.
 * @param actor who closes it.
 * @returns the period; if it was closed until then before, as it was closed then.
 * @throws invalid_request if `until` is in the future, or not later than the end of the last closed period.
 */
export async function closePeriod(
  sql: Sql,
  operatorId: string,
  until: Date,
  actor: string,
): Promise<AccountingPeriod & { repeated: boolean }> {
  const [answer] = await sql<CloseAnswer[]>`
    select outcome, number from close_period(${operatorId}, ${until}, ${actor})`;
  switch (answer?.outcome) {
    case 'closed':
    case 'repeated':
      return {
        ...(await getPeriod(sql, operatorId, answer.number ?? undefined)),
        repeated: answer.outcome === 'repeated',
      };
    case 'in_future':
      throw refuse('invalid_request', `A period ends in the past; ${until.toISOString()} is in the future.`);
    default: {
      const last = answer?.number === null ? undefined : await findPeriod(sql, operatorId, answer?.number);
      const end = last === undefined ? '1970-01-01' : last.endsAt.toISOString();
      throw refuse('invalid_request', `A period ends later than the last closed one, which ended at ${end}.`);
    }
  }
}

/** @param operatorId null lists the periods of all operators. @returns oldest first. */
export async function listPeriods(sql: Sql, operatorId: string | null): Promise<AccountingPeriod[]> {
  return sql<AccountingPeriod[]>`
    select p.operator_id as "operatorId", o.slug, p.number, p.starts_at as "startsAt", p.ends_at as "endsAt",
      p.through_position::float8 as "throughSequence", p.closed_by as "closedBy", p.closed_at as "closedAt"
    from accounting_periods p join operators o on o.operator_id = p.operator_id
    where ${operatorId}::text is null or p.operator_id = ${operatorId}
    order by o.slug, p.number`;
}

/** @param number left out, the last closed period. @throws unknown_period. */
export async function getPeriod(sql: Sql, operatorId: string, number?: number): Promise<AccountingPeriod> {
  const period = await findPeriod(sql, operatorId, number);
  if (period === undefined) {
    throw refuse('unknown_period');
  }
  return period;
}

async function findPeriod(sql: Sql, operatorId: string, number?: number): Promise<AccountingPeriod | undefined> {
  const periods = await listPeriods(sql, operatorId);
  return number === undefined ? periods.at(-1) : periods.find((period) => period.number === number);
}
