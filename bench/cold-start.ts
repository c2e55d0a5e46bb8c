/** Row `cold-start`: the second `npm start` of a folder until /api/health reports a healthy service, against its PostgreSQL alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../src/core/environment.ts';
import { connect } from '../src/db/client.ts';
import { startDatabase } from '../src/db/embedded/embedded.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { World } from './world.ts';

const LOOK_MS = 5;
const STOP_LOOK_MS = 20;
const TIMEOUT_MS = 120_000;
const MOST_MS = 1_000;

export async function coldStart(_world: World, run: Run): Promise<Measure> {
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-bench-cold-'));
  try {
    // The first start makes the cluster, the schema and the demo tenants, which the row does not measure.
    await startService(dataDir);
    const times = await interleave(
      run,
      () => startService(dataDir),
      () => startPostgres(dataDir),
    );
    return {
      ...times,
      unit: 'ms',
      bounds: [{ what: 'to a healthy answer', value: times.measured, unit: 'ms', atMost: MOST_MS }],
      note: 'npm start, its own start included',
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startService(dataDir: string): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, INLAY_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
  });
  try {
    for (;;) {
      const healthy = await fetch(`http://127.0.0.1:${port}/api/health`).then(
        (answer) => answer.arrayBuffer().then(() => answer.ok),
        () => false,
      );
      if (healthy) {
        return performance.now() - start;
      }
      if (child.exitCode !== null || performance.now() - start > TIMEOUT_MS) {
        throw new Error('npm start did not come up');
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await stop(child);
  }
}

/** Until the whole group is gone: the database of the folder has to be down before it is started again. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) {
    return;
  }
  const group = -child.pid;
  let signal: NodeJS.Signals | 0 = 'SIGTERM';
  for (;;) {
    try {
      process.kill(group, signal);
    } catch {
      return;
    }
    signal = 0;
    await new Promise((resolve) => setTimeout(resolve, STOP_LOOK_MS));
  }
}

async function startPostgres(dataDir: string): Promise<number> {
  const start = performance.now();
  const database = await startDatabase(dataDir);
  const sql = connect(database.url, { max: 1, applicationName: 'inlay-bench' });
  await sql`select 1`;
  const took = performance.now() - start;
  await sql.end();
  await database.close();
  return took;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
