/** A process that cannot start leaves nothing open, so that another start finds it as the first one did. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { isTracing } from '../../src/core/tracing.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

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
