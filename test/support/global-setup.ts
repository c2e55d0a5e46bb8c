/** One real PostgreSQL for a whole test run, with one migrated database that every test file clones. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Owner role, on the migrated template. */
    templateUrl: string;
    /** Service role, on the migrated template. */
    templateServiceUrl: string;
  }
}

const OLDEST_NODE = [22, 18] as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Error(
      `Tests need Node ${OLDEST_NODE.join('.')} or later, this is ${process.version}. Run "npm test", which brings its own.`,
    );
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-test-'));
  chmodSync(dataDir, 0o711);
  const database = await openDatabase(
    { databaseUrl: undefined, databaseOwnerUrl: undefined, dataDir },
    { durable: false, maxConnections: 300 },
  );
  try {
    await migrate(database.ownerUrl);
  } catch (error) {
    await database.close();
    throw error;
  }
  project.provide('templateUrl', database.ownerUrl);
  project.provide('templateServiceUrl', database.url);
  return async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
