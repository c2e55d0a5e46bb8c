/** The shared parts of the rows of the bench: an embedded PostgreSQL with default durability, processes of ours, operators and keys. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { readEnvironment } from '../src/core/environment.ts';
import { loadSecrets, type Secrets } from '../src/core/secret.ts';
import type { Mode } from '../src/core/terms.ts';
import { connect, type Sql } from '../src/db/client.ts';
import { type ReadyDatabase, startReadyDatabase } from '../src/db/schema/migrate.ts';
import { issueKey } from '../src/operators/keys.ts';
import type { Operator } from '../src/operators/operator.ts';
import { createOperator } from '../src/operators/operators.ts';
import { prepareBaselines } from './baselines.ts';
import { cpuOfFamily, parentOf } from './process-facts.ts';
import { enableStatistics, startStatistics } from './profile.ts';

export interface BenchOperator extends Operator {
  readonly keys: readonly string[];
}

/** A process of the bench with its instructions. */
export interface Helper {
  readonly pid: number;
  /** Its first message. */
  readonly first: unknown;
  /** Sends a message and waits for the next reply. */
  ask(message: object | string): Promise<unknown>;
  tell(message: object | string): void;
  /** The next message, or one that waits to be taken. */
  next(): Promise<unknown>;
  close(): Promise<void>;
}

export interface Served {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

export interface World {
  readonly database: ReadyDatabase;
  readonly sql: Sql;
  readonly dataDir: string;
  /** The folder in which API processes leave profiles, if profiling is on. */
  readonly profiles: string | undefined;
  readonly secrets: Secrets;
  /** CPU seconds that the database server has spent. */
  databaseCpu(): number;
  /** Starts a separate API process on this database. @param settings variables beside those of the bench */
  startApi(settings?: Record<string, string>): Promise<Served>;
  /** Starts a worker process: ingestion, the paper venue, transmission, settlement, webhooks. */
  startWorker(settings?: Record<string, string>): Promise<Helper>;
  /** Forks a script of bench/, sends it the message and waits for its first reply. */
  start(script: string, message?: object): Promise<Helper>;
  /** The same for a script that ends with its reply. */
  fork(script: string, message: object): Promise<unknown>;
  /** The work of autovacuum within seconds of a table's first rows: the baselines' tables have had it, too. */
  analyze(): Promise<void>;
  /** Makes open quotes last for an hour: orders on them are placed later than they would be. */
  lengthenQuotes(): Promise<void>;
  createOperators(prefix: string, count: number, keysEach: number, mode?: Mode): Promise<BenchOperator[]>;
  close(): Promise<void>;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A database that is there already. */
export interface BenchPlace {
  /** Its addresses, as the service reads them from the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Process ids of its servers. */
  readonly postmasters: readonly number[];
}

/**
 * @param profiled whether statements and API processes are profiled
 * @param place by default a separate embedded server
 */
export async function openWorld(profiled = false, place?: BenchPlace): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-bench-'));
  const variables = {
    INLAY_DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    INLAY_SECRET: 'a secret of the bench',
    ...place?.variables,
  };
  const environment = readEnvironment(variables);
  let database = await startReadyDatabase(environment, () => {});
  const profiles = profiled ? join(dataDir, 'profiles') : undefined;
  if (profiled) {
    await enableStatistics(database.ownerUrl);
    await database.close();
    database = await startReadyDatabase(environment, () => {});
    await startStatistics(database.ownerUrl);
  }
  await prepareBaselines(database.ownerUrl);
  const sql = connect(database.adminUrl, { max: 4, applicationName: 'inlay-bench' });
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmasters = place?.postmasters ?? [parentOf(backend?.pid ?? 0)];
  const children = new Set<ChildProcess>();

  async function start(
    name: string,
    message?: object,
    environment: Record<string, string> = {},
    execArgv: readonly string[] = [],
  ): Promise<Helper> {
    const child = fork(script(name), {
      execArgv: [...execArgv],
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.add(child);
    child.on('exit', () => children.delete(child));
    const said: unknown[] = [];
    const waiting: ((value: unknown) => void)[] = [];
    child.on('message', (one) => {
      const taker = waiting.shift();
      if (taker === undefined) {
        said.push(one);
      } else {
        taker(one);
      }
    });
    const ended = once(child, 'exit').then(([code]): never => {
      throw new Error(`${name} ended with ${code}`);
    });
    ended.catch(() => {});
    const next = () =>
      Promise.race([
        ended,
        said.length > 0 ? Promise.resolve(said.shift()) : new Promise<unknown>((resolve) => waiting.push(resolve)),
      ]);
    if (message !== undefined) {
      child.send(message);
    }
    return {
      pid: child.pid ?? 0,
      first: await next(),
      next,
      ask: (question) => {
        child.send(question);
        return next();
      },
      tell: (order) => void child.send(order),
      close: async () => {
        if (child.exitCode === null && child.signalCode === null) {
          const gone = once(child, 'exit');
          child.send('close');
          await gone;
        }
      },
    };
  }

  // this machine stands for clients of many addresses
  const caps = { INLAY_TRUSTED_PROXIES: '127.0.0.1', INLAY_ANONYMOUS_RATE: '10000000' };
  const service = { ...variables, ...caps, DATABASE_URL: database.url, PORT: '0' };
  return {
    database,
    sql,
    dataDir,
    profiles,
    secrets: loadSecrets(environment),
    databaseCpu: () => postmasters.reduce((sum, postmaster) => sum + cpuOfFamily(postmaster), 0),
    async startApi(settings = {}) {
      const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
      const helper = await start('./api-process.ts', undefined, { ...service, ...settings }, profiling);
      return { url: (helper.first as { url: string }).url, pid: helper.pid, close: helper.close };
    },
    startWorker: (settings = {}) => start('./worker-process.ts', undefined, { ...service, ...settings }),
    start: (name, message) => start(name, message),
    async fork(name, message) {
      const helper = await start(name, message);
      return helper.first;
    },
    async analyze() {
      const owner = postgres(database.ownerUrl, { max: 1, onnotice: () => {} });
      await owner`analyze`;
      await owner.end();
    },
    async lengthenQuotes() {
      const owner = postgres(database.ownerUrl, { max: 1, onnotice: () => {} });
      await owner`update quotes set expires_at = now() + interval '1 hour' where expires_at < now() + interval '10 minutes'`;
      await owner.end();
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
