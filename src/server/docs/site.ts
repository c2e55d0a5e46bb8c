/** The pages of the documentation, each made once: Markdown files of the repository and the OpenAPI document become bytes that are ready. */
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { projectRoot } from '../../core/environment.ts';
import { html, type Markup } from '../../core/markup.ts';
import type { SearchEntry } from '../../wire/docs-search.ts';
import type { EntryAssets } from '../frame/assets.ts';
import { JSON_TYPE } from '../ready/ready-json.ts';
import { prepareText, type ReadyText } from '../ready/ready-text.ts';
import { errorEntries, errorTables } from './error-tables.ts';
import { type LinkTo, type RenderedDocument, renderMarkdown } from './page/render-markdown.ts';
import { type PageParts, renderPage } from './page/render-page.ts';
import { type DescribedApi, operationsOf } from './reference/described-api.ts';
import { REFERENCE_PAGES, type ReferencePage } from './reference/reference-pages.ts';
import { renderOperation, renderWebhook } from './reference/render-operation.ts';
import { indexEntries } from './search-index.ts';
import { DOCUMENTS, type DocumentPage, FIRST_PAGE, SECTIONS } from './site-map.ts';

const SEARCH_ADDRESS = '/docs/search.json';
const ERRORS_ADDRESS = '/docs/guides/errors';
const ERRORS_FILE = 'guides/errors.md';

const HTML = 'text/html; charset=utf-8';
const EXTRACT = 140;

interface BuiltPage {
  readonly parts: PageParts;
  readonly entries: readonly SearchEntry[];
}

/** Each page is made when it is first asked for, so that no reader waits for the others. */
export interface Site {
  /** Undefined if the site has no such address. */
  pageAt(address: string): Promise<ReadyText> | undefined;
  /** Makes what nothing has asked for yet. @returns how many addresses the site has */
  makeAll(): Promise<number>;
}

/** @param describe gives the document of the API; called once, when a page of the reference or the search is first made */
export function createSite(describe: () => DescribedApi, assets: EntryAssets | undefined): Site {
  let described: DescribedApi | undefined;
  const api = () => {
    described ??= describe();
    return described;
  };
  const built = new Map<string, () => Promise<BuiltPage>>([
    [FIRST_PAGE, once(async () => overview())],
    ...DOCUMENTS.map((page) => [page.address, once(() => writtenPage(page))] as const),
    ...REFERENCE_PAGES.map((page) => [page.address, once(async () => referencePage(api(), page))] as const),
  ]);
  const ready = new Map<string, () => Promise<ReadyText>>(
    [...built].map(([address, build]) => [
      address,
      once(async () => prepareText(renderPage((await build()).parts, assets), HTML)),
    ]),
  );
  ready.set(
    SEARCH_ADDRESS,
    once(async () => {
      const entries = errorEntries(ERRORS_ADDRESS, 'Error codes');
      // One after the other: other requests are answered in between.
      for (const build of built.values()) {
        entries.push(...(await build()).entries);
      }
      return prepareText(indexEntries(entries), JSON_TYPE);
    }),
  );
  return {
    pageAt: (address) => ready.get(address)?.(),
    async makeAll() {
      for (const make of ready.values()) {
        await make();
      }
      return ready.size;
    },
  };
}

/** Makes it at the first call, and again after a call that failed. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function writtenPage({ file, address, label, summary }: DocumentPage): Promise<BuiltPage> {
  const source = await readFile(join(projectRoot, 'docs', file), 'utf8');
  const document = renderMarkdown(source, linksOf(file), { codes: errorTables() });
  const title = label;
  return {
    parts: { address, title, summary, body: document.body, headings: document.headings, isWide: false },
    entries: entriesOf(address, title, document),
  };
}

/** A link to another file of the repository leads to its page, or nowhere if the site has none; the site links to no other host. */
function linksOf(file: string): LinkTo {
  return (href) => {
    if (/^https?:/.test(href)) {
      return null;
    }
    if (/^[a-z]+:/.test(href) || href.startsWith('#') || href.startsWith('/')) {
      return href;
    }
    const [path = '', anchor] = href.split('#');
    const target = posix.normalize(posix.join(posix.dirname(file), path));
    // The guide to errors has the table of `errors.md`.
    const wanted = target === 'errors.md' ? ERRORS_FILE : target;
    const address = DOCUMENTS.find((page) => page.file === wanted && page.file !== file)?.address;
    return address === undefined ? null : `${address}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

function entriesOf(address: string, page: string, { passages }: RenderedDocument): SearchEntry[] {
  return passages.map(({ id, text, body }) => ({
    id: id === '' ? address : `${address}#${id}`,
    page,
    title: id === '' ? page : text,
    text: body,
    extract: body.slice(0, EXTRACT),
  }));
}

function referencePage(api: DescribedApi, { tag, address, label, summary }: ReferencePage): BuiltPage {
  const operations = operationsOf(api).filter(({ tags }) => tags?.includes(tag) === true);
  const events = tag === 'Webhooks' ? Object.keys(api.webhooks) : [];
  return {
    parts: {
      address,
      title: label,
      summary,
      body: html`${jumps([
        ...operations.map(({ operationId, summary: text }) => ({ id: operationId, text })),
        ...events.map((type) => ({ id: type.replaceAll('.', '-'), text: type })),
      ])}${operations.map((operation) => renderOperation(api, operation))}${events.map((type) => renderWebhook(api, type))}`,
      headings: [],
      isWide: true,
    },
    entries: [
      ...operations.map(({ operationId, summary: title, method, path, description = '' }) => ({
        id: `${address}#${operationId}`,
        page: `${method} ${path}`,
        title,
        text: `${operationId} ${path} ${description}`,
        extract: `${method} ${path}`,
      })),
      ...events.map((type) => ({
        id: `${address}#${type.replaceAll('.', '-')}`,
        page: label,
        title: type,
        text: api.webhooks[type]?.post.summary ?? '',
        extract: (api.webhooks[type]?.post.summary ?? '').slice(0, EXTRACT),
      })),
    ],
  };
}

function jumps(targets: readonly { readonly id: string; readonly text: string }[]): Markup | null {
  return targets.length < 2
    ? null
    : html`<ul class="jumps">${targets.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`;
}

function overview(): BuiltPage {
  const summary =
    'Prediction markets inside your own site, on your own ledger: how to build with them, and every call.';
  const cards = ({
    title,
    pages,
  }: (typeof SECTIONS)[number]) => html`<h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${title}</h2>
<ul class="index">${pages.map(
    ({ address, label, summary: text }) => html`<li><a href="${address}"><b>${label}</b><span>${text}</span></a></li>`,
  )}</ul>`;
  return {
    parts: {
      address: FIRST_PAGE,
      title: 'Build with Inlay',
      summary,
      body: html`${SECTIONS.map(cards)}
<p class="note">The API is described by an OpenAPI 3.1 document at <a href="/openapi.json"><code>/openapi.json</code></a>. All of these pages are served by this service and need no internet.</p>`,
      headings: [],
      isWide: false,
    },
    entries: [{ id: FIRST_PAGE, page: 'Overview', title: 'Overview', text: summary, extract: summary }],
  };
}
