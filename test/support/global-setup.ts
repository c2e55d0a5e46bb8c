/**
 * One real PostgreSQL for a whole test run, with one migrated database that every test file clones: an embedded one, or the
 * server of TEST_DATABASE_URL (a superuser's address), so that other releases of PostgreSQL can be tried.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { openDatabase } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/schema/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Owner role, on the migrated template. */
    templateUrl: string;
    /** Service role, on the migrated template. */
    templateServiceUrl: string;
  }
}

const OLDEST_NODE = [22, 18] as const;
const TEMPLATE = 'inlay_test_template';
const SERVICE_PASSWORD = 'test';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Error(
      `Tests need Node ${OLDEST_NODE.join('.')} or later, this is ${process.version}. Run "npm test", which brings its own.`,
    );
  }
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) {
    return openServer(project, new URL(given));
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

/** Its roles and databases of an earlier run are made anew. */
async function openServer(project: TestProject, server: URL): Promise<() => Promise<void>> {
  const templateUrl = withDatabase(server, TEMPLATE);
  const asOwner = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: withDatabase(server, 'postgres').href });
    await client.connect();
    for (const statement of statements) {
      await client.query(statement);
    }
    await client.end();
  };
  const drop = `drop database if exists ${TEMPLATE} with (force)`;
  await asOwner(
    drop,
    `do $$ begin if not exists (select from pg_roles where rolname = '${SERVICE_ROLE}') then create role ${SERVICE_ROLE} login; end if; end $$`,
    `alter role ${SERVICE_ROLE} login password '${SERVICE_PASSWORD}'`,
    `create database ${TEMPLATE}`,
  );
  await migrate(templateUrl.href);
  const service = withDatabase(server, TEMPLATE);
  service.username = SERVICE_ROLE;
  service.password = SERVICE_PASSWORD;
  project.provide('templateUrl', templateUrl.href);
  project.provide('templateServiceUrl', service.href);
  return () => asOwner(drop);
}

function withDatabase(server: URL, name: string): URL {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}
