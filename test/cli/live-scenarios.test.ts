/** The ready scenarios of a live tenant, against an API, a worker and the paper venue in its own process: nothing is simulated here. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { type ScenarioService, startScenarioService } from './scenario-service.ts';

const FOLDER = join(projectRoot, 'fixtures/scenarios/live');

let world: ScenarioService;

beforeAll(async () => {
  world = await startScenarioService();
}, 90_000);

afterAll(async () => {
  await world.close();
});

test.each(readdirSync(FOLDER))(
  '%s holds',
  async (name) => {
    const result = await world.run(join(FOLDER, name), world.service.liveKey);
    expect(result.steps.filter((step) => !step.ok && !step.skipped)).toEqual([]);
    expect(result.ok).toBe(true);
  },
  90_000,
);
