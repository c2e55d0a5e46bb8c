/** Our account at the paper venue: the last result of a listing holds, in the file and in the database. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadRecordStore, openJournal } from '../../src/paper/journal.ts';
import { Account } from '../../src/paper/orders/account.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => database.close());

/** The account as a process finds it that starts in this folder. */
async function open(folder: string, venue: string, hasDatabase = true) {
  const store = hasDatabase ? await loadRecordStore(database.sql, venue) : undefined;
  const journal = openJournal(folder, venue, store);
  return { account: new Account(journal), journal };
}

test('another machine knows the last result, although the clock went back between two', async () => {
  const first = await open(temporaryFolder('paper'), 'paper');
  vi.useFakeTimers({ toFake: ['Date'] });
  first.account.settle('m1', 1_000_000);
  await first.journal.saved();
  vi.setSystemTime(Date.now() - 60_000);
  first.account.settle('m1', null);
  first.account.settle('m1', 0);
  await first.journal.saved();
  first.journal.close();
  const second = await open(temporaryFolder('paper'), 'paper');
  expect(second.account.worthOf('m1')).toBe(0);
  second.journal.close();
});

test('a result that the database never got holds after a restart', async () => {
  const folder = temporaryFolder('paper');
  const before = await open(folder, 'paper-2');
  before.account.settle('m1', 1_000_000);
  await before.journal.saved();
  before.journal.close();
  const without = await open(folder, 'paper-2', false);
  without.account.settle('m1', 0);
  without.journal.close();
  const again = await open(folder, 'paper-2');
  expect(again.account.worthOf('m1')).toBe(0);
  again.journal.close();
});
