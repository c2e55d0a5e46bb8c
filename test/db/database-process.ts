/** A process that uses the database of a folder: `database-process FOLDER MARK MS|forever`. It writes its mark, says "ready" and waits. */
import { connect } from '../../src/db/client.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';

const [dataDir = '', mark = '', wait = '0'] = process.argv.slice(2);
const database = await startDatabase(dataDir);
const sql = connect(database.ownerUrl, { max: 1, applicationName: `test-${mark}` });
await sql`select pg_advisory_lock(1)`;
await sql`create table if not exists marks (mark text)`;
await sql`insert into marks values (${mark})`;
await sql`select pg_advisory_unlock(1)`;
process.stdout.write('ready\n');
await new Promise<void>((resolve) => {
  const timer = setTimeout(resolve, wait === 'forever' ? 120_000 : Number(wait));
  process.once('SIGTERM', () => {
    clearTimeout(timer);
    resolve();
  });
});
await sql.end();
await database.close();
