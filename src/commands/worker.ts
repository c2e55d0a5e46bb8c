/** Jobs and feed ingestion only, with the paper venue if configured; any number of workers may run on one database. */
import { BaseCommand } from '../cli/base-command.ts';
import { EXIT } from '../core/errors.ts';
import { untilAskedToStop } from '../core/processes.ts';
import { openReadyDatabase } from '../db/schema/migrate.ts';

export default class Worker extends BaseCommand<typeof Worker> {
  static needsDatabase = true;
  static override summary = 'Run the jobs and the feed ingestion only.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'INLAY_VENUES=kalshi,polymarket,gemini <%= config.bin %> <%= command.id %>',
  ];

  protected override readonly handlesSignals = true;

  override async run(): Promise<void> {
    const asked = untilAskedToStop();
    const { environment } = this;
    const database = await openReadyDatabase(environment);
    try {
      const { startWorker } = await import('../jobs/run.ts');
      const worker = await startWorker({ ...environment, databaseAuditUrl: database.auditUrl }, database.url);
      this.note(`Working for ${environment.venues.join(', ') || 'no venue'}.`);
      if ((await asked) === 'SIGINT') {
        this.endWith(EXIT.interrupted);
      }
      await worker.close();
    } finally {
      await database.close();
    }
  }
}
