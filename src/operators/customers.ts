/** Finds and suspends customers (end users of an operator). `ensure_customer` creates them on first use. */
import type { Sql } from '../db/client.ts';

export type CustomerStatus = 'active' | 'suspended';

export interface Customer {
  readonly externalUserId: string;
  readonly status: CustomerStatus;
  readonly createdAt: Date;
}

interface Row {
  externalUserId: string;
  status: CustomerStatus;
  createdAt: Date;
}

/**
 * In order of their id.
 * @param after starts after this id
 */
export async function listCustomers(
  sql: Sql,
  operatorId: string,
  {
    externalUserId = null,
    after = null,
    limit,
  }: { externalUserId?: string | null; after?: string | null; limit: number },
): Promise<Customer[]> {
  const rows = await sql<Row[]>`
    select external_user_id, status, created_at from customers
     where operator_id = ${operatorId}
       and (${externalUserId}::text is null or external_user_id = ${externalUserId})
       and (${after}::text is null or external_user_id > ${after})
     order by external_user_id limit ${limit}`;
  return rows.map(readCustomer);
}

/** A customer with the operator's slug and the suspension that is in force. */
export interface FoundCustomer extends Customer {
  readonly operator: string;
  /** `setBy` is the login of the person. */
  readonly suspension: { readonly reason: string | null; readonly setBy: string; readonly since: Date } | null;
}

/**
 * Customers with this id, of all operators or of one: ids are the operators' own, so that several may have the same one.
 * @param operatorId null for all operators
 */
export async function findCustomers(
  sql: Sql,
  externalUserId: string,
  operatorId: string | null,
): Promise<FoundCustomer[]> {
  const rows = await sql<(Row & { slug: string; reason: string | null; setBy: string | null; since: Date | null })[]>`
    select o.slug, c.external_user_id, c.status, c.created_at, s.reason, s.set_by, s.recorded_at as since
    from operators o join customers c on c.operator_id = o.operator_id and c.external_user_id = ${externalUserId}
      left join lateral (select reason, set_by, recorded_at from suspension_changes s
        where s.operator_id = c.operator_id and s.external_user_id = c.external_user_id and c.status = 'suspended'
        order by change_no desc limit 1) s on true
    where ${operatorId}::text is null or o.operator_id = ${operatorId}
    order by o.slug`;
  return rows.map(({ slug, reason, setBy, since, ...row }) => ({
    ...readCustomer(row),
    operator: slug,
    suspension: setBy === null || since === null ? null : { reason, setBy, since },
  }));
}

/**
 * Suspends a customer; one without any activity is suspended before the first quote. A second call records another reason.
 * @param externalUserId follows the rule of `isReference`
 * @param reason up to 200 characters
 */
export async function suspendCustomer(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  reason: string | null,
): Promise<Customer & { readonly isNew: boolean }> {
  const [before] = await listCustomers(sql, operatorId, { externalUserId, limit: 1 });
  // a sandbox customer begins with test money, whichever call creates the record
  await sql`select ensure_customer(${operatorId}, ${externalUserId})`;
  const customer = await changeStatus(sql, operatorId, externalUserId, 'suspended', reason);
  if (customer === undefined) {
    throw new Error('the customer was not written');
  }
  return { ...customer, isNew: before === undefined };
}

/** @returns undefined if the operator has no such customer */
export function resumeCustomer(sql: Sql, operatorId: string, externalUserId: string): Promise<Customer | undefined> {
  return changeStatus(sql, operatorId, externalUserId, 'active', null);
}

async function changeStatus(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  status: CustomerStatus,
  reason: string | null,
): Promise<Customer | undefined> {
  const [row] = await sql<Row[]>`
    with recorded as (
      insert into suspension_changes (operator_id, external_user_id, action, reason, set_by)
      select operator_id, external_user_id, ${status === 'active' ? 'resumed' : 'suspended'}, ${reason}, session_user from customers
      where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    )
    update customers set status = ${status} where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    returning external_user_id, status, created_at`;
  return row === undefined ? undefined : readCustomer(row);
}

function readCustomer(row: Row): Customer {
  return { externalUserId: row.externalUserId, status: row.status, createdAt: row.createdAt };
}
