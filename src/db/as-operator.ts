/**
 * The second barrier between tenants. Reads of a tenant run under the role `inlay_tenant`, which sees only rows of the
 * operator that the statement itself names (row-level security, sql/grants.sql). A query that forgets `where
 * operator_id` finds nothing. The name of the operator is sent in the same statement, so this costs no round trip.
 */
import type { PendingQuery, Row } from 'postgres';
import { isSpread } from './by-operator.ts';
import { type ConnectOptions, connect, type Sql } from './client.ts';

export const TENANT_ROLE = 'inlay_tenant';

/**
 * Runs a query as one operator. The lateral join makes PostgreSQL set the operator before it reads the first row of the
 * query; the setting ends with the statement. `offset 0` and the condition keep the planner from merging the two.
 */
export function asOperator<Rows extends readonly object[] = Row[]>(
  sql: Sql,
  operatorId: string,
  query: PendingQuery<Row[]>,
): PendingQuery<Rows & Row[]> {
  return sql<Rows & Row[]>`
    select q.* from (select set_config('inlay.operator', ${operatorId}, true) as name) operator
      cross join lateral (select r.* from (${query}) r where operator.name is not null offset 0) q`;
}

/**
 * Makes the rest of a transaction see the rows of one operator only ($1), for what reads more than one statement on a
 * connection of its own. It changes nothing if the service may not act as the tenants' role (`inlay doctor`).
 */
export const ACT_AS_OPERATOR = `
  select set_config('role', rolname, true), set_config('inlay.operator', $1, true) from pg_roles
  where rolname = '${TENANT_ROLE}' and pg_has_role(oid, 'member') and has_table_privilege(oid, 'orders', 'select')`;

/**
 * A pool under the tenants' role, or under the service's own role if the owner of the database could not create that
 * role (`inlay doctor`).
 */
export async function connectAsTenant(sql: Sql, url: string, options: ConnectOptions): Promise<Sql> {
  return connect(url, (await hasTenantRole(sql)) ? { ...options, role: TENANT_ROLE } : options);
}

export async function hasTenantRole(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ member: boolean }]>`
    select coalesce((select pg_has_role(oid, 'member') and has_table_privilege(oid, 'orders', 'select')
      from pg_roles where rolname = ${TENANT_ROLE}), false) as member`;
  return row.member;
}

/**
 * A pool of its own for work of many statements: its connections see the rows of this operator only, as long as they
 * last. The caller ends it. Where operators are spread over servers it sees all rows, because the other servers do not know what a
 * connection to this one was opened with.
 */
export async function connectAsOperator(
  sql: Sql,
  url: string,
  operatorId: string,
  options: ConnectOptions,
): Promise<Sql> {
  return (await isSpread(sql)) ? connect(url, options) : connectAsTenant(sql, url, { ...options, operatorId });
}
