/**
 * One real PostgreSQL for a whole test run, with one migrated database that every test file clones: an embedded one, or the
 * server of TEST_DATABASE_URL (a superuser's address), so that other releases of PostgreSQL can be tried.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ADMIN_ROLE, AUDIT_ROLE, SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/schema/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Owner role, on the migrated template. */
    templateUrl: string;
    /** Service role, on the migrated template. */
    templateServiceUrl: string;
    /** Role of the service operator's commands, which has no rights in the template. */
    templateAdminUrl: string;
    templateAuditUrl: string;
    /** Maintenance databases of the servers that have the template, as who may clone it: one, or all over which operators are spread. */
    servers: string[];
    /** Where tests make folders that nobody needs to remove. */
    temporaryFolders: string;
  }
}

const OLDEST_NODE = [22, 18] as const;
const TEMPLATE = 'inlay_test_template';
const ROLE_PASSWORD = 'test';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Error(
      `Tests need Node ${OLDEST_NODE.join('.')} or later, this is ${process.version}. Run "npm test", which brings its own.`,
    );
  }
  const folders = mkdtempSync(join(tmpdir(), 'inlay-test-files-'));
  project.provide('temporaryFolders', folders);
  const given = process.env['TEST_DATABASE_URL'];
  const close = given === undefined ? await openEmbedded(project) : await openServer(project, new URL(given));
  return async () => {
    await close();
    rmSync(folders, { recursive: true, force: true });
  };
}

async function openEmbedded(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-test-'));
  chmodSync(dataDir, 0o711);
  const database = await startDatabase(dataDir, { durable: false, maxConnections: 300 });
  try {
    await migrate(database.ownerUrl);
  } catch (error) {
    await database.close();
    throw error;
  }
  project.provide('templateUrl', database.ownerUrl);
  project.provide('servers', [withDatabase(new URL(database.ownerUrl), 'postgres').href]);
  project.provide('templateServiceUrl', database.url);
  project.provide('templateAdminUrl', database.adminUrl);
  project.provide('templateAuditUrl', database.auditUrl);
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
    ...[SERVICE_ROLE, ADMIN_ROLE, AUDIT_ROLE].flatMap((role) => [
      `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login; end if; end $$`,
      `alter role ${role} login password '${ROLE_PASSWORD}'`,
    ]),
    `create database ${TEMPLATE}`,
  );
  await migrate(templateUrl.href);
  const as = (role: string) => {
    const url = withDatabase(server, TEMPLATE);
    url.username = role;
    url.password = ROLE_PASSWORD;
    return url.href;
  };
  project.provide('templateUrl', templateUrl.href);
  project.provide('servers', [withDatabase(templateUrl, 'postgres').href]);
  project.provide('templateServiceUrl', as(SERVICE_ROLE));
  project.provide('templateAdminUrl', as(ADMIN_ROLE));
  project.provide('templateAuditUrl', as(AUDIT_ROLE));
  return () => asOwner(drop);
}

function withDatabase(server: URL, name: string): URL {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}
