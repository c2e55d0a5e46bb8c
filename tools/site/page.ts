/** The frame of every page: header, list of pages, contents of this page, the pages before and after. */
import { html, type Markup, trusted } from '../../src/core/markup.ts';
import { EARLY_SCRIPT } from '../../src/server/docs.ts';
import type { EntryAssets } from '../../src/server/pages.ts';
import { markdownAddress } from './as-markdown.ts';
import type { Heading } from './markdown.ts';
import { FIRST_PAGE, SECTIONS } from './site-map.ts';

export interface PageParts {
  readonly address: string;
  readonly title: string;
  readonly summary: string;
  readonly body: Markup;
  readonly headings: readonly Heading[];
  /** The reference has a column of code beside its text, and no list of contents there. */
  readonly isWide: boolean;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%234353ff'/%3E%3Cpath d='M9 22V10h3v12zM15 22v-7h3v7zM21 22v-4h3v4z' fill='%23fff'/%3E%3C/svg%3E";
const SUN =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4.5"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3M4.9 4.9l2.1 2.1M17 17l2.1 2.1M4.9 19.1 7 17M17 7l2.1-2.1"/></svg>';
const MOON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/></svg>';

const ALL = [FIRST_PAGE, ...SECTIONS.flatMap(({ pages }) => pages)];
const isListed = ({ address }: PageParts) => ALL.some((page) => page.address === address);

export function renderPage(page: PageParts, { styles, fonts, script }: EntryAssets): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.summary}">
<meta name="color-scheme" content="light dark">
<title>${page.address === FIRST_PAGE.address ? 'Inlay documentation' : `${page.title} · Inlay documentation`}</title>
<link rel="icon" href="${trusted(ICON)}">
${isListed(page) ? html`<link rel="alternate" type="text/markdown" href="${markdownAddress(page.address)}">\n` : null}${fonts.map((href) => html`<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>\n`)}${styles.map((href) => html`<link rel="stylesheet" href="${href}">\n`)}<script>${trusted(EARLY_SCRIPT)}</script>
<script type="module" src="${script}"></script>
</head>
<body class="${page.isWide ? 'docs wide' : 'docs'}">
<a class="skip" href="#content">Skip to the content</a>
${header()}
<div class="columns">
<nav class="pages" aria-label="Pages">${listOfPages(page.address)}</nav>
<main id="content">
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${listOfPages(page.address)}</nav></details>
<article>
<h1>${page.title}</h1>
<p class="lead">${page.summary}</p>
${page.body}
${isListed(page) ? html`<p class="note"><a href="${markdownAddress(page.address)}">This page as Markdown</a></p>` : null}
</article>
${neighbours(page.address)}
</main>
${page.headings.length < 2 ? null : contents(page.headings)}
</div>
</body>
</html>`.text
  }\n`;
}

/** For an address that leads nowhere. */
export const MISSING_PAGE: PageParts = {
  address: '/docs/404',
  title: 'Page not found',
  summary: 'The address may be mistyped, or the page may have moved.',
  body: html`<p class="calls"><button type="button" class="find large" data-search>Search the documentation</button></p>
<p><a href="/docs">All guides and the reference</a>, <a href="/docs/guides/first-trade">your first trade</a>, or the <a href="/">first page</a>.</p>`,
  headings: [],
  isWide: false,
};

function header(): Markup {
  return html`<header class="top">
<a class="brand" href="/">Inlay</a>
<a class="room" href="${FIRST_PAGE.address}">Documentation</a>
<button type="button" class="find" data-search><span>Search</span> <kbd>/</kbd></button>
<a class="openapi" href="/openapi.json" download="inlay-openapi.json">OpenAPI</a>
<button type="button" class="mode" data-mode-switch title="Change the theme"><span class="in-light">${trusted(SUN)} Light</span><span class="in-dark">${trusted(MOON)} Dark</span></button>
</header>`;
}

function listOfPages(address: string): Markup {
  const item = (page: { address: string; label: string }) =>
    html`<li><a href="${page.address}"${page.address === address ? trusted(' aria-current="page"') : null}>${page.label}</a></li>`;
  return html`<ul>${item(FIRST_PAGE)}</ul>
${SECTIONS.map(
  ({ title, pages }) => html`<h2>${title}</h2>
<ul>${pages.map(item)}</ul>
`,
)}`;
}

function contents(headings: readonly Heading[]): Markup {
  return html`<nav class="contents" aria-label="On this page"><h2>On this page</h2>
<ul>${headings.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
}

function neighbours(address: string): Markup | null {
  const index = ALL.findIndex((page) => page.address === address);
  if (index === -1) {
    return null;
  }
  const [before, after] = [ALL[index - 1], ALL[index + 1]];
  return html`<nav class="neighbours" aria-label="Previous and next">
${before === undefined ? html`<span></span>` : html`<a rel="prev" href="${before.address}"><span>Previous</span> ${before.label}</a>`}
${after === undefined ? null : html`<a rel="next" href="${after.address}"><span>Next</span> ${after.label}</a>`}
</nav>`;
}
