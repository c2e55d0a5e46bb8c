/**
 * Statements that belong to operators: calls for commands of several operators, and reads that see the rows of one. On one server a call
 * carries all operators and names none (''). If operators are spread over servers, each of them gets a separate call, which names it first
 * (docs/scale.md).
 */
import type { PendingQuery, Row } from 'postgres';
import type { Logger } from '../core/log.ts';
import { type ConnectOptions, connect, type Sql } from './client.ts';
import { type FailureLog, logFailures } from './failure-log.ts';

/** The row of `settings` that records that operators are spread over servers. */
export const SPREAD = 'spread over servers';

const known = new WeakMap<Sql, Promise<boolean>>();

/** Whether `inlay migrate` has spread the operators of this database over servers. It is read once per pool. */
export function isSpread(sql: Sql): Promise<boolean> {
  const asked = known.get(sql) ?? read(sql);
  known.set(sql, asked);
  return asked;
}

async function read(sql: Sql): Promise<boolean> {
  try {
    const [row] = await sql<[{ spread: boolean }]>`
      select exists (select 1 from settings where name = ${SPREAD}) as spread`;
    return row.spread;
  } catch (error) {
    known.delete(sql);
    throw error;
  }
}

/** The operators of one server; null for all operators, on one server. */
export type Among = readonly string[] | null;

/**
 * A condition on the operator of a row, which begins with `and`. Every table of operators in the statement needs it: Citus asks all servers for one
 * that has none, although it is joined by the operator.
 */
export const among = (sql: Sql, column: PendingQuery<Row[]>, operators: Among) =>
  operators === null ? sql`` : sql`and ${column} = any (${[...operators]}::text[])`;

/**
 * Reads rows of all operators: at once on one server, and otherwise of the operators of each server by themselves, so that a server that is
 * down delays its own operators only.
 * @param read limits its rows to these operators (`among`)
 * @returns the rows of all servers that responded, in no order
 * @throws the first error, if no server responded
 */
export async function readOfAll<V>(sql: Sql, read: (operators: Among) => Promise<readonly V[]>): Promise<V[]> {
  if (!(await isSpread(sql))) {
    return [...(await read(null))];
  }
  const servers = await sql<{ operators: string[] }[]>`
    select array_agg(known.operator_id::text order by known.operator_id) as operators
    from operators known join pg_dist_placement placement
      on placement.shardid = get_shard_id_for_distribution_column('operator_ledgers', known.operator_id)
    group by placement.groupid order by 1`;
  return answered(
    servers.map(({ operators }) => read(operators)),
    logs.get(sql),
  );
}

const logs = new WeakMap<Sql, FailureLog>();

/** Has the readings of this pool (`readOfAll`) log when they leave out a server. */
export function logLeftOut(sql: Sql, log: Logger): void {
  logs.set(sql, logFailures(log, 'servers', 'left out a server that did not respond; the work of its operators waits'));
}

/** @returns the outputs of the calls that did not fail. @throws the first error, if all of them failed */
async function answered<V>(calls: readonly Promise<readonly V[]>[], log: FailureLog | undefined): Promise<V[]> {
  const ended = await Promise.allSettled(calls);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed === undefined) {
    log?.over();
  } else if (ended.every((one) => one.status === 'rejected')) {
    throw failed.reason;
  } else {
    log?.failed(failed.reason);
  }
  return ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/**
 * Calls for work that locks rows of all operators: one call on one server, and one per operator if they are spread.
 * @param find returns which of these operators have such work now
 * @param call takes an operator, or '' for all of them
 * @returns the outputs of the calls; those of a server that is down are missing
 * @throws the first error, if all of them failed
 */
export async function callForAll<V>(
  sql: Sql,
  find: (operators: Among) => Promise<readonly { readonly operatorId: string }[]>,
  call: (operatorId: string) => Promise<readonly V[]>,
): Promise<V[]> {
  if (!(await isSpread(sql))) {
    return [...(await call(''))];
  }
  return readOfAll(sql, async (operators) => {
    const outputs: V[] = [];
    for (const { operatorId } of await find(operators)) {
      outputs.push(...(await call(operatorId)));
    }
    return outputs;
  });
}

/** The operator whose rows are read for a command `x`: the one that the call names, or else that of the command. */
export const operatorOf = (sql: Sql, operatorId: string) => sql`coalesce(nullif(${operatorId}, ''), x.operator_id)`;

/**
 * Calls for commands of several operators.
 * @param call takes an operator, or '' for several, and commands. It returns one output per command, in their order
 * @returns the outputs in the order of the commands
 * @throws the first error of a call, after all of them have ended
 */
export async function callByOperator<C extends { readonly operatorId: string }, V>(
  sql: Sql,
  commands: readonly C[],
  call: (operatorId: string, commands: readonly C[]) => Promise<readonly V[]>,
): Promise<readonly V[]> {
  if (!(await isSpread(sql))) {
    return call('', commands);
  }
  const places = Map.groupBy(commands.keys(), (place) => commands[place]?.operatorId ?? '');
  const outputs: V[] = [];
  await allEnded(
    [...places].map(async ([operatorId, own]) => {
      const answers = await call(
        operatorId,
        own.map((place) => commands[place] as C),
      );
      for (const [index, place] of own.entries()) {
        outputs[place] = answers[index] as V;
      }
    }),
  );
  return outputs;
}

/**
 * The same for calls that do not return one output per command.
 * @returns the outputs of all calls, in no order
 */
export async function readByOperator<C extends { readonly operatorId: string }, V>(
  sql: Sql,
  commands: readonly C[],
  call: (operatorId: string, commands: readonly C[]) => Promise<readonly V[]>,
): Promise<V[]> {
  if (!(await isSpread(sql))) {
    return [...(await call('', commands))];
  }
  const groups = Map.groupBy(commands, ({ operatorId }) => operatorId);
  return (await allEnded([...groups].map(([operatorId, own]) => call(operatorId, own)))).flat();
}

/** @throws the first error, after all calls have ended */
export async function allEnded<V>(calls: readonly Promise<V>[]): Promise<V[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/**
 * The second barrier between tenants: reads of a tenant run under this role, which sees only rows of the operator that the
 * statement itself names (row-level security, sql/grants.sql). A query that forgets `where operator_id` finds nothing.
 */
export const TENANT_ROLE = 'inlay_tenant';

/**
 * Runs a query as one operator. The statement sends the operator's id too, so this costs no round trip. The lateral join makes PostgreSQL set the operator before it reads the first row of the
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
 * Makes the rest of a transaction see the rows of one operator only, for reads on a separate connection. It changes nothing if the service
 * may not act as the tenants' role (`inlay doctor`).
 * @param operator the operator's id as a literal
 */
export const actAsOperator = (operator: string): string => `
  select set_config('role', rolname, true), set_config('inlay.operator', ${operator}, true) from pg_roles
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
 * A pool for work of many statements, whose connections see the rows of this operator only. The caller ends it. If
 * operators are spread over servers it sees all rows, because the other servers do not know the settings with which a
 * connection to this one was opened.
 */
export async function connectAsOperator(
  sql: Sql,
  url: string,
  operatorId: string,
  options: ConnectOptions,
): Promise<Sql> {
  return (await isSpread(sql)) ? connect(url, options) : connectAsTenant(sql, url, { ...options, operatorId });
}
