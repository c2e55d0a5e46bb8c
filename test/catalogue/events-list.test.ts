import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventListShape } from '../../src/wire/catalogue.ts';
import { openWorld, type World } from '../support/world.ts';
import { moveBook, seed } from './seed.ts';

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * DAY);
let service: World;

beforeAll(async () => {
  service = await openWorld();
  await seed(service.sql, [
    {
      id: 'a',
      title: 'Will Marin Čilić win?',
      category: 'sports',
      sport: 'tennis',
      league: 'atp',
      eventType: 'game',
      volume: 50,
      opensAt: at(-3),
      closesAt: at(3),
    },
    {
      id: 'b',
      title: 'Cup final',
      subtitle: 'Football',
      category: 'sports',
      sport: 'soccer',
      league: 'fifa',
      eventType: 'game',
      volume: 900,
      opensAt: at(-2),
      closesAt: at(1),
      translations: { es: { title: 'Final de la copa', subtitle: 'Fútbol' }, pt: { title: 'Final da taça' } },
      contracts: [
        {
          id: 'b1',
          label: 'Home',
          volume24h: 5,
          bids: [[0.5745, 10]],
          asks: [[0.58, 10]],
          translations: { es: { label: 'Local' } },
        },
        {
          id: 'b2',
          label: 'Away',
          volume24h: 50,
          bids: [[0.3, 10]],
          asks: [[0.31, 10]],
          translations: { es: { label: 'Away' } },
        },
      ],
    },
    {
      id: 'c',
      title: 'Election',
      category: 'politics',
      categories: ['politics', 'world'],
      volume: 900,
      opensAt: at(-9),
      closesAt: at(30),
    },
    {
      id: 'd',
      title: 'Bitcoin up?',
      category: 'crypto',
      volume: 10,
      opensAt: at(-0.01),
      closesAt: at(0.003),
      contracts: [{ id: 'd', fiveMinute: true, bids: [[0.5, 10]], asks: [[0.51, 10]] }],
    },
    {
      id: 'e',
      title: 'Crossed',
      category: 'finance',
      volume: 5,
      contracts: [{ id: 'e', bids: [[0.6, 10]], asks: [[0.6, 10]], lastPrice: 0.6 }],
    },
    { id: 'f', title: 'Empty', category: 'finance', volume: 4, contracts: [{ id: 'f', bids: [], asks: [] }] },
    { id: 'past', title: 'Past', category: 'world', closesAt: at(-1) },
    {
      id: 'play',
      title: 'In play',
      category: 'sports',
      sport: 'soccer',
      eventType: 'game',
      closesAt: at(-0.01),
      liveMatch: { homeScore: 1, awayScore: 0, period: '1H', clock: "63'", observedAt: new Date().toISOString() },
    },
    {
      id: 'wide',
      title: 'Field',
      category: 'culture',
      kind: 'mutually_exclusive',
      volume: 3,
      contracts: Array.from({ length: 15 }, (_, index) => ({
        id: `w${index}`,
        label: `Answer ${index}`,
        volume24h: index,
        bids: [[0.05, 10]] as const,
        asks: [[0.06, 10]] as const,
      })),
    },
  ]);
  await service.context.board.refresh();
});
afterAll(() => service.close());

const get = (query = '', options = {}) => service.request('GET', `/api/v1/events${query}`, options);
const ids = async (query: string) => (await get(query)).body.data.map((event: { id: string }) => event.id.slice(4));

