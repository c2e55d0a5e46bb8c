/** The whole service in one process group: database, schema, demo tenants, API here, worker and paper venue as children. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { BaseCommand } from '../cli/base-command.ts';
import { keepDemoProfile, removeRunningService, writeRunningService } from '../cli/known-services.ts';
import type { Paint } from '../cli/terminal/printable.ts';
import { hangText } from '../cli/terminal/wrap-text.ts';
import { type Environment, EnvironmentError } from '../core/environment.ts';
import { EXIT } from '../core/errors.ts';
import {
  type KeptProcess,
  keepRunning,
  noticeMs,
  type StopReason,
  scriptBeside,
  untilAskedToStop,
} from '../core/processes.ts';
import type { Mode } from '../core/terms.ts';
import { readClusterPaths } from '../db/embedded/cluster-paths.ts';
import { startReadyDatabase } from '../db/schema/migrate.ts';
import { readDemoKeys } from '../server/demo/demo.ts';
import { expectFreePort } from '../server/http/listen.ts';

interface Greeting {
  readonly url: string;
  readonly production: boolean;
  /** The keys that this start made, if they may be shown. */
  readonly shown: readonly { readonly slug: string; readonly mode: Mode; readonly apiKey: string }[];
  /** Path of the file with the keys of the demo tenants. */
  readonly keyFile: string;
  /** How this command line is called, such as `./bin/run.js`. */
  readonly program: string;
  /** A contract that a first purchase may buy. */
  readonly tradable: { readonly contractId: string; readonly title: string } | undefined;
  /** Characters per line; undefined without a limit. */
  readonly width: number | undefined;
}

type Closing = () => Promise<unknown>;

/** A first start fills the catalogue within seconds. If the venue does not answer, the addresses are printed after this time. */
const CATALOGUE_MS = 30_000;

export default class Up extends BaseCommand<typeof Up> {
  static override summary = 'Run the whole service: database, API, workers and the paper venue.';
  static override description =
    'Uses the embedded PostgreSQL unless DATABASE_URL is set. On the first start it creates the tenants demo and demo-live, and one for the visitors of the demo page; it stores the keys of the two in a file of the data folder, and shows them once if it runs on a terminal. With NODE_ENV=production it creates none.';
  static override examples = ['<%= config.bin %> <%= command.id %>', 'PORT=9000 <%= config.bin %> <%= command.id %>'];

  protected override readonly handlesSignals = true;
  #noticeMs = 0;

  override async run(): Promise<void> {
    const asked = untilAskedToStop();
    const stopping = new AbortController();
    asked.then(() => stopping.abort());
    const closing: Closing[] = [];
    const environment: Environment = {
      ...this.environment,
      webhookAllowLoopback: this.environment.webhookAllowLoopback ?? !this.environment.production,
    };
    try {
      await this.start(environment, closing, stopping.signal);
      const reason = await asked;
      this.#noticeMs = noticeMs(reason);
      this.reasonToExit(reason);
    } finally {
      for (const close of closing.reverse()) {
        await close();
      }
    }
  }

