/**
 * The migrations of the development versions were squashed into the first release (sql/migrations/0001 to 0010). A database that
 * has all of the old ones has the same schema, so the new ones are recorded as applied. One that has only some is refused.
 */
import type pg from 'pg';
import { appliedNames, MIGRATIONS_TABLE } from './apply-migrations.ts';
import { MigrationError } from './migration-error.ts';

export const DEVELOPMENT_MIGRATIONS = [
  '0001_ground',
  '0002_operators',
  '0003_markets',
  '0004_ledger_and_feed',
  '0005_command_types',
  '0006_trading',
  '0007_webhooks',
  '0008_embed',
  '0009_reconciliation',
  '0010_retired_venues',
  '0011_sandbox',
  '0012_live',
  '0013_sandbox_funding',
  '0014_kept_quotes',
  '0017_hot_path',
  '0018_tenant_keys',
  '0025_transmission_proof',
  '0026_books_and_accounts',
  '0027_feed_epoch',
  '0028_paper_records',
  '0030_facts_and_versions',
  '0031_collateral_movements',
  '0035_append_only_registers',
  '0036_report_sources',
  '0040_access',
  '0041_audit_log',
  '0050_leases',
  '0051_listing_terms',
  '0060_feed_log',
  '0061_withdrawn_unsent',
] as const;

export const FIRST_RELEASE = [
  '0001_operators',
  '0002_markets',
  '0003_ledger',
  '0004_command_types',
  '0005_trading',
  '0006_webhooks',
  '0007_embed',
  '0008_reconciliation',
  '0009_operations',
  '0010_sandbox',
] as const;

/**
 * Does nothing to a database that is empty or has the first release. The old names are kept, so that the version before can
 * be started again on the same database.
 * @throws MigrationError naming the first old migration that is missing.
 */
export async function adoptFirstRelease(client: pg.Client): Promise<void> {
  const applied = new Set(await appliedNames(client));
  if (!applied.has(DEVELOPMENT_MIGRATIONS[0]) || applied.has(FIRST_RELEASE[0])) {
    return;
  }
  const missing = DEVELOPMENT_MIGRATIONS.find((name) => !applied.has(name));
  if (missing !== undefined) {
    throw new MigrationError(
      `sql/migrations were squashed for the first release, and this database of a development version lacks ${missing}. Start it once with the last version before, or create it again: remove the data folder (.inlay).`,
    );
  }
  await client.query('begin');
  // the only difference: 0061 did not check the rows that were there
  await client.query('alter table orders validate constraint orders_withdrawn_unsent');
  await client.query(`insert into ${MIGRATIONS_TABLE} (name, run_on) select name, now() from unnest($1::text[]) name`, [
    FIRST_RELEASE,
  ]);
  await client.query('commit');
}