describe('the list', () => {
  // contract 4.9, contract 5.1, contract 5.4, contract 6.1, contract 7.11
  test('answers the envelope in the documented shape', async () => {
    const { status, body } = await get('?limit=100');
    expect(status).toBe(200);
    expect(() => eventListShape.parse(body)).not.toThrow();
    expect(body.pagination).toEqual({ limit: 100, total: 8, nextCursor: null, hasMore: false });
    expect(body.data[0].imageUrl).toBe(`/api/v1/images/${body.data[0].id}`);
  });

  // contract 5.3, contract 7.13
  test('leaves past events out, except a fixture in play', async () => {
    const listed = await ids('?limit=100');
    expect(listed).not.toContain('past');
    expect(listed).toContain('play');
  });

  // contract 7.1, contract 7.7, contract 7.10
  test.each([
    ['category=nope', 'invalid_category'],
    ['category=', 'invalid_category'],
    ['category=world&category=crypto', 'invalid_category'],
    ['sport=quidditch', 'invalid_sport'],
    ['sort=price', 'invalid_sort'],
    ['dir=up', 'invalid_dir'],
    ['limit=0', 'invalid_limit'],
    ['limit=101', 'invalid_limit'],
    ['limit=-1', 'invalid_limit'],
    ['limit=abc', 'invalid_limit'],
    ['limit=1e1', 'invalid_limit'],
    ['limit=2.5', 'invalid_limit'],
    ['limit=', 'invalid_limit'],
    ['closesAfter=yesterday', 'invalid_date'],
    ['closesBefore=2026-13-01T00:00:00Z', 'invalid_date'],
    ['closesBefore=2026-02-30', 'invalid_date'],
    ['tradable=yes', 'invalid_tradable'],
    ['tradable=1', 'invalid_tradable'],
    ['cursor=', 'invalid_cursor'],
    ['cursor=zzz', 'invalid_cursor'],
    [`cursor=${'a'.repeat(3000)}`, 'invalid_cursor'],
  ])('refuses %s with %s and no rate headers', async (query, code) => {
    const { status, body, headers } = await get(`?${query}`);
    expect([status, body.error]).toEqual([400, code]);
    expect(typeof body.message).toBe('string');
    expect(headers.get('ratelimit-limit')).toBeNull();
  });

  // contract 5.2, contract 7.2, contract 7.3
  test('names the sports on offer when the sport is unknown, and rolls families up', async () => {
    expect((await get('?sport=quidditch')).body.sports).toEqual(['soccer', 'tennis']);
    expect((await ids('?sport=football')).sort()).toEqual(['b', 'play']);
    expect(await ids('?sport=racket-sports')).toEqual(['a']);
    expect(await ids('?sport=tennis&league=wta')).toEqual([]);
    expect(await ids('?league=atp')).toEqual(['a']);
  });

  // contract 7.5
  test('orders by volume, close and opening, either way, ties by id', async () => {
    expect((await ids('?sort=volume&category=sports')).slice(0, 1)).toEqual(['play']);
    expect(await ids('?sort=volume&closesAfter=2020-01-01T00:00:00Z&limit=4')).toEqual(['play', 'b', 'c', 'a']);
    expect((await ids('?sort=volume&dir=asc')).at(0)).toBe('wide');
    expect(await ids('?sort=closing-soon&limit=3')).toEqual(['play', 'd', 'b']);
    expect(await ids('?sort=new&limit=1')).toEqual(['d']);
    expect(await ids('?sort=new&dir=asc&limit=1')).toEqual(['c']);
  });

  // contract 7.9, contract 7.10
  test('filters by category, close window and tradability', async () => {
    expect(await ids('?category=world')).toEqual(['c']);
    expect(await ids(`?closesBefore=${at(2).toISOString()}&sort=closing-soon`)).toEqual(['play', 'd', 'b']);
    expect(await ids(`?closesAfter=${at(2).toISOString()}&closesBefore=${at(4).toISOString()}`)).toEqual(['a']);
    expect((await ids('?tradable=true&sort=new')).sort()).toEqual(['a', 'b', 'c', 'wide']);
    expect((await ids('?tradable=false')).length).toBe(8);
  });

  // contract 7.4
  test('searches without case and accents, in titles, subtitles, labels and translations', async () => {
    expect(await ids('?search=CILIC')).toEqual(['a']);
    expect(await ids('?search=futbol')).toEqual(['b']);
    expect(await ids('?search=answer%207')).toEqual(['wide']);
    expect(await ids('?search=local%20copa')).toEqual(['b']);
    expect(await ids('?search=nothing%20of%20the%20sort')).toEqual([]);
    expect((await ids('?search=')).length).toBe(8);
  });

  // contract 5.8, contract 6.2, contract 7.8
  test('translates by exact tag and keeps the source', async () => {
    const [event] = (await get('?search=cup&locale=es')).body.data;
    expect([event.title, event.sourceTitle, event.subtitle]).toEqual(['Final de la copa', 'Cup final', 'Fútbol']);
    expect(event.outcomes.find((outcome: { id: string }) => outcome.id === 'ctr_b1')).toMatchObject({
      label: 'Local',
      sourceLabel: 'Home',
    });
    // a name that is the same in the language is not translated (contract 6.2)
    const same = event.outcomes.find((outcome: { id: string }) => outcome.id === 'ctr_b2');
    expect(same.label).toBe('Away');
    expect(same).not.toHaveProperty('sourceLabel');
    for (const locale of ['en', 'pt-BR', 'de', 'ES']) {
      const [english] = (await get(`?search=cup&locale=${locale}`)).body.data;
      expect(english.title).toBe('Cup final');
      expect(english).not.toHaveProperty('sourceTitle');
    }
    expect((await get('?search=cup&locale=pt')).body.data[0]).toMatchObject({
      title: 'Final da taça',
      subtitle: 'Football',
    });
  });

  // contract 7.12
  test('carries at most twelve outcomes, the most traded first', async () => {
    const [event] = (await get('?category=culture')).body.data;
    expect(event.outcomeCount).toBe(15);
    expect(event.outcomes.map(({ id }: { id: string }) => id)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `ctr_w${n}`),
    );
  });

  // contract 3.1, contract 3.4, contract 6.5
  test('shows prices by the display rules', async () => {
    const outcomes = async (query: string) => (await get(query)).body.data[0].outcomes;
    expect((await outcomes('?search=cup'))[1]).toMatchObject({
      id: 'ctr_b1',
      probability: 0.57725,
      yesCents: 57.725,
      noCents: 42.275,
      executableYesCents: 58,
      executableNoCents: 42.55,
      spreadCents: 0.55,
      tradable: true,
      priceBasis: 'midpoint',
      priceFeed: 'websocket',
    });
    expect((await outcomes('?category=crypto'))[0]).toMatchObject({
      probability: 0.505,
      executableYesCents: null,
      executableNoCents: null,
      spreadCents: null,
      tradable: false,
      tradingClosed: false,
    });
    expect((await outcomes('?search=crossed'))[0]).toMatchObject({
      probability: 0.6,
      priceBasis: 'last',
      executableYesCents: null,
      executableNoCents: null,
      tradable: false,
    });
    expect((await outcomes('?search=empty'))[0]).toMatchObject({
      probability: null,
      priceBasis: 'none',
      tradable: false,
    });
  });

  // contract 5.7, contract 7.6
  test('has the trending block on lists ranked by activity only', async () => {
    for (const sort of ['trending', 'volume']) {
      const { trending } = (await get(`?sort=${sort}`)).body.data[0];
      expect(Object.keys(trending)).toEqual(['score', 'components', 'reasons', 'freshness']);
      expect(Object.keys(trending.components)).toEqual(['volume24h', 'liquidity', 'movement', 'recency']);
      expect([1, 2]).toContain(trending.reasons.length);
    }
    const scores = (await get('?limit=100')).body.data.map(
      (event: { trending: { score: number } }) => event.trending.score,
    );
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    for (const sort of ['new', 'closing-soon']) {
      expect((await get(`?sort=${sort}`)).body.data[0]).not.toHaveProperty('trending');
    }
  });

  // contract 4.13
  test('a cursor is bound to its ordering', async () => {
    const { nextCursor } = (await get('?sort=volume&limit=2')).body.pagination;
    expect(await ids(`?sort=volume&limit=2&cursor=${nextCursor}`)).toEqual(['c', 'a']);
    for (const other of ['sort=new', 'sort=volume&dir=asc', 'sort=closing-soon', '']) {
      expect((await get(`?${other}&cursor=${nextCursor}`)).body.error).toBe('invalid_cursor');
    }
    expect((await get(`?sort=volume&cursor=${nextCursor.slice(0, -3)}`)).body.error).toBe('invalid_cursor');
  });

  // contract 4.10, contract 7.11
  test('a full page always mints a cursor, so the end can cost an empty page', async () => {
    const first = (await get('?sort=new&limit=8')).body.pagination;
    expect(first.hasMore).toBe(true);
    const { data, pagination } = (await get(`?sort=new&limit=8&cursor=${first.nextCursor}`)).body;
    expect([data, pagination]).toEqual([[], { limit: 8, total: 8, nextCursor: null, hasMore: false }]);
  });

  // contract 4.12
  test.each(['volume', 'closing-soon', 'new'])(
    'a walk by %s under moving prices skips and repeats nothing',
    async (sort) => {
      const seen: string[] = [];
      let cursor = '';
      for (let page = 0; page < 20; page += 1) {
        const { body } = await get(`?sort=${sort}&limit=1${cursor}`);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.pagination.hasMore) {
          break;
        }
        cursor = `&cursor=${body.pagination.nextCursor}`;
        await moveBook(service.sql, { id: 'c', bids: [[0.2 + page / 100, 10]], asks: [[0.6, 10]] });
        await service.context.board.refresh();
      }
      expect(seen.length).toBe(8);
      expect(new Set(seen).size).toBe(8);
    },
  );

  test('shows a moved book at once, and answers 304 while nothing moved', async () => {
    const first = await get('?category=politics&sort=new');
    const etag = first.headers.get('etag') as string;
    const again = await get('?category=politics&sort=new', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('ratelimit-limit')).not.toBeNull();
    await moveBook(service.sql, { id: 'c', bids: [[0.11, 10]], asks: [[0.13, 10]] });
    await service.context.board.refresh();
    const moved = await get('?category=politics&sort=new', { headers: { 'if-none-match': etag } });
    expect(moved.status).toBe(200);
    expect(moved.body.data[0].outcomes[0].executableYesCents).toBe(13);
  });

  // contract 7.13, contract 7.15
  test('is narrowed to what the operator offers', async () => {
    const narrow = await service.createOperator({ slug: 'narrow', offerCategories: ['sports', 'crypto'] });
    const { apiKey: key } = await service.issueKey(narrow);
    const { body } = await get('?limit=100', { key });
    expect(body.pagination.total).toBe(4);
    expect(new Set(body.data.map(({ category }: { category: string }) => category))).toEqual(
      new Set(['sports', 'crypto']),
    );
    expect((await get('?category=politics', { key })).body.data).toEqual([]);
    expect((await service.request('GET', '/api/v1/events/evt_c', { key })).body.error).toBe('unknown_event');
    expect((await service.request('GET', '/api/v1/categories', { key })).body).toEqual({
      data: [
        { category: 'sports', label: 'Sports', eventCount: 3 },
        { category: 'crypto', label: 'Crypto', eventCount: 1 },
      ],
      totalEvents: 4,
    });
  });

  // contract 7.14
  test('under enforced jurisdiction a customer who may not trade sees nothing, and the notice is always there', async () => {
    const strict = await service.createOperator({
      slug: 'strict',
      jurisdictionMode: 'enforced',
      permittedCountries: ['HR'],
    });
    const { apiKey: key } = await service.issueKey(strict);
    await service.request('PUT', '/api/v1/users/ana/jurisdiction', { key, body: { country: 'HR' } });
    const anyone = await get('', { key });
    expect(anyone.body.jurisdiction).toEqual({ enforced: true, message: expect.any(String) });
    expect(anyone.body.pagination.total).toBe(8);
    expect((await get('', { key, user: 'ana' })).body.pagination.total).toBe(8);
    const { body } = await get('?limit=3', { key, user: 'ivo' });
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ limit: 3, total: 0, nextCursor: null, hasMore: false });
    expect(body.jurisdiction.enforced).toBe(true);
    expect((await get('?limit=0', { key, user: 'ivo' })).body.error).toBe('invalid_limit');
    expect((await get('')).body).not.toHaveProperty('jurisdiction');
  });
});

