/** Makes every page of the documentation: Markdown files, the OpenAPI document and the commands become files that a server sends as they are. */
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import { projectRoot } from '../../src/core/environment.ts';
import { html, type Markup } from '../../src/core/markup.ts';
import { IF_UNSET } from '../../src/server/docs.ts';
import type { EntryAssets } from '../../src/server/pages.ts';
import { SEARCH_OPTIONS, type SearchEntry } from '../../src/wire/docs-search.ts';
import { type Download, SUMS, sumsOf } from '../downloads/downloads.ts';
import { htmlAsMarkdown, INDEX, linkMarkdown, markdownAddress, markdownPage } from './as-markdown.ts';
import { type Command, cliPage } from './cli.ts';
import { type DescribedApi, operationsOf } from './described-api.ts';
import { downloadsPage } from './downloads-page.ts';
import { errorEntries, errorTables } from './error-tables.ts';
import { indexForPrograms } from './llms.ts';
import { insertParts, type LinkTo, type RenderedDocument, renderMarkdown } from './markdown.ts';
import { renderCommon, renderOperation, renderWebhook } from './operation.ts';
import { MISSING_PAGE, type PageParts, renderPage } from './page.ts';
import { scenarioTable } from './scenario-table.ts';
import {
  CHANGES,
  CLI_GROUPS,
  COMMON_PAGE,
  DOCUMENTS,
  DOWNLOADS,
  type DocumentPage,
  FIRST_PAGE,
  REFERENCE_PAGES,
  type ReferencePage,
  SECTIONS,
  type SitePage,
} from './site-map.ts';

const ERRORS_ADDRESS = '/docs/guides/errors';
/** The rest of the document is for the people who work on the service. */
const END = '<!-- the site ends here -->';
const EXTRACT = 140;
const FRAME_TAG = 'Embed frame';

export interface SiteSources {
  readonly api: DescribedApi;
  /** The calls of the frame. */
  readonly frame: DescribedApi;
  readonly commands: readonly Command[];
  readonly assets: EntryAssets;
  readonly downloads: readonly Download[];
}

interface BuiltPage {
  readonly parts: PageParts;
  /** Of the first page, the index of all pages. */
  readonly markdown: string;
  readonly entries: readonly SearchEntry[];
}

/** @returns each file, by its name below the folder of the site; a download is bytes */
export async function makeSite({
  api,
  frame,
  commands,
  assets,
  downloads,
}: SiteSources): Promise<ReadonlyMap<string, string | Buffer>> {
  const pages = [
    overview(),
    ...(await Promise.all(DOCUMENTS.map(documentPage))),
    commonPage([api, frame]),
    ...REFERENCE_PAGES.map((page) => referencePage(page.tag === FRAME_TAG ? frame : api, page)),
    writtenPage(DOWNLOADS, downloadsPage(downloads, DOWNLOADS.address), linkWithin),
    ...CLI_GROUPS.map((group) => writtenPage(group, cliPage(group, commands), linkWithin)),
  ];
  const entries = [...errorEntries(ERRORS_ADDRESS, 'Error codes'), ...pages.flatMap((page) => page.entries)];
  return new Map<string, string | Buffer>([
    ...pages.map(({ parts }) => [fileOf(parts.address), renderPage(parts, assets)] as const),
    ...pages.map(({ parts, markdown }) => [markdownFile(parts.address), markdown] as const),
    ['404.html', renderPage(MISSING_PAGE, assets)],
    ['search.json', searchIndex(entries)],
    ...downloads.map(({ name, content }) => [`downloads/${name}`, content] as const),
    [`downloads/${SUMS}`, sumsOf(downloads)],
  ]);
}

const fileOf = (address: string) =>
  address === FIRST_PAGE.address ? 'index.html' : `${address.slice(FIRST_PAGE.address.length + 1)}.html`;

const markdownFile = (address: string) =>
  address === FIRST_PAGE.address ? INDEX.slice(1) : markdownAddress(address).slice(FIRST_PAGE.address.length + 1);

