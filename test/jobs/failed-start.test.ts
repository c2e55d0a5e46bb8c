/** A process that cannot start leaves nothing open, so that another start finds it as the first one did. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiContext, openContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { isTracing } from '../../src/core/tracing.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('the jobs of webhooks end if the relay cannot start', async () => {
  let delivering = false;
  const proxy = await openTcpProxy(new URL(database.url), (client, upstream) => {
    client.on('data', (bytes: Buffer) => {
      delivering ||= bytes.includes('inlay-webhook-jobs');
      return bytes.includes('as spread') ? client.destroy() : upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => client.write(bytes));
  });
  const url = new URL(database.url);
  url.port = String(proxy.port);
  const environment = readEnvironment({
    DATABASE_URL: url.href,
    INLAY_DATA_DIR: temporaryFolder('worker'),
    INLAY_SECRET: 'a secret of tests',
    LOG_LEVEL: 'silent',
  });
  const context = openContext(environment, url.href, 'worker');
  await expect(startWebhookJobs(context)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(delivering).toBe(true);
  const sessions = () => database.sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'inlay-webhook-jobs'`;
  await until(sessions, ({ length }) => length === 0);
  await context.close();
  await proxy.close();
});

test('a worker or an API without a context leaves no tracing open', async () => {
  const file = join(temporaryFolder('worker'), 'file');
  writeFileSync(file, '');
  const environment = readEnvironment({
    DATABASE_URL: database.url,
    // the secret of a development machine cannot be kept below a file
    INLAY_DATA_DIR: join(file, 'folder'),
    INLAY_OTLP_URL: 'http://127.0.0.1:9',
  });
  await expect(startWorker(environment, database.url)).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(isTracing()).toBe(false);
  await expect(openApiContext(environment, database.url)).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(isTracing()).toBe(false);
});
