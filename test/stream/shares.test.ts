/** One client cannot take the whole price stream: caps of an address and of an embed session. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { openReader, type Reader } from './reader.ts';

let service: World;
let path: string;
const readers: Reader[] = [];

beforeAll(async () => {
  service = await openWorld({
    environment: {
      INLAY_TRUSTED_PROXIES: '127.0.0.1',
      INLAY_STREAM_ADDRESS_CONNECTIONS: '4',
      INLAY_STREAM_SESSION_CONNECTIONS: '2',
    },
  });
  const market = await service.openMarket('shares');
  path = `/api/v1/stream/prices?contracts=${market.contractId}`;
});
afterAll(async () => {
  for (const reader of readers) {
    reader.close();
  }
  await service.close();
});

async function read(address: string, authorization?: string): Promise<Reader> {
  const reader = await openReader(service.url, path, {
    'x-forwarded-for': address,
    ...(authorization !== undefined && { authorization }),
  });
  readers.push(reader);
  return reader;
}

test('an address has a share of the streams, other addresses theirs; a closed stream gives its place back', async () => {
  for (let open = 0; open < 4; open += 1) {
    expect((await read('198.51.100.1')).head).toContain(' 200 ');
  }
  const refused = await service.request('GET', path, { key: null, headers: { 'x-forwarded-for': '198.51.100.1' } });
  expect([refused.status, refused.body.error]).toEqual([503, 'stream_capacity']);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect((await read('198.51.100.2')).head).toContain(' 200 ');
  for (let open = 0; open < 4; open += 1) {
    await read(`2001:db8:0:${open}::1`);
  }
  expect((await read('2001:db8:0:ff::1')).head).toContain(' 503 ');
  readers[0]?.close();
  const again = await until(
    () => read('198.51.100.1'),
    ({ head }) => head.includes(' 200 '),
  );
  expect(again.head).toContain(' 200 ');
});

test('an embed session has a share of its own, from whatever addresses', async () => {
  const minted = await service.request('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'ana' } });
  const token = `Embed ${minted.body.token}`;
  for (let open = 0; open < 2; open += 1) {
    expect((await read(`203.0.113.${open}`, token)).head).toContain(' 200 ');
  }
  expect((await read('203.0.113.9', token)).head).toContain(' 503 ');
  expect((await read('203.0.113.9')).head).toContain(' 200 ');
});

// contract 35.11
test('streams without a session take half of all places, whatever their addresses, and customers get the others', async () => {
  const small = await openWorld({
    database: service.database,
    environment: { INLAY_TRUSTED_PROXIES: '127.0.0.1', INLAY_STREAM_CONNECTIONS: '8' },
  });
  const open = async (address: string, authorization?: string) => {
    const headers = { 'x-forwarded-for': address, ...(authorization !== undefined && { authorization }) };
    const reader = await openReader(small.url, path, headers);
    readers.push(reader);
    return reader.head;
  };
  const flood = [];
  for (let client = 0; client < 20; client += 1) {
    flood.push(await open(`198.51.100.${client}`));
  }
  expect(flood.filter((head) => head.includes(' 200 '))).toHaveLength(4);
  const minted = await small.request('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'eva' } });
  for (let frame = 0; frame < 4; frame += 1) {
    expect(await open('203.0.113.1', `Embed ${minted.body.token}`)).toContain(' 200 ');
  }
  expect(await open('203.0.113.2', `Embed ${minted.body.token}`)).toContain(' 503 ');
  for (const reader of readers) {
    reader.close();
  }
  await small.close();
});

test('one address watches a tenth of the contracts, so that others still get one', async () => {
  const small = await openWorld({
    database: service.database,
    environment: { INLAY_TRUSTED_PROXIES: '127.0.0.1', INLAY_STREAM_INSTRUMENTS: '30' },
  });
  const names = Array.from({ length: 40 }, (_, index) => `tenth-${index}`);
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await service.openMarket(name)).contractId);
  }
  await small.context.board.refresh();
  const watch = async (address: string | null, contracts: readonly string[]) => {
    const headers: Record<string, string> = address === null ? {} : { 'x-forwarded-for': address };
    const reader = await openReader(small.url, `/api/v1/stream/prices?contracts=${contracts.join()}`, headers);
    readers.push(reader);
    return reader;
  };
  const statusOf = ({ head }: Reader) => Number(head.split(' ')[1]);
  expect(statusOf(await watch('127.0.0.2', ids.slice(0, 30)))).toBe(503);
  const first = await watch('127.0.0.2', ids.slice(0, 3));
  expect(statusOf(first)).toBe(200);
  expect(statusOf(await watch('127.0.0.2', ids.slice(1, 3)))).toBe(200);
  expect(statusOf(await watch('127.0.0.2', ids.slice(3, 4)))).toBe(503);
  expect(statusOf(await watch('127.0.0.3', ids.slice(31, 32)))).toBe(200);
  // the proxy itself, for many clients of its own
  expect(statusOf(await watch(null, ids.slice(4, 24)))).toBe(200);
  first.close();
  const again = await until(
    () => watch('127.0.0.2', ids.slice(3, 4)),
    (reader) => statusOf(reader) === 200,
  );
  expect(statusOf(again)).toBe(200);
  for (const reader of readers) {
    reader.close();
  }
  await small.close();
});