describe('one event and the categories', () => {
  // contract 4.9, contract 7.15
  test('an event by id or slug, with all outcomes in the venue order', async () => {
    const byId = await service.request('GET', '/api/v1/events/evt_wide');
    expect(byId.body.data.outcomes.length).toBe(15);
    expect(byId.body.data.outcomes[0].id).toBe('ctr_w0');
    expect(byId.body.data).not.toHaveProperty('trending');
    const { slug } = byId.body.data;
    expect((await service.request('GET', `/api/v1/events/${slug}`)).text).toBe(byId.text);
    expect((await service.request('GET', '/api/v1/events/evt_b?locale=es')).body.data.title).toBe('Final de la copa');
    expect((await service.request('GET', '/api/v1/events/evt_b?locale=es&locale=pt')).body.data.title).toBe(
      'Cup final',
    );
    expect((await service.request('GET', '/api/v1/events/evt_past')).status).toBe(200);
    const unknown = await service.request('GET', '/api/v1/events/evt_nope');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'unknown_event']);
  });

  // contract 5.11, contract 7.16
  test('categories in canonical order, non-empty only', async () => {
    const { body } = await service.request('GET', '/api/v1/categories');
    expect(body.data.map(({ category }: { category: string }) => category)).toEqual([
      'politics',
      'sports',
      'crypto',
      'finance',
      'culture',
      'world',
    ]);
    expect(body.totalEvents).toBe(8);
  });

  test('a second process shows the same, byte by byte', async () => {
    const other = await openWorld({ database: service.database });
    await other.context.board.refresh();
    await service.context.board.refresh();
    const path = '/api/v1/events?sort=new&limit=100';
    const [mine, theirs] = await Promise.all([service.request('GET', path), other.request('GET', path)]);
    expect(theirs.text).toBe(mine.text);
    expect(theirs.headers.get('etag')).toBe(mine.headers.get('etag'));
    await other.close();
  });
});

test('updatedAt of an event moves with its status', async () => {
  const read = async () => (await service.request('GET', '/api/v1/events/evt_status')).body.data;
  await seed(service.sql, [{ id: 'status', contracts: [{ id: 'status' }] }]);
  await service.context.board.refresh();
  const before = await read();
  await service.sql`select * from decide_market('ctr_status', 'resolve', 'YES', null)`;
  await service.context.board.refresh();
  const after = await read();
  expect([before.status, after.status]).toEqual(['open', 'resolved']);
  expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
});
