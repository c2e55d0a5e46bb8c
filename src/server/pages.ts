/**
 * Writes the documents that load browser code. All data from outside is escaped here, once; no text is treated as
 * markup.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { projectRoot } from '../core/environment.ts';
import type { Api } from './http/api.ts';

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

// The built browser code: file names contain hashes, so that a browser caches each file for ever. It builds nothing.

export type PageEntry = 'main.tsx' | 'demo/host.tsx' | 'site/site.tsx' | 'docs/docs.ts';

export interface EntryAssets {
  readonly script: string;
  readonly styles: readonly string[];
  /** Scripts that the first one imports, which the page should load beside it. */
  readonly imports: readonly string[];
  readonly fonts: readonly string[];
}

interface ManifestChunk {
  readonly file: string;
  readonly assets?: readonly string[];
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const PREFIX = '/embed/assets/';
const FOLDER = join(projectRoot, 'dist', 'frame');
const YEAR_MS = 365 * 24 * 3_600_000;

/** Serves the files, in the form compressed at build time if the browser accepts it. */
export function serveAssets(app: Api): void {
  app.register(fastifyStatic, {
    root: FOLDER,
    prefix: PREFIX,
    decorateReply: false,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_MS,
    etag: false,
    setHeaders: (response) => {
      response.header('cross-origin-resource-policy', 'same-origin');
    },
  });
}

/**
 * Read at each call, because a rebuild under a running service changes the names.
 * @returns undefined if nothing was built
 */
export function findAssets(entry: PageEntry): EntryAssets | undefined {
  try {
    const manifest = readManifest();
    const chunk = manifest[entry];
    if (chunk === undefined) {
      return undefined;
    }
    const chunks = withImports(manifest, entry);
    const addresses = (files: readonly string[]) => [...new Set(files)].map((file) => PREFIX + file);
    return {
      script: PREFIX + chunk.file,
      styles: addresses(chunks.flatMap(({ css = [] }) => css)),
      imports: addresses(chunks.map(({ file }) => file).filter((file) => file !== chunk.file)),
      fonts: addresses(chunks.flatMap(({ assets = [] }) => assets).filter((file) => file.endsWith('.woff2'))),
    };
  } catch {
    return undefined;
  }
}

function readManifest(): Readonly<Record<string, ManifestChunk>> {
  return JSON.parse(readFileSync(join(FOLDER, '.vite', 'manifest.json'), 'utf8'));
}

/** The style of the frame's first view, for the document. @returns empty if nothing was built */
export function readFirstStyle(): string {
  try {
    const file = readManifest()['first-view.css']?.file;
    return file === undefined ? '' : readFileSync(join(FOLDER, file), 'utf8');
  } catch {
    return '';
  }
}

/** What it imports, then itself. */
function withImports(manifest: Readonly<Record<string, ManifestChunk>>, name: string): ManifestChunk[] {
  const chunk = manifest[name];
  return chunk === undefined ? [] : [...(chunk.imports ?? []).flatMap((other) => withImports(manifest, other)), chunk];
}

const CONNECTING: Readonly<Record<string, string>> = {
  en: 'Connecting to {operator}…',
  es: 'Conectando con {operator}…',
  pt: 'Conectando a {operator}…',
  hr: 'Povezivanje: {operator}…',
};

/**
 * What the frame shows before its scripts have arrived: the same words in the same place as its own first view, so that a slow phone
 * shows something within a second and nothing moves afterwards.
 *
 * @returns plain text
 */
export function firstWords(locale: string, operator: string): string {
  return (CONNECTING[locale] ?? CONNECTING['en'] ?? '').replace('{operator}', () => operator);
}

// The content security policies of HTML pages. Nothing is loaded from other parties, no inline script or style runs
// without the page's nonce, and only registered origins may frame the embed (contract 31.4).

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** @param origins the operator's registered origins; without any the page cannot be framed */
export function framePolicy(nonce: string, origins: readonly string[]): string {
  return joinDirectives([
    ...common(nonce),
    "connect-src 'self'",
    // The catalogue contains team marks as small data: pictures; the app uses no other data: addresses.
    "img-src 'self' data:",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ]);
}

/**
 * One of our own pages.
 * @param frames origins that it may frame
 */
export function pagePolicy(nonce: string, frames: readonly string[] = []): string {
  return joinDirectives([
    ...common(nonce),
    "connect-src 'self'",
    "img-src 'self' data:",
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "frame-ancestors 'none'",
  ]);
}

function common(nonce: string): string[] {
  return [
    "default-src 'none'",
    // A script that ours imports inherits the nonce.
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    // No text can become markup by mistake: the app has no sink for it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
}

function joinDirectives(directives: readonly string[]): string {
  return directives.join('; ');
}
