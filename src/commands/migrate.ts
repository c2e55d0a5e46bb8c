/** Updates the database to the schema of this release, as the role that owns the tables; after a roll-back it puts the functions of this release back. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.ts';
import { type Migrated, openReadyDatabase, roleOf } from '../db/schema/migrate.ts';
import { splitShards } from '../db/schema/spread.ts';

export default class Migrate extends BaseCommand<typeof Migrate> {
  static needsDatabase = true;
  static override summary = 'Update the database to the schema of this release.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'DATABASE_OWNER_URL=postgres://inlay_owner@db/inlay DATABASE_ADMIN_URL=postgres://inlay_admin@db/inlay DATABASE_URL=postgres://inlay_service@db/inlay <%= config.bin %> <%= command.id %>',
  ];

  static override flags = {
    'split-shards': Flags.boolean({
      summary: 'If operators are spread over servers, split each of their shards in two afterwards.',
    }),
  };

  override async run(): Promise<Migrated> {
    const database = await openReadyDatabase(this.environment, { back: true });
    await database.close();
    const { applied, functions } = database.migrated;
    const spread = [...database.migrated.spread];
    if (this.flags['split-shards']) {
      spread.push(...(await splitShards(database.ownerUrl, [roleOf(database.url), roleOf(database.adminUrl)])));
    }
    for (const name of applied) {
      this.say(`applied ${name}`);
    }
    this.say(
      functions ? 'Functions and grants are up to date.' : 'Nothing to do: the database already has this schema.',
    );
    for (const line of spread) {
      this.say(line);
    }
    return { applied, functions, spread };
  }
}
