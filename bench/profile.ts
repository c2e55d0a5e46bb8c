/**
 * `--profile`: where the time of a row goes. Statements by pg_stat_statements, those inside functions included, and functions of
 * the API process by V8's sampling profile. Preparation (quotes before orders) is in the figures, and measuring costs time itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import postgres from 'postgres';
import { z } from 'zod';

const TOP_STATEMENTS = 14;
const TOP_FUNCTIONS = 12;
const TEXT_WIDTH = 88;

/** The server must be started again afterwards. */
export async function enableStatistics(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (sql) => {
    await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`;
    await sql`alter system set pg_stat_statements.track = 'all'`;
  });
}

export async function startStatistics(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, (sql) => sql`create extension if not exists pg_stat_statements`);
}

/** @returns lines of a Markdown table, the most expensive statement first; nested ones are marked. */
export async function statementLines(ownerUrl: string): Promise<string[]> {
  const rows = await asOwner(
    ownerUrl,
    (sql) => sql<{ text: string; calls: number; ms: number; rows: number; log: number; nested: boolean }[]>`
      select regexp_replace(query, '[[:space:]]+', ' ', 'g') as text, calls::float8 as calls, total_exec_time as ms, rows::float8 as rows, wal_bytes::float8 as log,
        not toplevel as nested
      from pg_stat_statements where query not ilike '%bench_%' and query !~* '^(analyze|create|begin|commit|insert into bench)'
      order by total_exec_time desc limit ${TOP_STATEMENTS}`,
  );
  return [
    '| statement | calls | rows a call | bytes of log a call | µs a call | ms |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ text, calls, ms, rows: count, log, nested }) =>
        `| ${nested ? '↳ ' : ''}\`${text.slice(0, TEXT_WIDTH).replaceAll('|', '\\|').replaceAll('`', '')}\` | ${calls} | ${(count / calls).toFixed(1)} | ${(log / calls).toFixed(0)} | ${((ms * 1_000) / calls).toFixed(0)} | ${ms.toFixed(0)} |`,
    ),
  ];
}

const PROFILE = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/**
 * @param folder into which `--cpu-prof` wrote
 * @returns lines of a Markdown table: functions by their own time
 */
export function functionLines(folder: string): string[] {
  const own = new Map<string, number>();
  let total = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const { nodes, samples, timeDeltas } = PROFILE.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    for (const [index, id] of samples.entries()) {
      const name = names.get(id) ?? '';
      const spent = timeDeltas[index] ?? 0;
      if (name !== '(idle)' && name !== '(program)') {
        own.set(name, (own.get(name) ?? 0) + spent);
        total += spent;
      }
    }
  }
  const top = [...own].sort(([, one], [, other]) => other - one).slice(0, TOP_FUNCTIONS);
  return [
    '| function of the API process | ms | share |',
    '|---|---|---|',
    ...top.map(
      ([name, spent]) => `| ${name} | ${(spent / 1_000).toFixed(0)} | ${((spent * 100) / total).toFixed(1)} % |`,
    ),
  ];
}

function nameOf({ functionName, url, lineNumber }: { functionName: string; url: string; lineNumber: number }): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `\`${name}\` ${basename(url)}:${lineNumber + 1}`;
}

async function asOwner<T>(ownerUrl: string, work: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
