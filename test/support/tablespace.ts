/** A tablespace in a folder of its own, as a second disk would be. */
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface TestTablespace {
  readonly name: string;
  readonly folder: string;
  /** Once no database has anything in it. */
  remove(): Promise<void>;
}

/** @param ownerUrl of a superuser, which the owner of an embedded cluster is */
export async function createTablespace(ownerUrl: string): Promise<TestTablespace> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-cold-'));
  const name = `cold_${folder.slice(-6).toLowerCase()}_${process.pid}`;
  const maintenance = new URL(ownerUrl);
  maintenance.pathname = '/postgres';
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: maintenance.href });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const [place] = await run(`select current_setting('data_directory') as folder`);
  const { uid, gid } = statSync(place.folder);
  chownSync(folder, uid, gid);
  await run(`create tablespace "${name}" location '${folder}'`);
  return {
    name,
    folder,
    async remove() {
      await run(`drop tablespace "${name}"`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
