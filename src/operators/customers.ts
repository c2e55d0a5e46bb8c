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

/**
 * Suspends a customer; one who has done nothing yet is suspended before the first quote.
 * @param externalUserId follows the rule of `isReference`
 */
export async function suspendCustomer(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
): Promise<Customer & { readonly isNew: boolean }> {
  const [before] = await listCustomers(sql, operatorId, { externalUserId, limit: 1 });
  // a sandbox customer begins with test money, whoever makes the record
  await sql`select ensure_customer(${operatorId}, ${externalUserId})`;
  const [row] = await sql<Row[]>`
    update customers set status = 'suspended' where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    returning external_user_id, status, created_at`;
  if (row === undefined) {
    throw new Error('the customer was not written');
  }
  return { ...readCustomer(row), isNew: before === undefined };
}

/** @returns undefined if the operator has no such customer */
export async function resumeCustomer(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
): Promise<Customer | undefined> {
  const [row] = await sql<Row[]>`
    update customers set status = 'active' where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    returning external_user_id, status, created_at`;
  return row === undefined ? undefined : readCustomer(row);
}

function readCustomer(row: Row): Customer {
  return { externalUserId: row.externalUserId, status: row.status, createdAt: row.createdAt };
}
