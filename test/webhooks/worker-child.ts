/** A worker process with the webhook jobs only, to be killed by tests: node worker-child.ts DATABASE_URL SECRET TIMEOUT_MS */
import type { Context } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { connect } from '../../src/db/client.ts';
import { openListener } from '../../src/db/listener.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';

const [databaseUrl = '', secret = '', timeoutMs = ''] = process.argv.slice(2);
const sql = connect(databaseUrl, { max: 8, applicationName: 'inlay-test-worker' });
const context: Context = {
  environment: { ...readEnvironment({ LOG_LEVEL: 'warn' }), webhookAllowLoopback: true },
  clock: systemClock,
  log: createLog('warn'),
  sql,
  reads: sql,
  reports: sql,
  reportsOf: () => Promise.reject(new Error('no report runs here')),
  databaseUrl,
  listener: openListener(databaseUrl, 'inlay-test-listener'),
  secrets: { current: secret, previous: [] },
  close: async () => {},
};
const jobs = await startWebhookJobs(context, { timeoutMs: Number(timeoutMs) });
process.stdout.write('ready\n');
process.on('SIGTERM', () => {
  void jobs.close().then(() => process.exit(0));
});
