import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_PRESENTATION, resolvePresentation } from '../../src/wire/presentation.ts';
import { openWorld, type World } from '../support/world.ts';
import { buildFrame } from './world.ts';

let service: World;

beforeAll(async () => {
  await buildFrame();
  service = await openWorld();
  await service.createOperator({
    slug: 'house',
    frameOrigins: ['https://casino.example', 'http://localhost:3000'],
    presentation: { mode: 'dark', radius: 'round' },
  });
  await service.createOperator({ slug: 'closed', status: 'suspended', frameOrigins: ['https://casino.example'] });
}, 120_000);
afterAll(() => service.close());

const get = (path: string) => service.request('GET', path, { key: null });

describe('the document', () => {
  // contract 31.4
  test('is framed by registered origins only, and runs nothing without its nonce', async () => {
    const { status, headers, text } = await get('/embed/predictions?operator=house');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain('frame-ancestors https://casino.example http://localhost:3000');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(
      text.match(/<(?:script|link rel="stylesheet")[^>]*>/g)?.every((tag) => tag.includes(`nonce="${nonce}"`)),
    ).toBe(true);
    expect(text).not.toMatch(/ on[a-z]+=/);
    expect(headers.get('cache-control')).toBe('no-store');
    const again = await get('/embed/predictions?operator=house');
    expect(again.headers.get('content-security-policy')).not.toBe(policy);
  });

  test('an origin registered under an earlier rule adds nothing to the policy', async () => {
    await service.createOperator({ slug: 'injected', frameOrigins: ['https://casino.example'] });
    await service.sql`update operators set frame_origins = ${[
      'https://casino.example',
      'https://a.example;sandbox;x',
      'http://plain.example',
    ]}::text[] where slug = 'injected'`;
    const { headers, text } = await get('/embed/predictions?operator=injected');
    expect(headers.get('content-security-policy')).toContain('frame-ancestors https://casino.example');
    expect(headers.get('content-security-policy')).not.toMatch(/sandbox|plain\.example/);
    expect(text).not.toMatch(/;sandbox|plain\.example/);
    await expect(
      service.createOperator({ slug: 'bad', frameOrigins: ['https://a.example;sandbox;x'] }),
    ).rejects.toThrow(/not an origin/);
    await expect(service.createOperator({ slug: 'bad', frameOrigins: ['http://plain.example'] })).rejects.toThrow(
      /not an origin/,
    );
  });

  test('presentation parameters that do not validate are not in the page', async () => {
    const evil = encodeURIComponent('#fff;background:url(//evil)');
    const query = `accent=${evil}&mode=evil-mode&radius=constructor&density=evil&sizing=evil&locale=xx-evil&region=evil`;
    const { text } = await get(`/embed/predictions?operator=house&${query}`);
    expect(text).not.toMatch(/evil|constructor/);
    const boot = (page: string) => JSON.parse(/id="boot"[^>]*>([^<]*)</.exec(page)?.[1] ?? '{}');
    expect(boot(text)).toMatchObject({ url: {}, setting: { mode: 'dark', radius: 'round' } });
    const good = await get('/embed/predictions?operator=house&accent=%23FfF&mode=light');
    expect(boot(good.text).url).toEqual({ accent: '#ffffff', mode: 'light' });
  });

  // contract 31.4
  test('an operator without origins is unframable', async () => {
    const { headers } = await get('/embed/predictions?operator=demo');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  // contract 30.11
  test.each(['token=abc', 'token=', 'Token=abc', 'x=ies1.0123456789ab.secret.mac', 'access_token=abc'])(
    'a token in the address is refused: %s',
    async (query) => {
      const { status, headers, text } = await get(`/embed/predictions/evt_1?operator=house&${query}`);
      expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
      expect(text).toContain('invalid_request');
      expect(text).not.toContain('abc');
    },
  );

  // contract 31.1
  test('says what is wrong with an operator that is unknown, unnamed or suspended', async () => {
    for (const [path, expected] of [
      ['?operator=nobody', 404],
      ['?operator=HOUSE', 404],
      ['?operator=%3Cscript%3E', 404],
      ['', 400],
      ['?operator=closed', 403],
    ] as const) {
      const { status, headers, text } = await get(`/embed/predictions${path}`);
      expect([path, status]).toEqual([path, expected]);
      expect(headers.get('content-type')).toContain('text/html');
      expect(text).not.toContain('<script');
    }
    const closed = await get('/embed/predictions?operator=closed');
    expect(closed.headers.get('content-security-policy')).toContain('frame-ancestors https://casino.example');
  });

  // contract 31.2, contract 31.3
  test('wears the address over the operator’s setting over the default', async () => {
    const { text } = await get('/embed/predictions?operator=house&mode=light&density=loud&locale=pt-BR');
    expect(text).toContain(
      '<html lang="pt" data-mode="light" data-radius="round" data-density="comfortable" data-sizing="pane">',
    );
  });

  test('nothing of an address becomes markup', async () => {
    const { text } = await get(
      `/embed/predictions/%3Cb%3E?operator=house&accent=${encodeURIComponent('</script><script>alert(1)')}`,
    );
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<b>');
  });

  test('its files are kept for good, sent compressed, and small', async () => {
    const { text } = await get('/embed/predictions?operator=house');
    const script = /src="([^"]+)"/.exec(text)?.[1] ?? '';
    const { status, headers } = await get(script);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-encoding')).toMatch(/br|gzip/);
    expect((await get('/embed/assets/.vite/manifest.json')).status).toBe(404);
    const folder = join(import.meta.dirname, '..', '..', 'dist', 'frame');
    // The host page, the website and the documents are no part of what a customer loads.
    const sent = readdirSync(folder).filter((name) => name.endsWith('.js.gz') && !/^(?:host|site|docs)-/.test(name));
    const bytes = sent.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(bytes).toBeLessThan(90 * 1024);
  });
});

