/** Logins of people in the database of a test: members of the administrators' role, as docs/operations.md has them made. */
import { randomBytes } from 'node:crypto';
import { connect } from '../../src/db/client.ts';
import { roleOf } from '../../src/db/schema/migrate.ts';
import { separateAdministrators, type TestDatabase } from './database.ts';

export interface Login {
  readonly name: string;
  readonly url: string;
}

/**
 * Gives the administrators their own role, and makes logins. Roles belong to the whole server, so each gets a name of its own.
 * @param close drops the logins
 */
export async function makeLogins(
  database: TestDatabase,
  ...names: readonly string[]
): Promise<{ logins: Login[]; close(): Promise<void> }> {
  await separateAdministrators(database);
  const owner = connect(database.ownerUrl, { max: 1, applicationName: 'inlay-test' });
  const logins = names.map((name): Login => {
    const url = new URL(database.adminUrl);
    url.username = `${name}_${randomBytes(4).toString('hex')}`;
    url.password = 'test';
    return { name: url.username, url: url.href };
  });
  for (const { name } of logins) {
    await owner.unsafe(`create role ${name} login password 'test' in role ${roleOf(database.adminUrl)}`);
  }
  return {
    logins,
    close: async () => {
      for (const { name } of logins) {
        await owner.unsafe(`drop role ${name}`);
      }
      await owner.end({ timeout: 1 });
    },
  };
}
