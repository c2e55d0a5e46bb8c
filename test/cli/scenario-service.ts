/** A service with a worker and the paper venue in its own process, for ready scenarios that script the venue or an operator. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deliveries } from '../../src/cli/scenarios/deliveries.ts';
import { readScenarios } from '../../src/cli/scenarios/read-scenario.ts';
import type { FileResult } from '../../src/cli/scenarios/report.ts';
import { runScenario } from '../../src/cli/scenarios/run-scenario.ts';
import { ApiClient } from '../../src/cli/service/api.ts';
import { projectRoot, readEnvironment } from '../../src/core/environment.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { createTestDatabase } from '../support/database.ts';
import type { RunCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const SECRET = 'a secret that only tests know';

export interface ScenarioService {
  readonly service: World;
  /** Commands from source, with the database and the key of `demo`. */
  readonly command: RunCommand;
  /** What programs of their own need of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs one file with this key; its commands run from source. */
  run(file: string, key: string): Promise<FileResult>;
  close(): Promise<void>;
}

export async function startScenarioService(): Promise<ScenarioService> {
  const database = await createTestDatabase({ max: 20 });
  // the paper venue keeps its state there: a folder of its own, or two test files wait for each other
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-scenarios-'));
  const env = {
    INLAY_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    INLAY_SECRET: SECRET,
    INLAY_VENUES: 'paper',
    INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  };
  const worker = await startWorker(readEnvironment(env), database.url);
  const service = await openWorld({ database, environment: { INLAY_VENUES: 'paper' } });
  await service.sql`update operators set execution_confirmed = true where slug = 'demo-live'`;
  const known = { ...env, INLAY_API_URL: service.url, INLAY_API_KEY: service.key, NO_COLOR: '1' };
  const command = await service.commands(known);
  await until(
    async () => {
      // a live tenant trades nothing before the venue is known to trade, later than the catalogue on a busy machine
      const live = { key: service.liveKey };
      const { body } = await service.request('GET', '/api/v1/events?tradable=true&limit=1', live);
      return body.pagination.total > 100;
    },
    Boolean,
    80_000,
  );
  /** The command of these words: the longest path of them that is a file. */
  const inlay = async (argv: readonly string[]) => {
    for (let length = argv.length; length > 0; length -= 1) {
      const path = argv.slice(0, length);
      if (existsSync(join(projectRoot, 'src/commands', `${path.join('/')}.ts`))) {
        const topic = path.slice(0, -1).join('/');
        const { exitCode, json } = await command(topic, path.at(-1) ?? '', ...argv.slice(length), '--json');
        return { exitCode, json };
      }
    }
    throw new Error(`there is no command ${argv.join(' ')}`);
  };
  return {
    service,
    command,
    env: known,
    run: async (file, key) => {
      const [read] = readScenarios([file], []);
      if (read === undefined) {
        throw new Error('nothing was read');
      }
      const api = new ApiClient(service.url, key);
      const deliveries = new Deliveries(() => {});
      return runScenario({ api, inlay, deliveries, given: new Map(), note: () => {}, onStep: () => {} }, read);
    },
    close: async () => {
      await service.close();
      await worker.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
