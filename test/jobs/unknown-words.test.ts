/** What a venue says that this release does not know is logged once, counted, and shown by metric and doctor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Logger } from '../../src/core/log.ts';
import { startUnknownWords } from '../../src/jobs/transmit.ts';
import { listUnknownWords } from '../../src/trading/account/venue-facts.ts';
import { Unknowns } from '../../src/venues/port.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';
import { inspectWork } from '../support/work-checks.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('a word is logged once, counted each time, and nothing is said while there is none', async () => {
  const line = async () =>
    (await inspectWork(world.database, world.context.environment)).find(({ name }) => name === 'venue words');
  expect(await line()).toBeUndefined();
  const told: unknown[] = [];
  const log = { warn: (facts: unknown) => told.push(facts) } as unknown as Logger;
  const unknowns = new Unknowns();
  const venue = Object.assign(new ScriptedVenue('kalshi'), { unknowns: () => unknowns.take() });
  unknowns.note('market status', 'frozen');
  unknowns.note('market status', 'frozen');
  unknowns.note('field of Market', 'x'.repeat(200));
  const seen = async () => (await listUnknownWords(world.sql)).map(({ about, seen: times }) => [about, times]);
  const first = startUnknownWords(world.sql, log, [venue]);
  await until(async () =>
    expect(await seen()).toEqual([
      ['market status', '2'],
      ['field of Market', '1'],
    ]),
  );
  await first.close();
  unknowns.note('market status', 'frozen');
  const second = startUnknownWords(world.sql, log, [venue]);
  await until(async () => expect((await seen())[0]).toEqual(['market status', '3']));
  await second.close();
  expect(told).toHaveLength(2);
  expect(told).toContainEqual({ venue: 'kalshi', about: 'market status', word: 'frozen' });
  expect(await line()).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringMatching(
      /^not known to this release: kalshi: market status "frozen" \(3 times\); kalshi: field/,
    ),
  });
  await world.sql`
    insert into venue_feeds (venue, connected, session, revision, confirmed_at) values ('kalshi', true, 1, 1, now())`;
  const { text } = await world.request('GET', '/metrics', { key: null });
  expect(text).toContain('inlay_venue_unknown_words{venue="kalshi"} 2');
});

test('a venue that says something new each time does not fill the memory', () => {
  const unknowns = new Unknowns();
  for (let index = 0; index < 2_000; index += 1) {
    unknowns.note('field', `f${index}`);
  }
  expect(unknowns.take()).toHaveLength(500);
  expect(unknowns.take()).toEqual([]);
});
