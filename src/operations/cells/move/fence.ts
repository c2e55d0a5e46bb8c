/**
 * Refuses every new or changed row of operators, from any process. A trigger is created on each table once no statement
 * that began earlier can still write there: creating it waits for them. So nothing is written after the fence is complete.
 */
import type { HostedClient } from '../../../db/pg-client.ts';
import { withLockTimeout } from '../../../db/schema/lock-timeout.ts';
import type { OperatorTable } from './operator-tables.ts';

/** @param leaderId names the triggers. @throws MigrationError if a table stays locked for a minute */
export async function raiseFence(
  client: HostedClient,
  tables: readonly OperatorTable[],
  leaderId: string,
  operatorIds: readonly string[],
): Promise<void> {
  const ids = `'{${operatorIds.join(',')}}'`;
  for (const { name, fence } of tables) {
    await withLockTimeout(client, name, async () => {
      await client.query(
        `create or replace trigger ${triggerOf(client, leaderId)} before insert or update on ${name} for each row
         when (${fence.replace('%IDS%', ids)}) execute function refuse_row_of_moved_operator()`,
      );
    });
  }
}

export async function removeFence(
  client: HostedClient,
  tables: readonly OperatorTable[],
  leaderId: string,
): Promise<void> {
  const trigger = triggerOf(client, leaderId);
  const { rows } = await client.query<{ fenced: string[] }>(
    'select array(select tgrelid::regclass::text from pg_trigger where tgname = $1) as fenced',
    [`moved_${leaderId}`],
  );
  // one that was not reached may be locked still
  for (const { name } of tables.filter((table) => rows[0]?.fenced.includes(table.name))) {
    await withLockTimeout(client, name, async () => {
      await client.query(`drop trigger if exists ${trigger} on ${name}`);
    });
  }
}

function triggerOf(client: HostedClient, leaderId: string): string {
  return client.escapeIdentifier(`moved_${leaderId}`);
}