async function documentPage(page: DocumentPage): Promise<BuiltPage> {
  const source = await readFile(join(projectRoot, 'docs', page.file), 'utf8');
  const [shown = ''] = source.replace(/^# .*\n/, '').split(END);
  return writtenPage(page, page.chapters === undefined ? shown : chaptersOf(shown, page.chapters), linksOf(page.file));
}

function chaptersOf(source: string, chapters: ReadonlySet<number>): string {
  return source
    .split(/^(?=## )/m)
    .filter((part) => chapters.has(Number(/^## (\d+)\./.exec(part)?.[1])))
    .join('');
}

function writtenPage(page: SitePage, written: string, linkTo: LinkTo): BuiltPage {
  const { address, label, summary } = page;
  const source = insertParts(written, { codes: errorTables(), scripts: scenarioTable() });
  const document = renderMarkdown(source, linkTo);
  return {
    parts: { address, title: label, summary, body: document.body, headings: document.headings, isWide: false },
    markdown: markdownPage(page, linkMarkdown(source, linkTo)),
    entries: entriesOf(address, label, document),
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
    const target = posix.join('docs', posix.dirname(file), path);
    const page = DOCUMENTS.find((one) => posix.join('docs', one.file) === target && one.file !== file);
    return page === undefined ? null : `${page.address}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

/** Of a page that has no file: an address of the site, and none of another host. */
const linkWithin: LinkTo = (href) => (/^[/#]/.test(href) ? href : null);

function entriesOf(address: string, page: string, { passages }: RenderedDocument): SearchEntry[] {
  return passages.map(({ id, text, body }) => ({
    id: id === '' ? address : `${address}#${id}`,
    page,
    title: id === '' ? page : text,
    text: body,
    extract: withoutSettings(body).slice(0, EXTRACT),
  }));
}

function commonPage(apis: readonly DescribedApi[]): BuiltPage {
  const { address, label: title, summary } = COMMON_PAGE;
  const body = renderCommon(apis);
  return {
    parts: { address, title, summary, body, headings: [], isWide: true },
    markdown: markdownPage(COMMON_PAGE, htmlAsMarkdown(body.text)),
    entries: [{ id: address, page: title, title, text: summary, extract: summary }],
  };
}

/** The index is the same for every service. */
function withoutSettings(text: string): string {
  return Object.entries(IF_UNSET).reduce((shown, [name, words]) => shown.replaceAll(`{${name}}`, words), text);
}

function referencePage(api: DescribedApi, page: ReferencePage): BuiltPage {
  const { tag, address, label, summary } = page;
  const operations = operationsOf(api).filter(({ tags }) => tags?.includes(tag) === true);
  const events = tag === 'Webhooks' ? Object.keys(api.webhooks) : [];
  const body = html`${operations.length === 0 ? null : aboutOperations(tag)}${operations.map((operation) => renderOperation(api, operation))}${events.map((type) => renderWebhook(api, type))}`;
  return {
    parts: {
      address,
      title: label,
      summary,
      body: html`${jumps([
        ...operations.map(({ operationId, summary: text }) => ({ id: operationId, text })),
        ...events.map((type) => ({ id: type.replaceAll('.', '-'), text: type })),
      ])}${body}`,
      headings: [],
      isWide: true,
    },
    markdown: markdownPage(page, htmlAsMarkdown(body.text)),
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

function aboutOperations(tag: string): Markup {
  return html`<p>Headers and errors that every call has are described once, in <a href="${COMMON_PAGE.address}">${COMMON_PAGE.label}</a>.${
    tag === FRAME_TAG
      ? html` These calls have an <a href="/openapi-frame.json" download="inlay-openapi-frame.json">OpenAPI document</a> of their own.`
      : null
  }</p>`;
}

function jumps(targets: readonly { readonly id: string; readonly text: string }[]): Markup | null {
  return targets.length < 2
    ? null
    : html`<ul class="jumps">${targets.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`;
}

function overview(): BuiltPage {
  const { address } = FIRST_PAGE;
  const summary = 'Prediction markets inside your own site, on your own ledger: guides, and a reference of every call.';
  const body = SECTIONS.filter(({ pages }) => pages[0] !== CHANGES).map(
    ({ title, pages }) => html`<h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${title}</h2>
<ul class="index">${pages.map((page) => html`<li><a href="${page.address}"><b>${page.label}</b><span>${page.summary}</span></a></li>`)}</ul>`,
  );
  return {
    parts: {
      address,
      title: 'Build with Inlay',
      summary,
      body: html`<p class="calls"><a class="call" href="/docs/guides/first-trade">Your first trade</a><a class="call quiet" href="/openapi.json" download="inlay-openapi.json">Download OpenAPI 3.1</a><a class="call quiet" href="${INDEX}">Index for programs and agents</a><a class="call quiet" href="${CHANGES.address}">Changes</a></p>
${body}`,
      headings: [],
      isWide: false,
    },
    markdown: indexForPrograms(summary),
    entries: [{ id: address, page: 'Overview', title: 'Overview', text: summary, extract: summary }],
  };
}

/** Built here and searched in the browser, so that nothing typed leaves it. */
function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const seen = new Set<string>();
  index.addAll(entries.filter(({ id }) => !seen.has(id) && seen.add(id)));
  return JSON.stringify(index);
}
