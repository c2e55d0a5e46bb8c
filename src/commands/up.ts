/** The whole service in one process group: database, schema, demo tenants, API here, worker and paper venue as children. */
import { BaseCommand } from '../cli/base-command.ts';
import { type KeptProcess, keepRunning, scriptBeside } from '../core/child-process.ts';
import type { Environment } from '../core/environment.ts';
import { EXIT } from '../core/errors.ts';
import { noticeMs, type StopReason, untilAskedToStop } from '../core/stopping.ts';
import { openReadyDatabase } from '../db/schema/ready.ts';
import type { DemoKey } from '../server/demo/demo-tenants.ts';

type Closing = () => Promise<unknown>;

export default class Up extends BaseCommand<typeof Up> {
  static override summary = 'Run the whole service: database, API, workers and the paper venue.';
  static override description =
    'Uses the embedded PostgreSQL unless DATABASE_URL is set. On the first start it creates two demo tenants and shows their keys once; the keys are also stored in the data folder. With NODE_ENV=production it creates none.';
  static override examples = ['<%= config.bin %> up', 'PORT=9000 <%= config.bin %> up'];

  protected override readonly handlesSignals = true;
  #noticeMs = 0;

  override async run(): Promise<void> {
    const asked = untilAskedToStop();
    const closing: Closing[] = [];
    const environment: Environment = {
      ...this.environment,
      webhookAllowLoopback: this.environment.webhookAllowLoopback ?? true,
    };
    try {
      await this.start(environment, closing);
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
  private async start(environment: Environment, closing: Closing[]): Promise<void> {
    // The code of the server is loaded while PostgreSQL starts: on two cores the load takes no extra time.
    const spawned = Promise.withResolvers<void>();
    const opening = openReadyDatabase(environment, { service: 'up', onSpawned: spawned.resolve });
    await Promise.race([spawned.promise, opening]);
    const loading = Promise.all([
      import('../context.ts'),
      import('../server/app.ts'),
      import('../server/demo/demo-tenants.ts'),
      import('../operations/abandoned-venues.ts'),
    ]);
    loading.catch(() => {});
    const database = await opening;
    closing.push(() => database.close());
    const [{ openApiContext }, { startServer }, { ensureDemoTenants }, { refuseAbandoned }] = await loading;

    const context = await openApiContext(environment, database.url);
    closing.push(() => context.close());
    await refuseAbandoned(context.sql, environment.venues);
    // in production, the service operator creates the tenants, and no keys are printed
    const keys = environment.production ? [] : await ensureDemoTenants(context.sql, environment.dataDir);
    // Stopped after the server, whose last answers may wait for the worker.
    let worker: KeptProcess | undefined;
    closing.push(async () => worker?.stop());
    const server = await startServer(context);
    closing.push(() => server.close(this.#noticeMs));
    worker = keepRunning({
      name: 'worker',
      script: scriptBeside(import.meta.url, '../jobs/main'),
      environment: {
        DATABASE_URL: database.url,
        INLAY_WEBHOOK_ALLOW_LOOPBACK: environment.webhookAllowLoopback ? '1' : '0',
      },
      log: context.log,
    });
    this.greet(server.url, keys, environment);
  }

  private greet(url: string, keys: readonly DemoKey[], { dataDir, production }: Environment): void {
    if (this.jsonEnabled()) {
      this.logJson({ url, pid: process.pid, keys });
      return;
    }
    const { paint } = this;
    const inlay = process.argv[1]?.endsWith('run.js') ? './bin/run.js' : this.config.bin;
    this.say(`${paint('bold', 'Inlay')} is running.`);
    this.say();
    this.say(`  API    ${paint('cyan', url)}`);
    this.say(`  Docs   ${paint('cyan', `${url}/docs`)}`);
    if (production) {
      this.say();
      this.say(paint('dim', 'Ctrl-C stops everything.'));
      return;
    }
    this.say(`  Demo   ${paint('cyan', `${url}/demo`)}`);
    if (keys.length > 0) {
      this.say();
      this.say('API keys, shown only this once:');
      for (const { slug, mode, apiKey } of keys) {
        this.say(`  ${slug.padEnd(10)} ${mode.padEnd(8)} ${paint('yellow', apiKey)}`);
      }
    }
    const key = keys.find(({ mode }) => mode === 'sandbox')?.apiKey ?? '$INLAY_API_KEY';
    const at = url === 'http://127.0.0.1:8080' ? '' : `INLAY_API_URL=${url} `;
    this.say();
    this.say('Three things to try:');
    this.say(`  curl -H "Authorization: Bearer ${key}" "${url}/api/v1/events?limit=3"`);
    this.say(`  ${at}INLAY_API_KEY=${key} ${inlay} events list --limit 5`);
    this.say(
      `  ${at}INLAY_API_KEY=${key} ${inlay} buy CTR yes --stake 10 --user player-1   (CTR: a contract of "events show EVENT")`,
    );
    if (keys.length === 0) {
      this.say();
      this.say(paint('dim', `The keys of the demo tenants are in ${relative(dataDir)}/demo-keys.json.`));
    }
    this.say();
    this.say(paint('dim', 'Ctrl-C stops everything.'));
  }

  private reasonToExit(reason: StopReason): void {
    this.note('Stopping...');
    if (reason === 'SIGINT') {
      this.endWith(EXIT.interrupted);
    }
  }
}

function relative(path: string): string {
  const here = `${process.cwd()}/`;
  return path.startsWith(here) ? path.slice(here.length) : path;
}
