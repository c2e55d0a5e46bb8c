import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { priceSnapshotShape, priceViewShape } from '../../src/wire/catalogue.ts';
import { moveBook, seed } from '../catalogue/seed.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { openReader } from './reader.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld({
    environment: {
      // half of them without a session
      INLAY_STREAM_CONNECTIONS: '16',
      INLAY_STREAM_CONTRACTS: '3',
      INLAY_STREAM_INSTRUMENTS: '5',
      // a proxy has more than the share of one address
      INLAY_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  await seed(service.sql, [
    { id: 'a' },
    { id: 'b', category: 'sports' },
    { id: 'c' },
    {
      id: 'five',
      category: 'crypto',
      contracts: [{ id: 'five', fiveMinute: true, bids: [[0.5, 10]], asks: [[0.52, 10]] }],
    },
    { id: 'd' },
    { id: 'e' },
    { id: 'f' },
    { id: 'paused' },
    { id: 'soon', closesAt: new Date(Date.now() + 4_000) },
  ]);
  await service.context.board.refresh();
});
afterAll(() => service.close());

const open = (contracts: string, headers = {}, version?: string) =>
  openReader(service.url, `/api/v1/stream/prices?contracts=${contracts}`, headers, version);
const refused = async (query: string, headers = {}) => {
  const {
    status,
    body,
    headers: answered,
  } = await service.request('GET', `/api/v1/stream/prices${query}`, { key: null, headers });
  return { status, error: body?.error, retryAfter: answered.get('retry-after') };
};

describe('the price stream', () => {
  // contract 8.1, contract 8.4, contract 8.7
  test('sends a snapshot once, then prices with rising ids, the same to everybody', async () => {
    const [one, two] = await Promise.all([open('ctr_a,ctr_b,ctr_nope'), open('ctr_b,ctr_a,ctr_nope')]);
    expect(one.head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(one.head).toContain('content-type: text/event-stream');
    expect(one.head).toContain('x-content-type-options: nosniff');
    const snapshot = await one.next(({ event }) => event === 'snapshot');
    expect(() => priceSnapshotShape.parse(snapshot.data)).not.toThrow();
    expect(snapshot.data.unknown).toEqual(['ctr_nope']);
    expect(snapshot.data.contracts.map(({ contractId }: { contractId: string }) => contractId).sort()).toEqual([
      'ctr_a',
      'ctr_b',
    ]);
    await two.next(({ event }) => event === 'snapshot');
    await moveBook(service.sql, { id: 'a', bids: [[0.41, 10]], asks: [[0.43, 10]] });
    const price = await one.next(({ event }) => event === 'price');
    expect(() => priceViewShape.parse(price.data)).not.toThrow();
    expect(price.data).toMatchObject({
      contractId: 'ctr_a',
      tradeable: true,
      executableYesCents: 43,
      executableNoCents: 59,
      spreadCents: 2,
      probability: 0.42,
    });
    expect(price.id).toBeGreaterThan(snapshot.id);
    expect(await two.next(({ event }) => event === 'price')).toEqual(price);
    expect(one.events.filter(({ event }) => event === 'snapshot').length).toBe(1);
    expect(JSON.stringify(one.events)).not.toContain('paper');
    one.close();
    two.close();
  });

  // contract 3.4
  test('five-minute contracts stream without executable prices', async () => {
    const reader = await open('ctr_five');
    const snapshot = await reader.next(({ event }) => event === 'snapshot');
    expect(snapshot.data.contracts[0]).toMatchObject({
      tradeable: false,
      tradingClosed: false,
      executableYesCents: null,
      executableNoCents: null,
      spreadCents: null,
      probability: 0.51,
    });
    await moveBook(service.sql, { id: 'five', bids: [[0.6, 10]], asks: [[0.62, 10]] });
    expect((await reader.next(({ event }) => event === 'price')).data).toMatchObject({
      probability: 0.61,
      executableYesCents: null,
    });
    reader.close();
  });

  // contract 6.4, contract 8.6
  test('says closed when a contract stops, also by the clock alone', { tags: 'proof' }, async () => {
    const reader = await open('ctr_soon');
    const closed = await reader.next(({ event }) => event === 'closed');
    expect(closed.data).toMatchObject({
      contractId: 'ctr_soon',
      tradeable: false,
      tradingClosed: true,
      executableYesCents: null,
    });
    reader.close();
  });

  // contract 8.6
  test('a pause and its end are price frames; closed is said when a contract stops for good', async () => {
    const reader = await open('ctr_paused');
    await reader.next(({ event }) => event === 'snapshot');
    const decide = async (action: string, resolution: string | null = null) => {
      await service.sql`select * from decide_market('ctr_paused', ${action}, ${resolution}, null)`;
      await service.context.board.refresh();
    };
    await decide('pause');
    const paused = await reader.next(({ data }) => data.tradingClosed);
    expect(paused).toMatchObject({ event: 'price', data: { tradeable: false, executableYesCents: null } });
    await decide('resume');
    const resumed = await reader.next(({ id, data }) => id > paused.id && !data.tradingClosed);
    expect(resumed).toMatchObject({ event: 'price', data: { tradeable: true } });
    await decide('pause');
    await decide('resolve', 'YES');
    const closed = await reader.next(({ event }) => event === 'closed');
    expect(() => priceViewShape.parse(closed.data)).not.toThrow();
    expect(closed.data).toMatchObject({
      contractId: 'ctr_paused',
      tradingClosed: true,
      resolution: 'YES',
      probability: 1,
      executableYesCents: null,
    });
    expect(resumed.data).not.toHaveProperty('resolution');
    expect(reader.events.map(({ event }) => event)).toEqual(['snapshot', 'price', 'price', 'price', 'closed']);
    reader.close();
  });

  test('a paused contract that passes its close is closed', { tags: 'proof' }, async () => {
    await seed(service.sql, [{ id: 'brieflyPaused', closesAt: new Date(Date.now() + 4_000) }]);
    await service.sql`select * from decide_market('ctr_brieflyPaused', 'pause', null, null)`;
    await service.context.board.refresh();
    const reader = await open('ctr_brieflyPaused');
    const closed = await reader.next(({ event }) => event === 'closed');
    expect(closed.data).toMatchObject({ contractId: 'ctr_brieflyPaused', tradingClosed: true });
    reader.close();
  });

  test('closed is the last frame of a contract that stopped', async () => {
    const reader = await open('ctr_f');
    await reader.next(({ event }) => event === 'snapshot');
    const decide = (action: string, resolution: string | null) =>
      service.sql`select * from decide_market('ctr_f', ${action}, ${resolution}, null)`;
    await decide('resolve', 'YES');
    await service.context.board.refresh();
    await reader.next(({ event }) => event === 'closed');
    await moveBook(service.sql, { id: 'f', bids: [[0.1, 10]], asks: [[0.2, 10]] });
    await service.sql`update contracts set last_price_micros = 120000 where contract_id = 'ctr_f'`.catch(() => {});
    await service.context.board.refresh();
    await decide('resolve', 'NO');
    await service.context.board.refresh();
    await timePasses(1_500);
    expect(reader.events.at(-1)?.event).toBe('closed');
    expect(reader.events.filter(({ event }) => event === 'closed')).toHaveLength(1);
    await decide('reopen', null);
    await service.context.board.refresh();
    const again = await reader.next(({ event, data }) => event === 'price' && !data.tradingClosed);
    expect(again.id).toBeGreaterThan(reader.events.find(({ event }) => event === 'closed')?.id ?? 0);
    reader.close();
  });

  test('closed is the last frame of a five-minute contract that the clock closed', { tags: 'proof' }, async () => {
    await seed(service.sql, [
      {
        id: 'brief',
        category: 'crypto',
        closesAt: new Date(Date.now() + 4_000),
        contracts: [{ id: 'brief', fiveMinute: true, bids: [[0.5, 10]], asks: [[0.52, 10]] }],
      },
    ]);
    await service.context.board.refresh();
    const reader = await open('ctr_brief');
    const closed = await reader.next(({ event }) => event === 'closed');
    expect(closed.data).toMatchObject({ contractId: 'ctr_brief', tradingClosed: true });
    // its venue goes on for a moment, and then says how it ended
    for (const bid of [0.3, 0.35]) {
      await moveBook(service.sql, { id: 'brief', bids: [[bid, 10]], asks: [[0.6, 10]] });
      await service.context.board.refresh();
    }
    await service.sql`select * from decide_market('ctr_brief', 'resolve', 'YES', null)`;
    await service.context.board.refresh();
    await timePasses(1_500);
    expect(reader.events.filter(({ event }) => event !== 'snapshot').map(({ event }) => event)).toEqual(['closed']);
    reader.close();
    // who connects now sees the result at once
    const late = await open('ctr_brief');
    const { data } = await late.next(({ event }) => event === 'snapshot');
    expect(data.contracts[0]).toMatchObject({ resolution: 'YES', probability: 1, tradingClosed: true });
    late.close();
  });

  test('HTTP/1.0 gets the plain bytes', async () => {
    const reader = await open('ctr_a', {}, '1.0');
    expect(reader.head).not.toContain('chunked');
    await reader.next(({ event }) => event === 'snapshot');
    reader.close();
  });

  // contract 8.2, contract 8.3
  test('takes no API key, no unknown scheme, no refused token and no token in the query', async () => {
    expect(await refused('?contracts=ctr_a', { authorization: `Bearer ${service.key}` })).toMatchObject({
      status: 401,
      error: 'invalid_key',
    });
    expect(await refused('?contracts=ctr_a', { authorization: 'Basic abc' })).toMatchObject({ status: 401 });
    expect(await refused('?contracts=ctr_a', { authorization: 'Embed nonsense' })).toMatchObject({
      status: 401,
      error: 'invalid_token',
    });
    expect(await refused('?contracts=ctr_a&token=abc')).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(await refused('')).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(await refused('?contracts=,,')).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  // contract 8.3, contract 30.14
  test('an embed token selects the offering policy, and a revoked one is 401', async () => {
    const narrow = await service.createOperator({ slug: 'narrow', offerCategories: ['sports'] });
    const { apiKey: key } = await service.issueKey(narrow);
    const { body } = await service.request('POST', '/api/v1/embed-sessions', { key, body: { externalUserId: 'ana' } });
    const reader = await open('ctr_a,ctr_b', { authorization: `Embed ${body.token}` });
    const { data } = await reader.next(({ event }) => event === 'snapshot');
    expect(data.unknown).toEqual(['ctr_a']);
    expect(data.contracts.length).toBe(1);
    reader.close();
    await service.request('DELETE', `/api/v1/embed-sessions/${body.sessionId}`, { key });
    expect(await refused('?contracts=ctr_b', { authorization: `Embed ${body.token}` })).toMatchObject({
      status: 401,
      error: 'session_revoked',
    });
  });

  // contract 8.9
  test('each cap answers 503 stream_capacity with Retry-After, and gives back what is left', async () => {
    expect(await refused('?contracts=ctr_a,ctr_b,ctr_c,ctr_d')).toMatchObject({
      status: 503,
      error: 'stream_capacity',
      retryAfter: '5',
    });
    const readers = [await open('ctr_a,ctr_b,ctr_c'), await open('ctr_d,ctr_e')];
    expect(await refused('?contracts=ctr_f')).toMatchObject({ status: 503, error: 'stream_capacity' });
    while (readers.length < 8) {
      readers.push(await open('ctr_a'));
    }
    expect(await refused('?contracts=ctr_a')).toMatchObject({ status: 503, error: 'stream_capacity' });
    for (const reader of readers) {
      reader.close();
    }
    await until(async () => {
      const again = await open('ctr_f');
      again.close();
      expect(again.head).toContain('200');
    });
  });

  test('HEAD does not open a stream', async () => {
    const { status } = await service.request('HEAD', '/api/v1/stream/prices?contracts=ctr_a', { key: null });
    expect(status).toBe(405);
  });

  test('a second process follows the same board', async () => {
    const other = await openWorld({ database: service.database });
    const reader = await openReader(other.url, '/api/v1/stream/prices?contracts=ctr_c');
    await reader.next(({ event }) => event === 'snapshot');
    await moveBook(service.sql, { id: 'c', bids: [[0.21, 10]], asks: [[0.23, 10]] });
    expect((await reader.next(({ event }) => event === 'price')).data.executableYesCents).toBe(23);
    reader.close();
    await other.close();
  });

  test('a closing service ends its streams and waits for none', async () => {
    const other = await openWorld({ database: service.database });
    const reader = await openReader(other.url, '/api/v1/stream/prices?contracts=ctr_a');
    await reader.next(({ event }) => event === 'snapshot');
    const startedAt = Date.now();
    await other.close();
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(reader.ended).toBe(true);
  });
});
