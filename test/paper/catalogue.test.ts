/** What the paper venue lists: enough of every kind, and everything a catalogue has to cope with. */
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/core/terms.ts';
import { rulesOf } from '../../src/paper/catalogue/wording.ts';
import { createExchange, events, fixtures, NOON } from './support.ts';

const exchange = createExchange();
const all = events(exchange);
const contracts = all.flatMap((event) => event.contracts);

describe('the catalogue of the paper venue', () => {
  // contract 5.9
  test('holds at least 150 events and 600 contracts in all categories and kinds', () => {
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(contracts.length).toBeGreaterThanOrEqual(600);
    expect(new Set(all.map((event) => event.category))).toEqual(new Set(CATEGORIES));
    expect(new Set(all.map((event) => event.kind))).toEqual(
      new Set(['binary', 'mutually_exclusive', 'cumulative_ladder', 'ambiguous']),
    );
  });

  test('gives every event and listing an id of its own, and no placeholder is left in a title', () => {
    expect(new Set(all.map((event) => event.slug)).size).toBe(all.length);
    expect(new Set(contracts.map((contract) => contract.id)).size).toBe(contracts.length);
    for (const text of all.flatMap((event) => [event.title, ...Object.values(event.words).map((word) => word.title)])) {
      expect(text).not.toMatch(/[{}]/);
    }
  });

  test('closes a question about a month on the last day of that month', () => {
    const monthly = fixtures.questions.filter(({ title }) => title.includes('{month}'));
    expect(monthly.length).toBeGreaterThan(5);
    for (const { id } of monthly) {
      const event = exchange.state.events[`px-${id}`];
      expect(new Date((event?.closesAt ?? 0) + 86_400_000).getUTCDate(), id).toBe(1);
    }
  });

  test('says of each game whether extra time counts: a league game can end in a draw, and a tennis match has none', () => {
    for (const event of all.filter(({ model }) => model.type === 'match')) {
      const text = event.contracts.map((contract) => rulesOf(event, contract).text)[0] ?? '';
      const [, time] = /”,? ?(.*?),? makes it true/.exec(text) ?? [];
      const usual = event.sport === 'tennis' ? '' : 'overtime included';
      expect(time, event.id).toBe(event.sport === 'soccer' ? 'stoppage time included and extra time not' : usual);
    }
  });

  // contract 5.9, contract 6.6
  test('has ladders in both directions, and one kind of event whose thresholds point both ways', () => {
    const directions = (kind: string) =>
      all
        .filter((event) => event.kind === kind)
        .map((event) => [...new Set(event.contracts.map((contract) => contract.direction))].sort().join());
    expect(new Set(directions('cumulative_ladder'))).toEqual(new Set(['above', 'below']));
    expect(directions('ambiguous')).toContain('above,below');
    for (const event of all.filter((one) => one.kind === 'cumulative_ladder')) {
      expect(event.contracts.every((contract) => contract.threshold !== null)).toBe(true);
    }
  });

  test('has long fields, and wide, empty, one-sided, crossed and sub-cent books', () => {
    expect(all.filter((event) => event.contracts.length >= 20).length).toBeGreaterThanOrEqual(5);
    const shapes = contracts.map(({ book: { bids, asks } }) => {
      if (bids.length === 0 && asks.length === 0) {
        return 'empty';
      }
      if (bids[0] === undefined || asks[0] === undefined) {
        return 'one-sided';
      }
      if (asks[0].price <= bids[0].price) {
        return 'crossed';
      }
      return asks[0].price - bids[0].price >= 100_000 ? 'wide' : 'good';
    });
    expect(new Set(shapes)).toEqual(new Set(['empty', 'one-sided', 'crossed', 'wide', 'good']));
    expect(contracts.some(({ book }) => (book.bids[0]?.price ?? 0) % 10_000 !== 0)).toBe(true);
  });

  test('translates a good share of titles and labels', () => {
    for (const locale of ['es', 'pt', 'hr'] as const) {
      expect(all.filter((event) => event.words[locale] !== undefined).length).toBeGreaterThan(all.length / 2);
      expect(contracts.some((contract) => contract.words[locale] !== undefined)).toBe(true);
    }
  });

  // contract 5.2, contract 6.1
  test('has games with teams, some of them in play', () => {
    const games = all.filter((event) => event.eventType === 'game');
    expect(new Set(games.map((event) => event.league)).size).toBeGreaterThanOrEqual(5);
    const moneyline = games.find((event) => event.contracts.some((one) => one.sportsMarketType === 'moneyline'));
    expect(moneyline?.contracts[0]?.team).toMatchObject({ color: expect.stringMatching(/^#/) });
    const playing = Object.values(exchange.state.matches).filter((match) => match.kickoff < NOON && !match.ended);
    expect(playing.length).toBeGreaterThanOrEqual(4);
  });

  // contract 5.12
  test('lists the current and the next five-minute window of four assets', () => {
    const fives = all.filter((event) => event.fiveMinute);
    expect(fives.map((event) => event.closesAt % 300_000)).toEqual(Array(8).fill(0));
    expect(fives.every((event) => event.kind === 'binary' && event.category === 'crypto')).toBe(true);
    const btc = fives.filter((event) => event.id.includes('btc')).map((event) => event.closesAt - NOON);
    expect(btc.sort((one, other) => one - other)).toEqual([180_000, 480_000]);
  });

  test('closes everything in the future', () => {
    expect(all.every((event) => event.closesAt > NOON && event.opensAt < NOON)).toBe(true);
  });
});

describe('the second paper venue', () => {
  test('lists some of the same questions under the same group keys, with other books', () => {
    const second = createExchange({ venue: 'paper-2' });
    const here = new Map(contracts.map((contract) => [contract.groupKey, contract]));
    const there = events(second).flatMap((event) => event.contracts);
    expect(there.length).toBeGreaterThan(100);
    expect(there.length).toBeLessThan(contracts.length);
    expect(there.every((contract) => here.has(contract.groupKey))).toBe(true);
    expect(
      there.some((contract) => here.get(contract.groupKey)?.book.bids[0]?.quantity !== contract.book.bids[0]?.quantity),
    ).toBe(true);
    expect(there.some((contract) => contracts.some((one) => one.id === contract.id))).toBe(false);
  });
});
