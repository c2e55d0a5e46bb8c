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

/** @returns undefined if the operator has no such customer */
export async function setCustomerStatus(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  status: CustomerStatus,
): Promise<Customer | undefined> {
  const [row] = await sql<Row[]>`
    update customers set status = ${status} where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    returning external_user_id, status, created_at`;
  return row === undefined ? undefined : readCustomer(row);
}

function readCustomer(row: Row): Customer {
  return { externalUserId: row.externalUserId, status: row.status, createdAt: row.createdAt };
}
