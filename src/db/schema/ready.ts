/** Opens a database with the schema of this release. The first process migrates it; the others wait. */
import { readDatabaseUrl } from '../../core/database-url.ts';
import type { Environment } from '../../core/environment.ts';
import { SERVICE_ROLE } from '../embedded/cluster.ts';
import { type Database, type OpenOptions, openDatabase } from '../embedded/embedded.ts';
import { type Migrated, migrate } from './migrate.ts';

export interface ReadyDatabase extends Database {
  readonly migrated: Migrated;
}

export async function openReadyDatabase(environment: Environment, options: OpenOptions = {}): Promise<ReadyDatabase> {
  const database = await openDatabase(environment, options);
  try {
    return { ...database, migrated: await migrate(database.ownerUrl, roleOf(database.url)) };
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
