/**
 * Writes the documents that load browser code. All data from outside is escaped here, once; no text is treated as
 * markup.
 */
import type { EntryAssets } from './assets.ts';

export interface DocumentParts {
  readonly title: string;
  readonly language: string;
  readonly nonce: string;
  readonly assets: EntryAssets;
  /** Attributes of the root element, such as the theme of the first paint. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The script reads it from the page; it is never executed. */
  readonly data: unknown;
  /** Shown until the script draws the frame, in the markup of its first view. */
  readonly firstView?: FirstView;
  /** Shown if scripts are disabled. */
  readonly noScript: string;
}

interface FirstView {
  readonly words: string;
  /** Style that is in the document itself; the style sheet comes after the view and does not hold it up. */
  readonly style: string;
}

export function renderDocument({
  title,
  language,
  nonce,
  assets,
  attributes,
  data,
  firstView,
  noScript,
}: DocumentParts): string {
  const root = Object.entries({ lang: language, ...attributes })
    .map(([name, value]) => ` ${name}="${escapeText(value)}"`)
    .join('');
  const styles = assets.styles
    .map((href) => `<link rel="stylesheet" href="${escapeText(href)}" nonce="${nonce}">\n`)
    .join('');
  // Fetched at once and side by side; otherwise each would wait for the file that names it.
  const preloads = [
    ...assets.fonts.map(
      (href) => `<link rel="preload" href="${escapeText(href)}" as="font" type="font/woff2" crossorigin>\n`,
    ),
    ...assets.imports.map((href) => `<link rel="modulepreload" href="${escapeText(href)}" nonce="${nonce}">\n`),
  ];
  return `<!doctype html>
<html${root}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
${firstView === undefined ? styles : `<style nonce="${nonce}">${firstView.style}</style>\n`}${preloads.join('')}<script type="application/json" id="boot" nonce="${nonce}">${escapeJson(data)}</script>
<script type="module" src="${escapeText(assets.script)}" nonce="${nonce}"></script>
</head>
<body>
<div id="app">${firstView === undefined ? '' : renderFirstView(firstView)}</div>
${firstView === undefined ? '' : styles}<noscript>${escapeText(noScript)}</noscript>
</body>
</html>
`;
}

function renderFirstView({ words }: FirstView): string {
  return `<div class="frame"><div class="banner-place" role="status"></div><main class="waiting connecting"><i class="spinner large" aria-hidden="true"></i><div role="status"><p class="empty-title">${escapeText(words)}</p></div></main></div>`;
}

/** A page with a short message. */
export function renderNotice(nonce: string, title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box; }
main { max-width: 42ch; } h1 { font-size: 1.25rem; margin: 0 0 .5rem; } p { margin: 0; opacity: .8; }
</style>
</head>
<body><main><h1>${escapeText(title)}</h1><p>${escapeText(text)}</p></main></body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** JSON inside a script element: no `<`, so nothing closes it. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}
