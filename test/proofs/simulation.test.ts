/**
 * Seeds of the simulation (test/simulation): the service's own processes over a real PostgreSQL while clocks differ, messages
 * are late, lost and repeated, connections hang, and processes freeze and die. After each seed nothing was sent twice, what
 * was booked is the truth at the exchange, and both auditors find nothing.
 *
 * SIMULATION_SEEDS=1000 npx vitest run test/proofs/simulation.test.ts   (150 by default)
 * npm run simulate -- --seed 1234                                        (one seed, with its trace)
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, type SimulationServer } from '../simulation/open-server.ts';
import { addReached, MUST_REACH, type Reached } from '../simulation/reached.ts';
import { runSeeds, type SeedResult } from '../simulation/run-seeds.ts';

/** `npm run simulate` runs as many as it is asked for. */
const DEFAULT_COUNT = 150;
const COUNT = Number(process.env['SIMULATION_SEEDS'] ?? DEFAULT_COUNT);
const PROCESSES = 2;
/** Run once more among the last ones, in whatever process, which must go exactly alike. */
const AGAIN = 5;

let server: SimulationServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

// contract 18.4
test(`${COUNT} seeds end well`, { timeout: 60_000 + COUNT * 3_000 }, async () => {
  const results: SeedResult[] = [];
  let reached: Reached = {};
  await runSeeds({
    ...server,
    seeds: Array.from({ length: COUNT + AGAIN }, (_, index) => (index % COUNT) + 1),
    processes: PROCESSES,
    onResult: (result) => {
      results.push(result);
      reached = addReached(reached, result.reached);
      return result.error !== null;
    },
  });
  const failed = results.find(({ error }) => error !== null);
  expect(failed?.error ?? null, `npm run simulate -- --seed ${failed?.seed}`).toBeNull();
  for (const [seed, runs] of Map.groupBy(results, (result) => result.seed)) {
    expect(new Set(runs.map(({ digest }) => digest)).size, `seed ${seed} goes alike every time`).toBe(1);
  }
  for (const what of COUNT < DEFAULT_COUNT ? [] : MUST_REACH) {
    expect(reached[what], what).toBeGreaterThan(3);
  }
});
