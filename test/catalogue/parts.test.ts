/** The pure parts of the catalogue. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareSortKeys,
  indexAfter,
  mintCursor,
  readCursor,
  rollsUpInto,
  type SortKey,
} from '../../src/markets/catalogue/event-index.ts';
import {
  fold,
  readEventQuery,
  SORTS,
  type SortDirection,
  searchWords,
} from '../../src/markets/catalogue/event-query.ts';
import { scoreAll } from '../../src/markets/catalogue/trending.ts';

const codeOf = (run: () => unknown) => {
  try {
    run();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the query', () => {
  // contract 7.5, contract 7.7
  test('has the documented defaults', () => {
    expect(readEventQuery({})).toEqual({
      filter: {
        category: null,
        sport: null,
        league: null,
        words: [],
        tradable: false,
        closesAfter: null,
        closesBefore: null,
      },
      sort: 'trending',
      dir: 'desc',
      limit: 25,
      locale: 'en',
      cursor: null,
    });
    expect(SORTS.map((sort) => readEventQuery({ sort }).dir)).toEqual(['desc', 'desc', 'asc', 'desc']);
  });

  test('reads moments with an offset, and as UTC without one', () => {
    const read = (closesAfter: string) => readEventQuery({ closesAfter }).filter.closesAfter;
    expect(read('2026-11-21T10:00:00Z')).toBe(Date.UTC(2026, 10, 21, 10));
    expect(read('2026-11-21T10:00:00.250+02:00')).toBe(Date.UTC(2026, 10, 21, 8, 0, 0, 250));
    expect(read('2026-11-21T10:00:00')).toBe(Date.UTC(2026, 10, 21, 10));
    expect(read('2026-11-21'), 'a date alone is its midnight').toBe(Date.UTC(2026, 10, 21));
    expect(() => read('2026-11')).toThrow('closesAfter is not an ISO-8601 date');
  });

  // contract 7.3
  test('takes a league of more than 200 characters for one that no event has', () => {
    const leagueOf = (league: string) => readEventQuery({ league }).filter.league;
    expect([leagueOf('l'.repeat(200)), leagueOf('l'.repeat(201))]).toEqual(['l'.repeat(200), '']);
  });

  test('takes any text without anything but a 400 of its own', () => {
    const names = [
      'category',
      'sport',
      'league',
      'search',
      'sort',
      'dir',
      'limit',
      'locale',
      'tradable',
      'closesAfter',
      'closesBefore',
      'cursor',
    ];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.constantFrom('1e309', 'NaN', '-0', ' 5', '05', '٣'),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), (raw) => {
        const code = codeOf(() => readEventQuery(raw));
        expect(code === null || code.startsWith('invalid_')).toBe(true);
      }),
    );
  });
});

describe('orderings', () => {
  const place = fc.record({
    key: fc.integer({ min: -5, max: 5 }),
    eventId: fc.integer({ min: 0, max: 30 }).map((n) => `evt_${n}`),
  });
  const places = fc.uniqueArray(place, { selector: ({ eventId }) => eventId, maxLength: 30 });

  test('a walk by cursors of any page size sees each place once, in order, either way', () => {
    fc.assert(
      fc.property(
        places,
        fc.constantFrom<SortDirection>('asc', 'desc'),
        fc.integer({ min: 1, max: 7 }),
        (unsorted, dir, limit) => {
          const sorted = unsorted.toSorted((a, b) => compareSortKeys(a, b, dir));
          const seen: SortKey[] = [];
          let start = 0;
          for (;;) {
            const page = sorted.slice(start, start + limit);
            seen.push(...page);
            const last = page.at(-1);
            if (last === undefined || page.length < limit) {
              break;
            }
            start = indexAfter(sorted, readCursor('volume', dir, mintCursor('volume', dir, last)), dir);
          }
          expect(seen).toEqual(sorted);
        },
      ),
    );
  });

  test('a place that is gone is resumed where it stood', () => {
    const sorted = [1, 2, 4].map((key) => ({ key, eventId: `evt_${key}` }));
    expect(indexAfter(sorted, { key: 3, eventId: 'evt_3' }, 'asc')).toBe(2);
  });

  test('a cursor of another ordering, or any other text, is refused', () => {
    const cursor = mintCursor('volume', 'desc', { key: 1, eventId: 'evt_1' });
    expect(readCursor('volume', 'desc', cursor)).toEqual({ key: 1, eventId: 'evt_1' });
    expect(codeOf(() => readCursor('volume', 'asc', cursor))).toBe('invalid_cursor');
    expect(codeOf(() => readCursor('new', 'desc', cursor))).toBe('invalid_cursor');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(codeOf(() => readCursor('volume', 'desc', text))).toBe('invalid_cursor');
      }),
    );
  });
});

test('search folds case, accents and strokes', () => {
  expect(fold('ČILIĆ Đoković Ångström São İstanbul')).toBe('cilic dokovic angstrom sao istanbul');
  expect(searchWords('  Copa   América ')).toEqual(['copa', 'america']);
  expect(searchWords(' ')).toEqual([]);
});

// contract 7.4
test('a search looks for its first eight different words', () => {
  expect(searchWords('a b A á c d e f g h i j')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});

test('families of sports roll up, and only down to their own', () => {
  expect(rollsUpInto('soccer', 'football')).toBe(true);
  expect(rollsUpInto('soccer', 'soccer')).toBe(true);
  expect(rollsUpInto('rugby-union', 'rugby')).toBe(true);
  expect(rollsUpInto('football', 'soccer')).toBe(false);
  expect(rollsUpInto('tennis', 'constructor')).toBe(false);
});

describe('the trending score', () => {
  const activity = fc.record({
    volume24h: fc.double({ min: 0, max: 1e9, noNaN: true }),
    depth: fc.double({ min: 0, max: 1e9, noNaN: true }),
    movement: fc.double({ min: 0, max: 1, noNaN: true }),
    ageMs: fc.integer({ min: 0, max: 1e10 }),
  });

  // contract 5.7
  test('stays within 0 and 1, with one or two reasons', () => {
    fc.assert(
      fc.property(fc.array(activity, { maxLength: 10 }), (activities) => {
        for (const { score, components, reasons } of scoreAll(activities)) {
          for (const share of [score, ...Object.values(components)]) {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(1);
          }
          expect(new Set(reasons).size).toBe(reasons.length);
          expect([1, 2]).toContain(reasons.length);
        }
      }),
    );
  });

  test('rises with the 24 h count', () => {
    const base = { depth: 1, movement: 0.01, ageMs: 1e8 };
    const [quiet, busy] = scoreAll([
      { ...base, volume24h: 10 },
      { ...base, volume24h: 10_000 },
    ]);
    expect(busy?.score).toBeGreaterThan(quiet?.score ?? 1);
    expect(busy?.reasons[0]).toBe('traded_today');
  });
});
