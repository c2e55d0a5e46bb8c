/** The documentation for programs: each page as Markdown, the index of all pages, and what they say of this deployment. */
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { decideBuyQuote } from '../../src/money/buy.ts';
import { formatDecimal } from '../../src/money/decimal.ts';
import { ORDER_TRANSITIONS } from '../../src/trading/orders/order.ts';
import { SEARCH_OPTIONS } from '../../src/wire/docs-search.ts';
import { markdownAddress } from '../../tools/site/as-markdown.ts';
import { readTransitions } from '../../tools/site/order-states.ts';
import { openWorld, type World } from '../support/world.ts';
import { buildSite, crawlSite, type FoundPage } from './site-pages.ts';

const SUPPORT = 'support@host.example & "on weekdays"';
const SOURCES = '192.0.2.10,198.51.100.0/24';

let service: World;
let pages: ReadonlyMap<string, FoundPage>;
/** By the address of the page. */
let markdown: ReadonlyMap<string, string>;

beforeAll(async () => {
  await buildSite();
  service = await openWorld({
    environment: { INLAY_SUPPORT: SUPPORT, INLAY_SOURCE_ADDRESSES: SOURCES, INLAY_WEBHOOK_ATTEMPT_DAYS: '45' },
  });
  pages = await crawlSite(service);
  markdown = new Map(
    await Promise.all(
      [...pages.keys()].map(async (address) => [address, await read(markdownAddress(address))] as const),
    ),
  );
}, 120_000);
afterAll(() => service.close());

async function read(path: string): Promise<string> {
  const { status, text } = await service.request('GET', path, { key: null });
  expect([path, status]).toEqual([path, 200]);
  return text;
}

const LINK = /\]\(([^)\s]+)\)/g;
const linksIn = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(LINK)].map(([, target = '']) => target);

