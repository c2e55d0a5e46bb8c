/**
 * Runs seeds of the simulation in a process of its own: `main.ts OWNER_URL SERVICE_URL TEMPLATE [--trace]`. Seeds come one a
 * line on standard input; a line of JSON for each (`SeedResult`) goes to standard output.
 */

import { createInterface } from 'node:readline';
import type { SeedResult } from './run-seeds.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { assertReplaced } from './simulated-modules.ts';

const [ownerUrl = '', serviceUrl = '', template = '', ...flags] = process.argv.slice(2);
const { createDatabase, BEGINNING_MS } = await import('./simulated-database.ts');
const { countReached } = await import('./reached.ts');
const { seedCrypto } = await import('./simulated-crypto.ts');
const { World } = await import('./world.ts');
assertReplaced();

let databases = 0;

/** A seed has a database of its own, so that it goes alike whatever ran before it. */
function makeDatabase(): Promise<SimulatedDatabase> {
  databases += 1;
  return createDatabase(ownerUrl, serviceUrl, template, `${template}_${process.pid}_${databases}`);
}

async function runSeed(seed: number, database: SimulatedDatabase): Promise<SeedResult> {
  const started = performance.now();
  seedCrypto(seed);
  const world = new World(seed, database, BEGINNING_MS);
  let error: unknown;
  let reached = {};
  try {
    await world.run();
    reached = await countReached(database.sql, world);
  } catch (thrown) {
    error = thrown;
  }
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

// one ahead: a database takes longer to make than a processor is busy with it
let next = makeDatabase();
for await (const line of createInterface({ input: process.stdin })) {
  const database = await next;
  next = makeDatabase();
  process.stdout.write(`${JSON.stringify(await runSeed(Number(line), database))}\n`);
  await database.close();
}
await (await next).close();
process.exit(0);
