/** Where the venues that run beside the service have said they listen. It knows the setting, not the venues. */
import type { Sql } from '../db/client.ts';
import type { Locate } from './port.ts';

export function locateVenues(sql: Sql): Locate {
  return async (name) => {
    const [row] = await sql<{ url: string | null }[]>`
      select value->>'url' as url from settings where name = ${`venue:${name}`}`;
    return row?.url ?? undefined;
  };
}
