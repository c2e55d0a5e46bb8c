/** Changes what the service never changes: as the owner of the tables, with triggers out of the way. */
import pg from 'pg';

export async function withoutTriggers(ownerUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // for a transaction, so that servers of Citus take it over
    await client.query('begin; set local session_replication_role = replica');
    await client.query(statement);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
