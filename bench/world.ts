/** What the rows of the bench share: an embedded PostgreSQL with default durability, an API process, operators, keys and a market. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '../src/core/environment.ts';
import { connect, type Sql } from '../src/db/client.ts';
import { openReadyDatabase, type ReadyDatabase } from '../src/db/ready.ts';
import { createOperator } from '../src/operators/create-operator.ts';
import { issueKey } from '../src/operators/issue-key.ts';
import type { Operator, OperatorMode } from '../src/operators/operator.ts';

export interface BenchOperator extends Operator {
  readonly keys: readonly string[];
}

export interface World {
  readonly database: ReadyDatabase;
  readonly sql: Sql;
  readonly dataDir: string;
  /** Starts an API process of its own on this database. */
  startApi(): Promise<{ url: string; pid: number; close(): Promise<void> }>;
  /** Forks a script of bench/ and answers with what it says first. */
  fork(script: string, message: object): Promise<unknown>;
  createOperators(prefix: string, count: number, keysEach: number, mode?: OperatorMode): Promise<BenchOperator[]>;
  close(): Promise<void>;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function openWorld(): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-bench-'));
  const variables = { INLAY_DATA_DIR: dataDir, LOG_LEVEL: 'error', INLAY_SECRET: 'a secret of the bench' };
  const database = await openReadyDatabase(readEnvironment(variables));
  const sql = connect(database.url, { max: 4, applicationName: 'inlay-bench' });
  const children = new Set<ChildProcess>();

  function start(name: string, environment: Record<string, string>): ChildProcess {
    const child = fork(script(name), {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.add(child);
    child.on('exit', () => children.delete(child));
    return child;
  }

  return {
    database,
    sql,
    dataDir,
    async startApi() {
      const child = start('./api-process.ts', { ...variables, DATABASE_URL: database.url, PORT: '0' });
      const [message] = (await once(child, 'message')) as [{ url: string }];
      return {
        url: message.url,
        pid: child.pid ?? 0,
        close: async () => {
          child.send('close');
          await once(child, 'exit');
        },
      };
    },
    async fork(name, message) {
      const child = start(name, {});
      child.send(message);
      const [answer] = await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) => {
          throw new Error(`${name} ended with ${code}`);
        }),
      ]);
      child.disconnect();
      return answer;
    },
    async createOperators(prefix, count, keysEach, mode = 'sandbox') {
      const made: BenchOperator[] = [];
      for (let index = 0; index < count; index += 1) {
        const slug = `${prefix}-${index}`;
        const operator = await createOperator(sql, {
          slug,
          mode,
          platformFeeBps: 200,
          executionConfirmed: mode === 'live',
        });
        await sql`update operators set rate_ceiling = 100000000 where operator_id = ${operator.operatorId}`;
        const keys: string[] = [];
        for (let number = 0; number < keysEach; number += 1) {
          keys.push((await issueKey(sql, operator, { rateLimit: 6000 })).apiKey);
        }
        made.push({ ...operator, keys });
      }
      return made;
    },
    async close() {
      for (const child of children) {
        child.kill('SIGKILL');
      }
      await sql.end({ timeout: 1 });
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
