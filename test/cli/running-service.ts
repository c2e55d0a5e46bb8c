/** One small service for a test file of the command line: API, jobs and a scripted venue, and `inlay` run as a program against it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import type { AnyJson } from '../support/any-json.ts';
import { setBook, type TestBook, type TestMarket } from '../support/market.ts';
import { type Ended, inlay, type RunOptions } from '../support/process.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { openWorld, type World } from '../support/world.ts';

export interface CommandResult extends Ended {
  readonly json: AnyJson;
}

export interface RunningService {
  readonly service: World;
  readonly market: TestMarket;
  readonly venue: ScriptedVenue;
  readonly env: Readonly<Record<string, string>>;
  /** A folder that goes with it. */
  readonly folder: string;
  /** `bin/run.js` as a process of its own. */
  run(argv: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** The same with --json: one document on stdout and nothing else, or this throws. */
  json(...argv: string[]): Promise<CommandResult>;
  close(): Promise<void>;
}

const DEEP: TestBook = { bids: [['0.55', '100000']], asks: [['0.57', '100000']] };
const BEAT_MS = 3_000;

export async function startRunningService(): Promise<RunningService> {
  const service = await openWorld();
  const market = await service.openMarket('cli');
  // a venue that goes on confirming its book, or a long file outlives the price
  const beat = setInterval(() => void setBook(service.sql, market, DEEP).catch(() => {}), BEAT_MS);
  const venue = new ScriptedVenue();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-run-'));
  await service.startJob(venue);
  service.add(await startSettlement(service.openWorker()));
  service.add(await startWebhookJobs(service.openWorker()));
  const env = {
    DATABASE_URL: service.database.url,
    DATABASE_OWNER_URL: service.database.ownerUrl,
    INLAY_DATA_DIR: service.context.environment.dataDir,
    INLAY_SECRET: 'a secret that only tests know',
    INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
    INLAY_API_URL: service.url,
    INLAY_API_KEY: service.key,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_DATA_HOME: folder,
  };
  const run = async (argv: readonly string[], options: RunOptions = {}): Promise<CommandResult> => {
    const ended = await inlay(argv, { ...options, env: { ...env, ...options.env } });
    return { ...ended, json: argv.includes('--json') ? parse(ended, argv) : undefined };
  };
  return {
    service,
    market,
    venue,
    env,
    folder,
    run,
    json: (...argv) => run([...argv, '--json']),
    close: async () => {
      clearInterval(beat);
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function parse({ stdout, stderr, code }: Ended, argv: readonly string[]): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`not one document of ${argv.join(' ')} (${code}):\n${stdout}\n${stderr}`);
  }
}
