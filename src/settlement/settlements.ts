/** The reads of the settlements register. Only settle_positions writes it. */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import type { SettlementRow } from './settlement.ts';

export interface SettlementFilter {
  readonly externalUserId?: string | undefined;
  readonly outcome?: string | undefined;
  readonly settledFrom?: Date | undefined;
  readonly settledTo?: Date | undefined;
  /** Only settlements after this feed sequence. */
  readonly after: bigint;
  readonly limit: number;
}

/** A settlement is written shortly after its feed item, whose time is indexed. */
const MARGIN = '10 minutes';

/** The end of the operator's feed at a time. Read on its own: where rows are, on a server of Citus, it cannot be. */
async function findPosition(sql: Sql, operatorId: string, at: Date, margin: string): Promise<bigint> {
  const [found] = await asOperator<{ position: bigint }[]>(
    sql,
    operatorId,
    sql`select feed_position_at(${operatorId}, ${at}::timestamptz + ${margin}::interval) as position`,
  );
  return found?.position ?? 0n;
}

/** One page, oldest first, and one additional row if there is a next page. */
export async function listSettlements(
  sql: Sql,
  operatorId: string,
  filter: SettlementFilter,
): Promise<SettlementRow[]> {
  const { externalUserId, outcome, settledFrom, settledTo } = filter;
  return asOperator<SettlementRow[]>(
    sql,
    operatorId,
    sql`
    select * from settlements
    where operator_id = ${operatorId} and sequence > ${filter.after}
      ${externalUserId === undefined ? sql`` : sql`and external_user_id = ${externalUserId}`}
      ${outcome === undefined ? sql`` : sql`and outcome = ${outcome}`}
      ${
        settledFrom === undefined
          ? sql``
          : sql`and sequence > ${await findPosition(sql, operatorId, settledFrom, `-${MARGIN}`)}
                and settled_at >= ${settledFrom}`
      }
      ${
        settledTo === undefined
          ? sql``
          : sql`and sequence <= ${await findPosition(sql, operatorId, settledTo, MARGIN)}
                and settled_at < ${settledTo}::timestamptz + interval '1 millisecond'`
      }
    order by sequence limit ${filter.limit + 1}`,
  );
}

/** The customer's latest settlements, newest first: what a list of past positions shows. */
export function listLatestSettlements(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limit: number,
): Promise<SettlementRow[]> {
  return asOperator<SettlementRow[]>(
    sql,
    operatorId,
    sql`
    select * from settlements
    where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    order by sequence desc limit ${limit}`,
  );
}

/** For the deprecated list: settlements after a time, and all that share the time of the last one. */
export async function listSettledSince(
  sql: Sql,
  operatorId: string,
  request: { readonly since: Date | null; readonly externalUserId?: string | undefined; readonly limit: number },
): Promise<SettlementRow[]> {
  const { since, externalUserId } = request;
  return asOperator<SettlementRow[]>(
    sql,
    operatorId,
    sql`
    select * from settlements
    where operator_id = ${operatorId}
      ${externalUserId === undefined ? sql`` : sql`and external_user_id = ${externalUserId}`}
      ${
        since === null
          ? sql``
          : sql`and sequence > ${await findPosition(sql, operatorId, since, `-${MARGIN}`)}
                and settled_at >= ${since}::timestamptz + interval '1 millisecond'`
      }
    order by date_trunc('milliseconds', settled_at) fetch first ${request.limit} rows with ties`,
  );
}

export async function isKnownCustomer(sql: Sql, operatorId: string, externalUserId: string): Promise<boolean> {
  const rows = await asOperator(
    sql,
    operatorId,
    sql`select 1 as known from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  return rows.length > 0;
}

/** The end of the operator's books: the last feed sequence, and the epoch. */
export async function findEnd(
  sql: Sql,
  operatorId: string,
): Promise<{ readonly last: bigint; readonly epoch: number }> {
  const [end] = await asOperator<{ last: bigint; epoch: number }[]>(
    sql,
    operatorId,
    sql`
    select coalesce(l.sequence, 0) as last, b.epoch
    from books b left join operator_ledgers l on l.operator_id = ${operatorId}`,
  );
  return end ?? { last: 0n, epoch: 1 };
}
