/**
 * What a client without a key can make an API process keep: each cache is filled with what one address may request in
 * minutes, and the memory that stays is measured.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/core/time.ts';
import type { Board } from '../../src/markets/board/board.ts';
import { readBoardRows } from '../../src/markets/board/board-rows.ts';
import { BoardState } from '../../src/markets/board/board-state.ts';
import { openCatalogue } from '../../src/markets/catalogue/catalogue.ts';
import type { RawQuery } from '../../src/markets/catalogue/event-query.ts';
import { EVERYONE } from '../../src/server/audience.ts';
import { timePasses } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import { seed } from './seed.ts';

/** Of one address, by default (`INLAY_ANONYMOUS_RATE`). */
const A_MINUTE = 3_000;
const MB = 1024 * 1024;
const EVENTS = 3_000;
/** Their rendered texts do not fit into the limits. A letter has two bytes. */
const LONG_EVENTS = 600;
const LONG = 'Č'.repeat(30_000);
/** Does not follow the database, so that nothing else takes or frees memory meanwhile. */
let board: Board;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function memory(): Promise<number> {
  for (let time = 0; time < 2; time += 1) {
    await timePasses(1);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * @param query of a request, by its number and the cursor of the answer before
 * @returns what a new catalogue keeps of a minute's requests, in megabytes
 */
async function keptOf(query: (number: number, cursor: string | null) => RawQuery): Promise<number> {
  const before = await memory();
  const catalogue = openCatalogue(board, systemClock, { find: () => 'null' }, () => false);
  let cursor: string | null = null;
  for (let number = 0; number < A_MINUTE; number += 1) {
    if (number % 50 === 0) {
      // as between requests: weak references of one turn hold until it ends
      await timePasses(1);
    }
    const raw = query(number, cursor);
    const text = new URLSearchParams(raw as Record<string, string>).toString();
    const { body } = catalogue.list(EVERYONE, text, raw);
    cursor = /"nextCursor":"([^"]+)"/.exec(body.toString('utf8', body.length - 300))?.[1] ?? null;
  }
  const kept = (await memory()) - before;
  catalogue.close();
  return kept / MB;
}

beforeAll(async () => {
  const world = await openWorld();
  await seed(
    world.sql,
    Array.from({ length: EVENTS }, (_, number) => ({ id: `short${number}` })),
  );
  await seed(
    world.sql,
    Array.from({ length: LONG_EVENTS }, (_, number) => ({ id: `long${number}`, category: 'crypto', title: LONG })),
  );
  const state = new BoardState();
  state.replace(await readBoardRows(world.sql, null, new Date()));
  board = Object.assign(state, {
    onChange: () => () => {},
    isConnected: () => true,
    ageSeconds: () => 0,
  }) as unknown as Board;
  await world.close();
});

test('a league that no event has keeps nothing of its length', { tags: 'proof' }, async () => {
  const letters = 'abcdefghijklmnop'.repeat(900);
  expect(await keptOf((number) => ({ league: `${number}${letters}`, limit: '1' }))).toBeLessThan(12);
});

test('lists that differ in a bound do not stay for their pages', { tags: 'proof' }, async () => {
  const boundOf = (number: number) => new Date(number * 1_000).toISOString();
  expect(await keptOf((number) => ({ closesAfter: boundOf(number), limit: '1' }))).toBeLessThan(36);
});

test('the events in all languages, rendered, on pages and searched, stay within the limits', {
  tags: 'proof',
}, async () => {
  const languages = ['en', 'es', 'pt', 'hr'];
  const kept = await keptOf((number, cursor) => ({
    category: 'crypto',
    search: 'c',
    sort: 'new',
    limit: '1',
    locale: languages[Math.floor(number / (LONG_EVENTS + 1)) % languages.length] as string,
    ...(cursor !== null && { cursor }),
  }));
  expect(kept).toBeLessThan(150);
});