  /** Everything to close is recorded when it opens, so that a failed start leaves nothing running. */
  private async start(environment: Environment, closing: Closing[], stopping: AbortSignal): Promise<void> {
    // if the folder has a database already, a service that runs on it is reported before a taken port
    const isFirst = readClusterPaths(environment.dataDir) === undefined;
    if (isFirst) {
      await expectFreePort(environment.host, environment.port);
      makeDataFolder(environment.dataDir);
    }
    if (environment.databaseUrl === undefined) {
      this.note(isFirst ? 'Creating a database...' : 'Starting the database...');
    }
    // The code of the server is loaded while PostgreSQL starts: on two cores the load takes no extra time.
    const spawned = Promise.withResolvers<void>();
    const opening = startReadyDatabase(environment, spawned.resolve);
    await Promise.race([spawned.promise, opening]);
    const loading = Promise.all([
      import('../context.ts'),
      import('../server/app.ts'),
      import('../server/demo/demo.ts'),
      import('../operations/upkeep.ts'),
      import('../markets/catalogue/await-tradable.ts'),
    ]);
    loading.catch(() => {});
    const database = await opening;
    closing.push(() => database.close());
    const [{ openApiContext }, { startServer }, { createDemoTenants }, { refuseAbandoned }, { awaitTradable }] =
      await loading;

    const context = await openApiContext(environment, database.url);
    closing.push(() => context.close());
    await refuseAbandoned(context.sql, environment.venues);
    // Stopped after the server, whose last answers may wait for the worker.
    let worker: KeptProcess | undefined;
    closing.push(async () => worker?.stop());
    const server = await startServer(context, { demo: !environment.production });
    closing.push(() => server.close(this.#noticeMs));
    // in production, the service operator creates the tenants, and no keys are printed
    const keys = environment.production
      ? []
      : await createDemoTenants(database.adminUrl, environment.dataDir, Number(new URL(server.url).port || 80));
    const apiKey = environment.production ? null : sandboxKeyIn(environment.dataDir);
    writeRunningService(environment.dataDir, { url: server.url, apiKey });
    closing.push(async () => removeRunningService(environment.dataDir));
    if (apiKey !== null) {
      this.#keepProfile(server.url, apiKey);
    }
    if (limit(environment) > 0) {
      this.note('Starting the exchange...');
    }
    worker = keepRunning({
      name: 'worker',
      script: scriptBeside(import.meta.url, '../jobs/main'),
      environment: {
        DATABASE_URL: database.url,
        DATABASE_ADMIN_URL: undefined,
        DATABASE_AUDIT_URL: database.auditUrl,
        INLAY_WEBHOOK_ALLOW_LOOPBACK: environment.webhookAllowLoopback ? '1' : '0',
      },
      log: context.log,
    });
    // only the paper venue is certain to list something soon
    const limitMs = limit(environment);
    const tradable = await awaitTradable(context.board, context.clock, limitMs, stopping);
    if (stopping.aborted) {
      return;
    }
    const { dataDir, production } = environment;
    const keyFile = relative(`${dataDir}/demo-keys.json`);
    if (this.jsonEnabled()) {
      this.logJson({
        url: server.url,
        pid: process.pid,
        created: keys.map(({ slug, mode }) => ({ slug, mode })),
        keyFile,
      });
      return;
    }
    const lines = greetingLines(
      {
        url: server.url,
        production,
        // a log or a pipe keeps what is written to it, so keys are shown on a terminal only
        shown: process.stdout.isTTY === true ? keys : [],
        keyFile,
        program: process.argv[1]?.endsWith('run.js') ? './bin/run.js' : this.config.bin,
        tradable,
        width: this.lineWidth,
      },
      this.paint,
    );
    this.say(lines.join('\n'));
    if (tradable === undefined && limitMs > 0) {
      this.note('The catalogue has no event that can be traded yet; "inlay doctor" shows what the venues answer.');
    }
  }

  /** The profile is only a convenience, so the service starts even if the home folder cannot be written. */
  #keepProfile(url: string, apiKey: string): void {
    try {
      keepDemoProfile(this.config.configDir, url, apiKey);
    } catch {
      this.note('The profile "demo" could not be kept: the folder of profiles cannot be written.');
    }
  }

  private reasonToExit(reason: StopReason): void {
    this.note('Stopping...');
    if (reason === 'SIGINT') {
      this.endWith(EXIT.interrupted);
    }
  }
}

function limit({ venues, production }: Environment): number {
  return venues.includes('paper') && !production ? CATALOGUE_MS : 0;
}

function sandboxKeyIn(dataDir: string): string | null {
  return readDemoKeys(dataDir).find(({ mode }) => mode === 'sandbox')?.apiKey ?? null;
}

function relative(path: string): string {
  const here = `${process.cwd()}/`;
  return path.startsWith(here) ? path.slice(here.length) : path;
}

/** Makes one folder after the other, because a recursive mkdir below /proc would never end. @throws EnvironmentError */
function makeDataFolder(dataDir: string): void {
  const missing: string[] = [];
  for (let folder = dataDir; !existsSync(folder); folder = dirname(folder)) {
    missing.unshift(folder);
  }
  try {
    for (const folder of missing) {
      mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    }
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch {
    throw new EnvironmentError(
      `INLAY_DATA_DIR: ${dataDir} cannot be written; choose another folder, or change its rights`,
    );
  }
}

/** The lines that are printed when the service is ready. Each command in them can be pasted into a shell. */
function greetingLines(greeting: Greeting, paint: Paint): string[] {
  const { url, production, shown, keyFile } = greeting;
  const end = ['', paint('dim', 'Ctrl-C stops everything.')];
  const addresses = [
    `${paint('bold', 'Inlay')} is running.`,
    '',
    `  API    ${paint('cyan', url)}`,
    `  Docs   ${paint('cyan', `${url}/docs`)}`,
  ];
  if (production) {
    return [...addresses, ...end];
  }
  const keys = shown.map(
    ({ slug, mode, apiKey }) => `  ${slug.padEnd(10)} ${mode.padEnd(8)} ${paint('yellow', apiKey)}`,
  );
  return [
    ...addresses,
    `  Demo   ${paint('cyan', `${url}/demo`)}`,
    ...(keys.length > 0 ? ['', 'API keys, shown only this once:', ...keys] : []),
    ...thingsToTry(greeting, paint),
    '',
    paint('dim', 'The keys are in this file, which only you can read:'),
    paint('dim', `  ${keyFile}`),
    ...end,
  ];
}

function thingsToTry({ url, shown, keyFile, program, tradable, width }: Greeting, paint: Paint): string[] {
  const key = shown.find(({ mode }) => mode === 'sandbox')?.apiKey;
  return [
    '',
    'Three things to try:',
    `  ${program} events list --limit 5`,
    ...(tradable === undefined
      ? [`  ${program} categories`]
      : [
          `  ${program} buy ${tradable.contractId} yes --stake 10 --user player-1`,
          paint('dim', `    ${hangText(`which buys ten dollars of YES: ${tradable.title}`, 4, width)}`),
        ]),
    `  key=${key ?? `$(grep -o 'pk_test_[0-9A-Za-z_]*' ${keyFile})`}`,
    `  curl "${url}/api/v1/events?limit=3" \\`,
    '    -H "Authorization: Bearer $key"',
  ];
}
