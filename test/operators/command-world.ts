/** Commands of the service operator on a database and a data folder of their own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';

export interface CommandWorld {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly inlay: RunCommand;
  close(): Promise<void>;
}

export async function openCommandWorld(): Promise<CommandWorld> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  const inlay = await commandRunner({
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    INLAY_DATA_DIR: dataDir,
    NO_COLOR: '1',
  });
  return {
    database,
    dataDir,
    inlay,
    close: async () => {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
