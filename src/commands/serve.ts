/** The API only; any number may run on one database. It first updates the schema, or waits for the process that does. */
import { BaseCommand } from '../cli/base-command.ts';
import { EXIT } from '../core/errors.ts';
import { noticeMs, untilAskedToStop } from '../core/processes.ts';
import { openReadyDatabase } from '../db/schema/migrate.ts';

export default class Serve extends BaseCommand<typeof Serve> {
  static needsDatabase = true;
  static override summary = 'Run the API only.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'DATABASE_URL=postgres://inlay_service@db/inlay PORT=8081 <%= config.bin %> <%= command.id %>',
  ];

  protected override readonly handlesSignals = true;

  override async run(): Promise<void> {
    const asked = untilAskedToStop();
    const { environment } = this;
    const loading = Promise.all([import('../context.ts'), import('../server/app.ts')]);
    loading.catch(() => {});
    const database = await openReadyDatabase(environment);
    try {
      const [{ openApiContext }, { startServer }] = await loading;
      const context = await openApiContext(environment, database.url);
      try {
        const server = await startServer(context);
        if (this.jsonEnabled()) {
          this.logJson({ url: server.url, pid: process.pid });
        }
        this.say(`API at ${server.url}`);
        const reason = await asked;
        if (reason === 'SIGINT') {
          this.endWith(EXIT.interrupted);
        }
        await server.close(noticeMs(reason));
      } finally {
        await context.close();
      }
    } finally {
      await database.close();
    }
  }
}
