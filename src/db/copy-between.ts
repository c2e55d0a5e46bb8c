/** COPY from one database into a table of another, streamed, so that memory use is constant. */
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { HostedClient } from './pg-client.ts';

/**
 * @param select a query of the source, whose columns are those of `into`
 * @param into `table (columns)` of the target
 * @returns how many rows were copied
 */
export async function copyBetween(
  source: HostedClient,
  select: string,
  target: HostedClient,
  into: string,
): Promise<number> {
  const writer = target.query(copyFrom(`copy ${into} from stdin`));
  await pipeline(source.query(copyTo(`copy (${select}) to stdout`)), writer);
  return writer.rowCount;
}
