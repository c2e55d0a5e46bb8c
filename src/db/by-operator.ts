/**
 * Calls of the database for commands of several operators. On one server a call carries all of them and names no operator (''). Where
 * operators are spread over servers, each of them gets a call of its own, which names it first (docs/scale.md).
 */
import type { Sql } from './client.ts';

/** The name of the setting that says so: a row of `settings`. */
export const SPREAD = 'spread over servers';

const known = new WeakMap<Sql, Promise<boolean>>();

/** Whether `inlay migrate` has spread the operators of this database over servers. Read once a pool. */
export function isSpread(sql: Sql): Promise<boolean> {
  const asked = known.get(sql) ?? read(sql);
  known.set(sql, asked);
  return asked;
}

async function read(sql: Sql): Promise<boolean> {
  try {
    const [row] = await sql<[{ spread: boolean }]>`
      select exists (select from settings where name = ${SPREAD}) as spread`;
    return row.spread;
  } catch (error) {
    known.delete(sql);
    throw error;
  }
}

/**
 * @param call takes an operator, or '' for several, and commands; it returns one output for each, in their order
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
  const ended = await Promise.allSettled(
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
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
  return outputs;
}
