/** The frame of every page: header, list of pages, contents of this page, the pages before and after. */

import { html, type Markup, trusted } from '../../../core/markup.ts';
import type { EntryAssets } from '../../frame/assets.ts';
import { FIRST_PAGE, SECTIONS } from '../site-map.ts';
import { EARLY_SCRIPT } from './early-script.ts';
import type { Heading } from './render-markdown.ts';

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

const ALL = [{ address: FIRST_PAGE, label: 'Overview' }, ...SECTIONS.flatMap(({ pages }) => pages)];

/** @param assets undefined if the browser code was not built; the page is readable without it. */
export function renderPage(page: PageParts, assets: EntryAssets | undefined): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.summary}">
<meta name="color-scheme" content="light dark">
<title>${page.address === FIRST_PAGE ? 'Inlay documentation' : `${page.title} · Inlay documentation`}</title>
<link rel="icon" href="${trusted(ICON)}">
${(assets?.styles ?? []).map((href) => html`<link rel="stylesheet" href="${href}">\n`)}<script>${trusted(EARLY_SCRIPT)}</script>
${assets === undefined ? null : html`<script type="module" src="${assets.script}"></script>`}
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
</article>
${neighbours(page.address)}
</main>
${page.headings.length < 2 ? null : contents(page.headings)}
</div>
</body>
</html>`.text
  }\n`;
}

function header(): Markup {
  return html`<header class="top">
<a class="brand" href="/">Inlay</a>
<a class="room" href="${FIRST_PAGE}">Documentation</a>
<button type="button" class="find" data-search><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="mode" data-mode-switch>Light or dark</button>
</header>`;
}

function listOfPages(address: string): Markup {
  const item = (page: { address: string; label: string }) =>
    html`<li><a href="${page.address}"${page.address === address ? trusted(' aria-current="page"') : null}>${page.label}</a></li>`;
  return html`<ul>${item({ address: FIRST_PAGE, label: 'Overview' })}</ul>
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

function neighbours(address: string): Markup {
  const index = ALL.findIndex((page) => page.address === address);
  const [before, after] = [ALL[index - 1], ALL[index + 1]];
  return html`<nav class="neighbours" aria-label="Previous and next">
${before === undefined ? html`<span></span>` : html`<a rel="prev" href="${before.address}"><span>Previous</span> ${before.label}</a>`}
${after === undefined ? null : html`<a rel="next" href="${after.address}"><span>Next</span> ${after.label}</a>`}
</nav>`;
}
