import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/core/addresses.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { imageType, MAX_IMAGE_BYTES, openImageFetcher } from '../../src/markets/images/image-fetch.ts';
import { plainImage } from '../../src/markets/images/images.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { seed } from './seed.ts';

let service: World;
let venue: Server;
let stranger: Server;
let asked: string[];
const picture = plainImage('crypto').bytes;
const bodies: Record<string, Buffer> = {
  '/good.png': picture,
  '/page.png': Buffer.from('<html><script>alert(1)</script></html>'),
  '/drawn.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/huge.png': Buffer.concat([picture, Buffer.alloc(MAX_IMAGE_BYTES)]),
};

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/moved.png') {
      response.writeHead(302, { location: '/good.png' }).end();
    }
    // Chunked, so that the size is known only by counting.
    else {
      response.writeHead(bodies[path] === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(bodies[path]);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  asked = [];
  [venue, stranger] = await Promise.all([serve(), serve()]);
  service = await openWorld();
  await service.sql`insert into settings (name, value) values ('venue:paper', ${JSON.stringify({ url: origin(venue) })}::text::jsonb)`;
  await seed(service.sql, [
    { id: 'good', category: 'crypto', imageSourceUrl: `${origin(venue)}/good.png` },
    ...['page.png', 'drawn.svg', 'huge.png', 'moved.png', 'gone.png'].map((name) => ({
      id: name.replace('.', ''),
      imageSourceUrl: `${origin(venue)}/${name}`,
    })),
    { id: 'stranger', imageSourceUrl: `${origin(stranger)}/good.png` },
    { id: 'metadata', imageSourceUrl: 'https://169.254.169.254/latest/meta-data' },
    { id: 'none' },
  ]);
  await service.context.board.refresh();
});
afterAll(async () => {
  await service.close();
  venue.close();
  stranger.close();
});

const get = async (id: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/api/v1/images/${id}`, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

// contract 7.17, contract 7.18
test('serves the bytes of the venue, fetched once, with their type, a validator and nosniff', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => get('evt_good')));
  for (const { status, bytes } of all) {
    expect(status).toBe(200);
    expect(bytes.equals(picture)).toBe(true);
  }
  expect(asked.filter((path) => path === '/good.png').length).toBe(1);
  const { headers } = all[0] as (typeof all)[0];
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toContain('max-age');
  expect(headers.get('ratelimit-limit')).toBe('300');
  const again = await get('evt_good', { 'if-none-match': headers.get('etag') as string });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

// contract 7.17
test('needs no key, and an unknown id is unknown_event', async () => {
  const response = await fetch(`${service.url}/api/v1/images/evt_nope`);
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([404, 'unknown_event']);
});

// contract 7.18
test.each(['pagepng', 'drawnsvg', 'hugepng', 'movedpng', 'gonepng', 'stranger', 'metadata', 'none'])(
  '%s: a plain picture replaces it',
  async (id) => {
    const before = asked.length;
    const { status, headers, bytes } = await get(`evt_${id}`);
    expect(status).toBe(200);
    expect(imageType(bytes)).toBe('image/png');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    if (id === 'stranger') {
      expect(asked.length).toBe(before);
    }
  },
);

test('what was fetched is on disk for the next process', async () => {
  const dataDir = service.context.environment.dataDir;
  const other = await openWorld({ database: service.database, environment: { INLAY_DATA_DIR: dataDir } });
  await other.context.board.refresh();
  const before = asked.length;
  const response = await fetch(`${other.url}/api/v1/images/evt_good`);
  expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
  expect(asked.length).toBe(before);
  await other.close();
});

// contract 7.18
test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['fd00::1', false],
  ['0.0.0.0', false],
  ['100.64.0.1', false],
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
])('address %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test('a name that resolves to this machine is refused when connecting', async () => {
  const fetcher = openImageFetcher();
  await expect(
    fetcher.fetch(`https://localhost:${(stranger.address() as AddressInfo).port}/good.png`, []),
  ).rejects.toThrow(/public address/);
  await fetcher.close();
});

// contract 35.5
test('over 300 a minute from one address is 429 with Retry-After', async () => {
  const statuses = new Map<number, number>();
  let refused: Response | undefined;
  // Two minutes at most: the window may roll once in between.
  for (let batch = 0; batch < 13 && refused === undefined; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${service.url}/api/v1/images/evt_nope`)));
    for (const answer of answers) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 429) {
        refused ??= answer;
      } else {
        await answer.arrayBuffer();
      }
    }
  }
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
  expect(await refused?.json()).toMatchObject({ error: 'rate_limited', retryAfterSeconds: expect.any(Number) });
});

// contract 35.5
test('behind a trusted proxy each client has a budget of its own; another header is not believed', async () => {
  const trusting = await openWorld({
    database: service.database,
    environment: { INLAY_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' },
  });
  const remaining = async (url: string, client: string) => {
    const headers = { 'x-forwarded-for': client };
    const answer = await fetch(`${url}/api/v1/images/evt_nope`, { headers });
    await answer.arrayBuffer();
    return Number(answer.headers.get('ratelimit-remaining'));
  };
  let clients = 0;
  try {
    await until(async () => {
      // of one minute: else the window rolled in between and they are asked again
      const first = await remaining(trusting.url, '203.0.113.1');
      expect(await remaining(trusting.url, '203.0.113.1')).toBe(first - 1);
      clients += 1;
      expect(await remaining(trusting.url, `198.51.100.${clients}`)).toBe(299);
    }, 20_000);
    const untrusted = await openWorld({ database: service.database });
    try {
      await until(async () => {
        const first = await remaining(untrusted.url, '203.0.113.7');
        expect(await remaining(untrusted.url, '203.0.113.8')).toBe(Math.max(0, first - 1));
      }, 20_000);
    } finally {
      await untrusted.close();
    }
  } finally {
    await trusting.close();
  }
});

test.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129'])('%s is no trusted proxy', (range) => {
  expect(() => readEnvironment({ INLAY_TRUSTED_PROXIES: range })).toThrow(/^INLAY_TRUSTED_PROXIES: /);
});
