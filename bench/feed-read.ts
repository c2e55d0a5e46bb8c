/** Row `feed-read`: a million feed items over HTTP from the start, pages of 500 by cursor, against COPY of the same rows. */
import { Pool } from 'undici';
import { booksOf } from './books.ts';
import { copyOut } from './copy-out.ts';
import { interleave, type Measure, median, type Run } from './measure.ts';
import type { World } from './world.ts';

const ITEMS = 1_000_000;
const PAGE = 500;
/** Blocks at each end that are compared: pages of orders and pages of credits have different numbers of rows. */
const EDGE = 2;

interface FeedPage {
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

export async function feedRead(world: World, run: Run): Promise<Measure> {
  const books = await booksOf(world, run);
  const { operatorId, keys } = books.operator;
  const blocks = Math.floor(Math.min(run.size(ITEMS, 2 * EDGE * books.itemsOfBlock), books.items) / books.itemsOfBlock);
  const pages = Math.round((blocks * books.itemsOfBlock) / PAGE);
  const edge = Math.round((EDGE * books.itemsOfBlock) / PAGE);
  const api = await world.startApi();
  const pool = new Pool(api.url, { connections: 1 });
  const slowdowns: number[] = [];

  async function read(): Promise<number> {
    const times: number[] = [];
    let cursor = '';
    const start = performance.now();
    for (let page = 0; page < pages; page += 1) {
      const begun = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/api/v1/reconciliation/feed?limit=${PAGE}${cursor}`,
        headers: { authorization: `Bearer ${keys[page % keys.length] ?? ''}` },
      });
      const text = await body.text();
      times.push(performance.now() - begun);
      if (statusCode !== 200) {
        throw new Error(`a page was refused: ${text.slice(0, 300)}`);
      }
      // the end of the page alone, so that the service is measured and not this reader's parser
      const { nextCursor } = JSON.parse(`{${text.slice(text.lastIndexOf('"nextCursor"'))}`) as FeedPage;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
    const rate = (pages * PAGE * 1000) / (performance.now() - start);
    slowdowns.push(median(times.slice(-edge)) / median(times.slice(0, edge)));
    return rate;
  }

  const rates = await interleave(run, read, async () => {
    const query = `select * from bench_items where operator_id = '${operatorId}' and position <= ${pages * PAGE} order by position`;
    const { seconds } = await copyOut(world.database.ownerUrl, query);
    return (pages * PAGE) / seconds;
  });
  await pool.close();
  await api.close();
  return {
    ...rates,
    unit: 'per s',
    note: `${pages * PAGE} items, one reader; the last ${edge} pages took ${median(slowdowns).toFixed(2)} times as long as the first`,
  };
}
