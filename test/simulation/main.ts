/**
 * Runs seeds of the simulation in a process of its own: `main.ts OWNER_URL SERVICE_URL TEMPLATE [--trace]`. Seeds come one a
 * line on standard input; a line of JSON for each (`SeedResult`) goes to standard output.
 */
import './simulated-modules.ts';
import { createInterface } from 'node:readline';
import type { SeedResult } from './run-seeds.ts';
import type { SimulatedDatabase } from './simulated-database.ts';

const [ownerUrl = '', serviceUrl = '', template = '', ...flags] = process.argv.slice(2);
const { createDatabase } = await import('./simulated-database.ts');
const { countReached } = await import('./reached.ts');
const { World } = await import('./world.ts');

/** Making a database costs more than a seed, so it serves several, each of which begins an hour after the last. */
const SEEDS_A_DATABASE = 25;
const APART_MS = 3_600_000;

let database: SimulatedDatabase | undefined;
let used = 0;
let freeAtMs = 0;

async function nextDatabase(): Promise<SimulatedDatabase> {
  if (database === undefined || used === SEEDS_A_DATABASE) {
    await database?.close();
    database = await createDatabase(ownerUrl, serviceUrl, template, `${template}_${process.pid}`);
    used = 0;
    freeAtMs = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
  }
  used += 1;
  return database;
}

async function runSeed(seed: number): Promise<SeedResult> {
  const started = performance.now();
  const mine = await nextDatabase();
  const world = new World(seed, mine, { startMs: freeAtMs, name: `sim${used}` });
  let error: unknown;
  let reached = {};
  try {
    await world.run();
    reached = await countReached(mine.sql, world);
  } catch (thrown) {
    error = thrown;
    // what it left behind must not reach the next one
    used = SEEDS_A_DATABASE;
  }
  if (world.plan.revises || world.plan.failsOver) {
    // workers look at contracts that were resolved twice for ever, and findings stay
    used = SEEDS_A_DATABASE;
  }
  freeAtMs = world.queue.nowMs + APART_MS;
  if (flags.includes('--trace')) {
    process.stderr.write(`seed ${seed}\n${world.queue.trace.join('\n')}\n`);
  }
  return {
    seed,
    ms: Math.round(performance.now() - started),
    digest: world.queue.digest(),
    reached,
    error: error === undefined ? null : error instanceof Error ? String(error.stack) : String(error),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await runSeed(Number(line)))}\n`);
}
await database?.close();
process.exit(0);
