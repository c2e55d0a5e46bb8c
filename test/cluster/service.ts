/** The service on the cluster: two API processes, two workers, and tenants with keys. Its processes must outlive every event. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { projectRoot } from '../../src/core/environment.ts';
import { connect } from '../../src/db/client.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { issueKey } from '../../src/operators/keys.ts';
import { createOperator } from '../../src/operators/operators.ts';
import { isAlive, type Program, startInlay } from '../support/process.ts';
import type { Cluster } from './cluster.ts';
import type { Trader } from './load.ts';
import { PASSWORD } from './topology.ts';

export interface Service extends Processes {
  readonly ownerUrl: string;
  readonly traders: readonly Trader[];
  /** Of commands that read the same database. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Processes {
  /** Of the API. */
  readonly urls: readonly string[];
  /** One line for each process that has ended. */
  restarted(): string[];
  close(): Promise<void>;
}

/** Of each mode, and the customers of each sandbox operator: all at one, or at several, so that each worker of Citus has some. */
const OF_ONE_GROUP = { operators: 1, customers: 5 };
const OF_SEVERAL = { operators: 4, customers: 2 };
const PAUSE_MS = 150;
const LIVE_PAUSE_MS = 700;
const COLLATERAL_MINOR = 100_000_000n;
const ROLES = join(projectRoot, 'deploy', 'citus', 'roles.sql');

/** @param folder gets the data of its processes, which a cluster that is restored later needs again */
export async function openService(cluster: Cluster, folder = cluster.folder): Promise<Service> {
  const ownerUrl = cluster.address('inlay_owner', 'inlay');
  const url = cluster.address('inlay_service', 'inlay');
  const { operators, customers } = cluster.groups.length > 1 ? OF_SEVERAL : OF_ONE_GROUP;
  if (cluster.groups.length > 1) {
    makeRolesOfServers(cluster);
  } else {
    await makeDatabase(cluster);
  }
  await migrate(ownerUrl, 'inlay_service');

  const sql = connect(url, { max: 1, applicationName: 'inlay-ha' });
  const traders: Trader[] = [];
  for (const mode of ['sandbox', 'live'] as const) {
    for (let index = 0; index < operators; index += 1) {
      const live = mode === 'live';
      const slug = `steady-${mode}-${index}`;
      const operator = await createOperator(sql, { slug, mode, rateCeiling: 100_000, executionConfirmed: live });
      const key = (await issueKey(sql, operator, { rateLimit: 6000 })).apiKey;
      if (live) {
        await moveCollateral(sql, operator.operatorId, 'deposit', COLLATERAL_MINOR);
        traders.push({ operator: slug, key, live, pauseMs: LIVE_PAUSE_MS });
      } else {
        traders.push(...Array.from({ length: customers }, () => ({ operator: slug, key, live, pauseMs: PAUSE_MS })));
      }
    }
  }
  await sql.end();

  const data = join(folder, 'inlay');
  mkdirSync(data, { mode: 0o700 });
  const environment = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    INLAY_DATA_DIR: data,
    INLAY_SECRET: 'a secret that only this cluster knows',
    PORT: '0',
    LOG_LEVEL: 'error',
  };
  return { ownerUrl, traders, environment, ...(await startProcesses(environment)) };
}

async function makeDatabase(cluster: Cluster): Promise<void> {
  const admin = new pg.Client({ connectionString: cluster.address('postgres', 'postgres') });
  await admin.connect();
  await admin.query(`create role inlay_owner login createrole password '${PASSWORD}'`);
  await admin.query(`create role inlay_service login password '${PASSWORD}'`);
  await admin.query('grant pg_monitor to inlay_service');
  await admin.query('create database inlay owner inlay_owner');
  await admin.end();
}

/** Patroni makes the database of Citus itself. */
function makeRolesOfServers(cluster: Cluster): void {
  const passwords = ['owner', 'service', 'admin', 'auditor', 'tenant'].flatMap((role) => ['-v', `${role}=${PASSWORD}`]);
  const { status, stdout, stderr } = spawnSync(
    'psql',
    ['-X', '-t', '-A', ...passwords, '-f', ROLES, cluster.address('postgres', 'inlay')],
    { encoding: 'utf8' },
  );
  if (status !== 0 || /\|f\|/.test(stdout)) {
    throw new Error(`deploy/citus/roles.sql failed: ${stdout}${stderr}`);
  }
}

/** Two processes of the API and two workers. */
export async function startProcesses(environment: Readonly<Record<string, string>>): Promise<Processes> {
  // one after the other: a machine that is busy with the cluster starts four at once too slowly
  const apis: Program[] = [];
  const workers: Program[] = [];
  for (let pair = 0; pair < 2; pair += 1) {
    const api = startInlay(['serve', '--json'], { env: environment });
    apis.push(api);
    await api.prints(/"url"/);
    const worker = startInlay(['worker'], { env: environment });
    workers.push(worker);
    await worker.prints(/Working for paper/);
  }
  const programs = [...apis, ...workers];
  return {
    urls: apis.map((api) => (JSON.parse(api.output().stdout) as { url: string }).url),
    restarted: () =>
      programs
        .filter(({ child }) => !isAlive(child.pid ?? 0))
        .map(({ output }) => `a process of Inlay ended: ${output().stderr.slice(-500)}`),
    close: async () => {
      for (const { child } of programs) {
        child.kill('SIGKILL');
      }
      await Promise.all(programs.map(({ ended }) => ended));
    },
  };
}
