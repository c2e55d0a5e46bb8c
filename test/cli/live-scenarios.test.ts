/** The ready scenarios of a live tenant, against an API, a worker and the paper venue in its own process: nothing is simulated here. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from '../../src/cli/api-client.ts';
import { Deliveries } from '../../src/cli/scenarios/deliveries.ts';
import { readScenarios } from '../../src/cli/scenarios/read-scenario.ts';
import { runScenario } from '../../src/cli/scenarios/run-scenario.ts';
import { projectRoot, readEnvironment } from '../../src/core/environment.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/service.ts';

const FOLDER = join(projectRoot, 'fixtures/scenarios/live');
const SECRET = 'a secret that only tests know';

let database: TestDatabase;
let service: TestService;
let worker: { close(): Promise<void> };
let run: RunCommand;

beforeAll(async () => {
  database = await createTestDatabase({ max: 20 });
  const env = {
    DATABASE_URL: database.url,
    INLAY_SECRET: SECRET,
    INLAY_VENUES: 'paper',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  };
  worker = await startWorker(readEnvironment(env), database.url);
  service = await startTestService({ database, environment: { INLAY_VENUES: 'paper' } });
  await service.sql`update operators set execution_confirmed = true where slug = 'demo-live'`;
  run = await commandRunner({ ...env, XDG_CONFIG_HOME: '/nonexistent', NO_COLOR: '1' });
  const isTradable = async () => {
    const { body } = await service.request('GET', '/api/v1/events?tradable=true&limit=1');
    return body.pagination.total > 100;
  };
  await vi.waitUntil(isTradable, { timeout: 50_000, interval: 500 });
}, 90_000);

afterAll(async () => {
  await service.close();
  await worker.close();
  await database.close();
});

/** The command of these words, from source: the longest path of them that is a file. */
async function inlay(argv: readonly string[]) {
  for (let length = argv.length; length > 0; length -= 1) {
    const path = argv.slice(0, length);
    if (existsSync(join(projectRoot, 'src/commands', `${path.join('/')}.ts`))) {
      const topic = path.slice(0, -1).join('/');
      const { exitCode, json } = await run(topic, path.at(-1) ?? '', ...argv.slice(length), '--json');
      return { exitCode, json };
    }
  }
  throw new Error(`there is no command ${argv.join(' ')}`);
}

test.each(readdirSync(FOLDER))(
  '%s holds',
  async (name) => {
    const [read] = readScenarios([join(FOLDER, name)], []);
    if (read === undefined) {
      throw new Error('nothing was read');
    }
    const ports = { inlay, given: new Map(), note: () => {}, onStep: () => {}, deliveries: new Deliveries(() => {}) };
    const result = await runScenario({ ...ports, api: new ApiClient(service.url, service.liveKey) }, read);
    expect(result.steps.filter((step) => !step.ok && !step.skipped)).toEqual([]);
    expect(result.ok).toBe(true);
  },
  90_000,
);
