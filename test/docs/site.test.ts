/** The documentation at /docs: every link leads somewhere, every operation and every error code is described, and the pages are files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { ERRORS } from '../../src/core/errors.ts';
import { SEARCH_OPTIONS } from '../../src/wire/docs-search.ts';
import { REGIONS } from '../../src/wire/embed.ts';
import { readExamples } from '../reference/examples.ts';
import { readDescription } from '../support/openapi.ts';
import { openWorld, type World } from '../support/world.ts';
import { buildSite, crawlSite, type FoundPage } from './site-pages.ts';

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

let service: World;
let pages: ReadonlyMap<string, FoundPage>;
let operations: readonly (Described & { readonly path: string })[];
let events: readonly string[];

beforeAll(async () => {
  await buildSite();
  service = await openWorld();
  pages = await crawlSite(service);
  const { paths, webhooks } = await readDescription(service);
  operations = Object.entries(paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  );
  events = Object.keys(webhooks);
}, 120_000);
afterAll(() => service.close());

const page = (address: string): FoundPage => {
  const found = pages.get(address);
  if (found === undefined) {
    throw new Error(`${address} is not linked to`);
  }
  return found;
};

test('the guide of the frame lists every region', () => {
  const { text } = page('/docs/guides/embed');
  const [row = ''] = /<tr[^>]*>(?:(?!<\/tr>).)*<code>region<\/code>.*?<\/tr>/s.exec(text) ?? [];
  expect([...row.matchAll(/<code>(\w+)<\/code>/g)].map(([, name]) => name).slice(1)).toEqual([...REGIONS]);
});

describe('links', () => {
  test('every link, style and script leads to something of this service, and every anchor exists', async () => {
    expect(pages.size).toBeGreaterThan(20);
    const wrong: string[] = [];
    const others = new Set<string>();
    for (const { address, status, addresses } of pages.values()) {
      if (status !== 200) {
        wrong.push(`${address} is ${status}`);
      }
      for (const found of addresses.filter((one) => !one.startsWith('data:'))) {
        const [path = '', anchor] = found.split('#');
        const target = pages.get(path === '' ? address : path);
        if (target === undefined) {
          others.add(path);
        } else if (anchor !== undefined && anchor !== 'content' && !target.ids.includes(anchor)) {
          wrong.push(`${address}: ${found} has no such anchor`);
        }
      }
    }
    for (const other of others) {
      const answer = await service.request('GET', other, { key: null });
      if (!other.startsWith('/') || answer.status !== 200) {
        wrong.push(`${other} is ${answer.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('each id occurs once in a page, and each page has one first heading and a description', () => {
    for (const { address, ids, text } of pages.values()) {
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      expect([address, repeated]).toEqual([address, []]);
      expect([address, text.match(/<h1/g)?.length]).toEqual([address, 1]);
      expect(text).toMatch(/<meta name="description" content="[^"]{15,}">/);
    }
  });

  test('previous and next lead through all pages', () => {
    const walked: string[] = [];
    for (let next: string | undefined = '/docs'; next !== undefined; ) {
      walked.push(next);
      next = /rel="next" href="([^"]+)"/.exec(page(next).text)?.[1];
    }
    expect(walked.toSorted()).toEqual([...pages.keys()].toSorted());
  });
});

describe('what the site has', () => {
  test('is for partners: nothing of how the service is built or run', () => {
    const inside =
      /graphile|npm run|\bsrc\/|\bsql\/|pg_|migration|--operator-id|inlay (?:doctor|serve|worker|operators create)\b/;
    const found = [...pages.values()].flatMap(({ address, text }) => {
      const [, words] = inside.exec(text.replaceAll(/<[^>]*>/g, '')) === null ? [] : [address, inside.exec(text)?.[0]];
      return words === undefined ? [] : [`${address}: ${words}`];
    });
    expect(found).toEqual([]);
    for (const address of ['/docs/ledger', '/docs/finance', '/docs/frame', '/docs/glossary']) {
      expect(pages.has(address)).toBe(false);
    }
  });

  test('no file of it names an exchange, a source file or a test', () => {
    const folder = join(projectRoot, 'dist', 'site');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:html|json)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(pages.size);
    const found = files.flatMap((name) => {
      const [words] =
        /kalshi|polymarket|gemini|\bsrc\/|[\w-]+\.test\.ts/i.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      return words === undefined ? [] : [`${name}: ${words}`];
    });
    expect(found).toEqual([]);
  });

  test('the guides name only commands that a partner has', () => {
    const all = [...pages.values()].filter(({ address }) => address.startsWith('/docs/cli/')).flatMap(({ ids }) => ids);
    const named = [...pages.values()]
      .filter(({ address }) => address.startsWith('/docs/guides/'))
      .flatMap(({ address, text }) =>
        [
          ...text
            .replaceAll(/<\/?code>/g, '\n')
            .replaceAll(/<[^>]*>/g, '')
            .matchAll(/^inlay ([a-z-]+)(?: ([a-z-]+))?/gm),
        ].map(([command, topic, name]) => ({ address, command, ids: [`inlay-${topic}-${name}`, `inlay-${topic}`] })),
      );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ ids }) => !ids.some((id) => all.includes(id)))).toEqual([]);
  });

  test('names no file in place of words', () => {
    const named = [...pages.values()].flatMap(({ address, text }) =>
      [...text.replaceAll(/<[^>]*>/g, '').matchAll(/[\w/-]+\.md\b/g)].map(([name]) => `${address}: ${name}`),
    );
    expect(named).toEqual([]);
  });

  test('the command line of a partner, a page for each subject, and the changes', () => {
    const commands = [...pages.keys()].filter((address) => address.startsWith('/docs/cli/'));
    expect(commands.length).toBeGreaterThan(4);
    expect(page('/docs/cli/trading').ids).toContain('inlay-buy');
    expect(page('/docs/cli/reconciliation').ids).toContain('inlay-reconciliation-compare');
    expect(page('/docs/changelog').text).toContain('0.1.0');
    expect(page('/docs').addresses).toContain('/openapi.json');
  });

  test.each([
    ['reconciliation revenue', '/docs/cli/reconciliation'],
    ['partial fill', '/docs/guides/sandbox-scenarios'],
    ['stake_exceeds_stale_limit file', '/docs/guides/sandbox-scenarios'],
    ['insufficient_collateral', '/docs/guides/errors'],
  ])('the search finds %s', async (words, address) => {
    const { text } = await service.request('GET', '/docs/search.json', { key: null });
    const { default: MiniSearch } = await import('minisearch');
    const found = MiniSearch.loadJSON(text, SEARCH_OPTIONS).search(words);
    expect(found.slice(0, 10).map(({ id }) => String(id).split('#')[0])).toContain(address);
  });
});

describe('the reference', () => {
  test('has every operation, with samples in three languages, an example and its answers', () => {
    expect(operations.length).toBeGreaterThan(45);
    for (const { operationId, path, tags } of operations) {
      const { text } = page(`/docs/reference/${tags[0]?.toLowerCase().replaceAll(' ', '-')}`);
      const section = text.split('<section class="operation"').find((one) => one.includes(`id="${operationId}"`)) ?? '';
      expect([operationId, section.includes(`<code>${path}</code>`)]).toEqual([operationId, true]);
      for (const language of ['curl', 'ts', 'python']) {
        expect([operationId, section.includes(`class="code sample ${language}"`)]).toEqual([operationId, true]);
      }
      const hasExample = /<figcaption>Response 20\d|class="examples">Responses 20\d/.test(section);
      // a picture has no text
      expect([operationId, hasExample]).toEqual([operationId, operationId !== 'getImage']);
    }
  });

  test('says of every operation which headers its answers have, on which of them, and how often it may be called', () => {
    for (const { operationId, tags, responses } of operations) {
      const { text } = page(`/docs/reference/${tags[0]?.toLowerCase().replaceAll(' ', '-')}`);
      const section = text.split('<section class="operation"').find((one) => one.includes(`id="${operationId}"`)) ?? '';
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        for (const name of Object.keys(headers)) {
          const statuses = new RegExp(`<code class="name">${name}</code> <span class="kind">([^<]*)</span>`).exec(
            section,
          )?.[1];
          expect([operationId, name, statuses?.split(', ')]).toEqual([
            operationId,
            name,
            expect.arrayContaining([status]),
          ]);
        }
      }
    }
    expect(page('/docs/reference/trading').text).toContain('120 requests per minute in the sandbox, 600 live');
    expect(page('/docs/reference/embed-frame').text).toContain('300 requests per minute and session');
  });

  test('has every webhook event, with the deliveries that were recorded', () => {
    expect(events.length).toBe(7);
    const { ids, text } = page('/docs/reference/webhooks');
    const shown = text.replaceAll(/<[^>]*>/g, '');
    for (const event of events) {
      expect(ids).toContain(event.replaceAll('.', '-'));
      for (const { summary, body } of readExamples().webhooks[event] ?? []) {
        expect(shown).toContain(summary);
        expect(shown).toContain(body.id);
      }
    }
  });

  test('says once what every call has', () => {
    const { text } = page('/docs/reference/common');
    expect(text.match(/x-service-operator/g)).toHaveLength(1);
    expect(text).toContain('Errors common to all calls with an API key');
    expect(text).toContain('Errors common to all calls with an embed token');
    for (const { address, text: other } of pages.values()) {
      if (address.startsWith('/docs/reference/') && address !== '/docs/reference/common') {
        expect([address, /x-service-operator|headers_too_large/.test(other)]).toEqual([address, false]);
      }
    }
    expect(page('/docs/reference/embed-frame').addresses).toContain('/openapi-frame.json');
  });

  test('describes every field that it shows', () => {
    const bare = [...pages.values()].flatMap(({ address, text }) =>
      [...text.matchAll(/<li><code class="name">([^<]+)<\/code>(.*?)(?=<li>|<\/ul>)/gs)]
        .filter(([, , rest = '']) => !rest.includes('<p') && !rest.includes('<details'))
        .map(([, name]) => `${address} ${name}`),
    );
    expect(bare).toEqual([]);
  });
});

describe('the guide to errors', () => {
  // contract 36.2
  test('has every code of the table, with its status, whether a retry can help, and its exit code', () => {
    const { text } = page('/docs/guides/errors');
    for (const [code, { status, retryable, exitCode }] of Object.entries(ERRORS)) {
      const table = text.split('<h3 id="status-').find((part) => part.startsWith(`${status}"`)) ?? '';
      const row = table.split('<tr ').find((part) => part.includes(`id="${code}"`)) ?? '';
      expect([code, row !== '', row.includes('>yes</td>')]).toEqual([code, true, retryable]);
      expect([code, row.includes(`data-column="exit code">${exitCode}</td>`)]).toEqual([code, true]);
    }
  });
});

describe('the bytes', () => {
  const get = (headers: Record<string, string>) => fetch(`${service.url}/docs/guides/first-trade`, { headers });

  test('are compressed in advance, and 304 for those who have them', async () => {
    const raw = async (encoding: string, more: Record<string, string> = {}) => {
      const { request } = await import('node:http');
      const headers = { 'accept-encoding': encoding, ...more };
      return new Promise<{
        status: number | undefined;
        encoding: string | undefined;
        etag: string;
        bytes: Buffer;
      }>((resolve, reject) => {
        request(`${service.url}/docs/guides/first-trade`, { headers }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({
              status: answer.statusCode,
              encoding: answer.headers['content-encoding'],
              etag: String(answer.headers.etag),
              bytes: Buffer.concat(chunks),
            }),
          );
        })
          .on('error', reject)
          .end();
      });
    };
    const { text } = page('/docs/guides/first-trade');
    const brotli = await raw('br');
    const zipped = await raw('gzip');
    expect([brotli.encoding, zipped.encoding]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(text);
    expect(gunzipSync(zipped.bytes).toString()).toBe(text);
    expect(brotli.bytes.length).toBeLessThan(text.length / 4);
    const again = await raw('br', { 'if-none-match': brotli.etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('name nothing of other parties, and run nothing that the policy does not name', async () => {
    const answer = await get({});
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    for (const { address, text } of pages.values()) {
      expect([address, text.match(/ (?:src|href)="https?:/g)]).toEqual([address, null]);
      expect([address, text.match(/ on[a-z]+="|<style| style="/g)]).toEqual([address, null]);
    }
  });

  test('are there with and without a slash at the end', async () => {
    expect((await fetch(`${service.url}/docs/`)).status).toBe(200);
    expect((await fetch(`${service.url}/docs/guides/first-trade/`)).status).toBe(200);
  });

  test.each(['/docs/guides/nothing', '/nothing', '/docs/%2e%2e/frame/.vite/manifest.json'])(
    '%s is a page with a search for a browser, and JSON for a program',
    async (path) => {
      const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
      const shown = await fetch(`${service.url}${path}`, { headers: { accept } });
      expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await shown.text()).toContain('data-search');
      const unknown = await service.request('GET', path, { key: null });
      expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
    },
  );

  test('a path of the API is never a page', async () => {
    const answer = await fetch(`${service.url}/api/v1/nothing`, { headers: { accept: 'text/html' } });
    expect([answer.status, (await answer.json()).error]).toEqual([404, 'not_found']);
  });
});
