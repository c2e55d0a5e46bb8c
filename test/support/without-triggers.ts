/** Changes what the service never changes: as the owner of the tables, with triggers out of the way. */
import pg from 'pg';

export async function withoutTriggers(ownerUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(statement);
  } finally {
    await client.end();
  }
}
