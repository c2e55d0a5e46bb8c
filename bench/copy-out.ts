/** COPY of a query as CSV, as fast as the server and this machine allow: a baseline for rows that read many rows of tables. */
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** @param file receives the bytes; by default they are dropped */
export async function copyOut(url: string, query: string, file?: string): Promise<{ seconds: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const start = performance.now();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(
    client.query(copyTo(`copy (${query}) to stdout (format csv, header)`)),
    file === undefined ? nowhere : createWriteStream(file),
  );
  const seconds = (performance.now() - start) / 1000;
  await client.end();
  return { seconds };
}