// contract 37.5
describe('as Markdown', () => {
  test('each page begins with its title and has what the page has', () => {
    expect(markdown.size).toBeGreaterThan(30);
    for (const [address, text] of markdown) {
      const [, title = ''] = /<h1>([^<]+)<\/h1>/.exec(pages.get(address)?.text ?? '') ?? [];
      expect([address, address === '/docs' ? '# Inlay' : `# ${title}`]).toEqual([address, text.split('\n')[0]]);
      const headings = [...(pages.get(address)?.text ?? '').matchAll(/<h2 id="[^"]*"><a class="anchor"/g)];
      const kept = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^## /gm)];
      expect([address, kept.length]).toEqual([address, address === '/docs' ? kept.length : headings.length]);
    }
  });

  test('a page of the reference has its fields, its errors and its samples', () => {
    const text = markdown.get('/docs/reference/trading') ?? '';
    expect(text).toContain('POST `/api/v1/orders`');
    expect(text).toMatch(/^- `clientOrderId` \(string\) \S/m);
    expect(text).toMatch(/^ {2}- `actualDebit` \(string\) \S/m);
    expect(text).toMatch(
      new RegExp(`^- 409 \\[\`price_moved\`\\]\\(${service.url}/docs/guides/errors.md#price_moved\\) \\S`, 'm'),
    );
    expect(text).toContain(`curl "${service.url}/api/v1/quotes"`);
    expect(text.match(/<\/?(?:a|b|p|ul|li|div|code|span|section)\b|&#?\w+;/g)).toBeNull();
  });

  test('samples name this service, and no name of a setting is left', () => {
    const filled = [...markdown].flatMap(([address, text]) =>
      /\{INLAY_(?!API)|127\.0\.0\.1:8080/.test(text) ? [address] : [],
    );
    expect(filled).toEqual([]);
    expect(markdown.get('/docs/guides/first-trade')).toContain(`export INLAY_API_URL=${service.url}`);
  });

  test('every link leads to something of this service', async () => {
    const targets = new Set([...markdown.values()].flatMap(linksIn).map((target) => target.split('#')[0] ?? ''));
    expect(targets.size).toBeGreaterThan(40);
    for (const target of [...targets].filter((one) => one !== '')) {
      const { status } = await fetch(target);
      expect([target.startsWith(service.url), target, status]).toEqual([true, target, 200]);
    }
  });

  test('an address that does not exist is not found', async () => {
    for (const path of ['/docs/guides/nothing.md', '/docs/..%2f..%2fREADME.md']) {
      expect((await service.request('GET', path, { key: null })).status).toBe(404);
    }
  });

  test('the index lists every page once, and is plain text', async () => {
    const { headers, text } = await service.request('GET', '/llms.txt', { key: null });
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const listed = linksIn(text.replace(/## For agents[\s\S]*?(?=\n## )/, '')).map((link) =>
      link.replace(service.url, ''),
    );
    const wanted = [...pages.keys()].filter((address) => address !== '/docs').map(markdownAddress);
    expect(listed.toSorted()).toEqual(wanted.toSorted());
    expect(text).toMatch(/--json[\s\S]*6 the outcome of an order is unknown/);
  });
});

test('each address of this service in a sample can be fetched', async () => {
  const named = [...markdown.values()].flatMap((text) =>
    [...text.matchAll(new RegExp(`${service.url}(/docs/[^\\s"'\`)]*|/openapi\\.json)`, 'g'))].map(
      ([, path = '']) => path,
    ),
  );
  expect(named.filter((path) => path.startsWith('/docs/downloads/')).length).toBeGreaterThan(5);
  for (const path of new Set(named)) {
    await read(path.split('#')[0] ?? '');
  }
});

test('no page names a venue', async () => {
  const texts = [
    ...[...pages.values()].map(({ address, text }) => [address, text] as const),
    ...markdown,
    ['/docs/search.json', await read('/docs/search.json')] as const,
  ];
  const named = texts.filter(([, text]) => /kalshi|polymarket|gemini/i.test(text)).map(([address]) => address);
  expect(named).toEqual([]);
});

// contract 41.17
describe('settings of the deployment', () => {
  test('support, source addresses and retention are in the page and in its Markdown', () => {
    const page = pages.get('/docs/guides/production')?.text ?? '';
    expect(page).toContain('support@host.example &amp; &quot;on weekdays&quot;');
    const text = markdown.get('/docs/guides/production') ?? '';
    expect(text).toContain(`Support: ${SUPPORT}.`);
    for (const shown of [page, text]) {
      expect(shown).toContain('192.0.2.10, 198.51.100.0/24');
      expect(shown).toContain('at least 45 days');
      expect(shown).not.toMatch(/\{INLAY_/);
    }
  });

  test('if they are not set, the service operator is named', async () => {
    const without = await openWorld();
    const { text } = await without.request('GET', '/docs/guides/production.md', { key: null });
    await without.close();
    expect(text).toContain('Support: the service operator that issued your key. It has published no address here.');
    expect(text).toContain('addresses that the service operator names on request');
    expect(text).toContain('at least 90 days');
  });

  test('a wrong value names its variable', () => {
    expect(() => readEnvironment({ INLAY_SOURCE_ADDRESSES: '10.0.0.0/99' })).toThrow(
      'INLAY_SOURCE_ADDRESSES: 10.0.0.0/99',
    );
    expect(() => readEnvironment({ INLAY_SUPPORT: 'two\nlines' })).toThrow('INLAY_SUPPORT');
  });
});

test.each([
  ['versioning', '/docs/guides/conventions#versioning-and-deprecation'],
  ['sdk', '/docs/downloads'],
  ['pagination', '/docs/guides/conventions#pagination'],
  ['rounding', '/docs/guides/conventions#money-and-rounding'],
  ['idempotency', '/docs/guides/conventions#idempotency'],
  ['retention', '/docs/guides/production#retention'],
  ['request id', '/docs/guides/conventions#request-ids'],
])('the search finds %s first where it is explained', async (words, address) => {
  const found = MiniSearch.loadJSON(await read('/docs/search.json'), SEARCH_OPTIONS).search(words);
  expect(found[0]?.id).toBe(address);
});

describe('what a page shows is so', () => {
  // contract 12.2 to 12.15
  test('the picture of the states has every transition of an order that was recorded', () => {
    const diagram = /```mermaid\n([\s\S]*?)```/.exec(markdown.get('/docs/guides/going-live') ?? '')?.[1] ?? '';
    const drawn = readTransitions(diagram).map(({ from, to }) => `${from} ${to}`);
    const possible = Object.entries(ORDER_TRANSITIONS).flatMap(([from, states]) =>
      from === '' ? [] : states.map((to) => `${from} ${to}`),
    );
    expect(drawn.toSorted()).toEqual(possible.toSorted());
    expect(pages.get('/docs/guides/going-live')?.text.match(/<path class="line"/g)).toHaveLength(possible.length);
  });

  // contract 2.5, 2.6, 2.9
  test('the example of rounding is what a quote returns', () => {
    const quote = decideBuyQuote({
      side: 'YES',
      stake: '20.01',
      feeBps: 250,
      bids: [],
      asks: [{ priceMicros: 570_000n, quantityMicros: 1_000_000_000n }],
    });
    const text = markdown.get('/docs/guides/conventions') ?? '';
    const shown = (step: string) => new RegExp(`^\\| ${step} \\| (\\S+) \\|`, 'm').exec(text)?.[1];
    if (!quote.ok) {
      throw new Error(quote.code);
    }
    expect([shown('`platformFee`'), shown('`tradeAmount`'), shown('contracts'), shown('`potentialPayout`')]).toEqual([
      formatDecimal(quote.platformFeeMinor, 2),
      formatDecimal(quote.tradeMinor, 2),
      formatDecimal(quote.contractsMicros, 6),
      formatDecimal(quote.payoutMinor, 2),
    ]);
  });
});