describe('the precedence of presentation', () => {
  // contract 31.2, contract 31.3
  test('strongest first; what does not fit lets the next source speak', () => {
    const page = { mode: 'dark' };
    const url = { mode: 'light', accent: 'red', locale: 'es-AR', sizing: 'auto' };
    const session = { accent: '#ABC', locale: 'hr' };
    const setting = { radius: 'sharp', density: 4, region: 'br' };
    expect(resolvePresentation([page, url, session, setting])).toEqual({
      mode: 'dark',
      accent: '#aabbcc',
      radius: 'sharp',
      density: 'comfortable',
      locale: 'es',
      region: 'br',
      sizing: 'auto',
    });
    const invalid = { accent: '#12345', mode: null, locale: 'fr', __proto__: { mode: 'dark' } };
    expect(resolvePresentation([invalid])).toEqual(DEFAULT_PRESENTATION);
  });
});

describe('the demo and the website', () => {
  test('the website is there without a key', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  // contract 37.3
  test('the demo trades for its own tenant and its own customers only', async () => {
    const market = await service.openMarket('demonstrated');
    const post = (path: string, body: unknown, headers = {}) =>
      service.request('POST', path, { key: null, body, headers });
    const wish = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 };
    const quote = await post('/api/demo/quotes', wish);
    expect([quote.status, quote.body.operatorMoney.authorizationAmount]).toEqual([200, '10.00']);
    const order = { quoteId: quote.body.quoteId, clientOrderId: 'demo-1' };
    expect((await post('/api/demo/orders', order)).status).toBe(201);
    expect(await post('/api/demo/orders', order)).toMatchObject({ status: 200, body: { idempotentReplay: true } });
    expect((await post('/api/demo/quotes', { ...wish, user: 'player-1' })).status).toBe(400);
    expect((await post('/api/demo/quotes', wish, { origin: 'https://evil.example' })).body.error).toBe(
      'origin_not_allowed',
    );
  });

  test('there is no demo in production', async () => {
    const production = await openWorld({
      environment: { NODE_ENV: 'production', INLAY_SECRET: randomBytes(32).toString('hex') },
    });
    for (const [method, path] of [
      ['GET', '/demo'],
      ['POST', '/api/demo/quotes'],
      ['POST', '/demo/session'],
      ['POST', '/demo/webhooks'],
      ['GET', '/demo/webhooks'],
    ] as const) {
      expect((await production.request(method, path, { key: null })).status).toBe(404);
    }
    await production.close();
  });
});
