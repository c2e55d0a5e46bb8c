/**
 * Opens a database with the schema of this release. The first process migrates it; the others wait. An embedded server has one
 * release at a time, so that its schema is always that of the release that runs.
 */
import { type Environment, readDatabaseUrl } from '../../core/environment.ts';
import { SERVICE_ROLE } from '../embedded/cluster.ts';
import { type Database, openDatabase, startDatabase } from '../embedded/embedded.ts';
import { type Migrated, type MigrateOptions, migrate } from './migrate.ts';

export interface ReadyDatabase extends Database {
  readonly migrated: Migrated;
}

/** Of `inlay up`: starts the embedded server if no other database is configured. */
export async function startReadyDatabase(environment: Environment, onSpawned: () => void): Promise<ReadyDatabase> {
  return environment.databaseUrl === undefined
    ? ready(await startDatabase(environment.dataDir, { onSpawned }))
    : openReadyDatabase(environment);
}

/** @throws DatabaseNotRunning */
export async function openReadyDatabase(
  environment: Environment,
  options: MigrateOptions = {},
): Promise<ReadyDatabase> {
  return ready(await openDatabase(environment), options);
}

async function ready(database: Database, options: MigrateOptions = {}): Promise<ReadyDatabase> {
  try {
    return {
      ...database,
      migrated: await migrate(database.ownerUrl, roleOf(database.url), {
        back: options.back ?? database.embedded,
        adminRole: roleOf(database.adminUrl),
        auditRole: roleOf(database.auditUrl),
      }),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The role of a connection string. */
export function roleOf(url: string): string {
  const role = readDatabaseUrl(url).user;
  return role === '' ? SERVICE_ROLE : role;
}
