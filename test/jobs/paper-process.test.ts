/** The process of a paper venue knows nothing that it does not need, whatever is in the environment of its worker. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { createLog } from '../../src/core/log.ts';
import { keepPaperVenue } from '../../src/jobs/run.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'inlay-paper-'));
});
afterEach(async () => {
  delete process.env['INLAY_POLYMARKET_PRIVATE_KEY_FILE'];
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

test.skipIf(!existsSync('/proc/self'))('it gets no key of a real venue', async () => {
  process.env['INLAY_POLYMARKET_PRIVATE_KEY_FILE'] = '/run/secrets/wallet';
  const environment = readEnvironment({ INLAY_DATA_DIR: folder, INLAY_SECRET: 'the secret of this test' });
  const venue = keepPaperVenue('paper', { ...environment, logLevel: 'silent' }, database.url, createLog('silent'));
  // it has registered its address: with what it has, it runs
  await until(
    () => database.sql`select 1 from settings where name = 'venue:paper'`,
    ({ length }) => length === 1,
    30_000,
  );
  const pid = readFileSync(join(folder, 'paper', 'paper.pid'), 'utf8');
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map((entry) => entry.split('=')[0] ?? '');
  expect(names).toContain('INLAY_SECRET');
  expect(names.filter((name) => name.startsWith('INLAY_') || name.startsWith('DATABASE_')).sort()).toEqual([
    'DATABASE_URL',
    'INLAY_DATA_DIR',
    'INLAY_SECRET',
    'INLAY_SECRET_PREVIOUS',
  ]);
  await venue.stop();
});
