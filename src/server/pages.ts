/**
 * HTML pages that load browser code: their documents, the built files that they name, and their content security
 * policies. All data from outside is escaped here, once, and no text is treated as markup.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { projectRoot } from '../core/environment.ts';
import type { Api } from './http/api.ts';

interface DocumentParts {
  readonly title: string;
  readonly language: string;
  readonly nonce: string;
  readonly assets: EntryAssets;
  /** Attributes of the root element, such as the theme of the first paint. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The script reads it from the page. It is never executed. */
  readonly data: unknown;
  /** Shown until the script draws the frame, in the markup of its first view. */
  readonly firstView?: FirstView;
  /** Shown if scripts are disabled. */
  readonly noScript: string;
}

interface FirstView {
  readonly words: string;
  /** Style in the document itself. The style sheet comes after the view, so that the view does not wait for it. */
  readonly style: string;
}

/** A page whose script draws everything but the first view. */
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
  // The browser fetches these files at once. Otherwise each would wait for the file that names it.
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
  return `<div class="frame"><div class="banner-place" role="status"></div><main class="waiting connecting"><i class="spinner large" aria-hidden="true"></i><div role="status"><h1 class="empty-title">${escapeText(words)}</h1></div></main></div>`;
}

/** A page with a short message and no script. */
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

/** JSON for a script element. It contains no `<`, so nothing in it can close the element. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

type PageEntry = 'main.tsx' | 'demo/host.tsx' | 'site/site.tsx' | 'docs/docs.ts';

/** Addresses of the built files that a page needs. */
interface EntryAssets {
  readonly script: string;
  readonly styles: readonly string[];
  /** Scripts that the first one imports. The page loads them at the same time. */
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

/**
 * Serves the built files, in the form compressed at build time if the browser accepts it. Their names contain hashes, so
 * a browser may cache each file for good.
 */
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
 * Finds the built files of a page. The manifest is read at each call, because a rebuild under a running service changes the names.
 * @returns undefined if the page was not built
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

/** The chunks that it imports, then the chunk itself. */
function withImports(manifest: Readonly<Record<string, ManifestChunk>>, name: string): ManifestChunk[] {
  const chunk = manifest[name];
  return chunk === undefined ? [] : [...(chunk.imports ?? []).flatMap((other) => withImports(manifest, other)), chunk];
}

/**
 * The style of the frame's first view, for the document.
 * @returns an empty text if the frame was not built
 */
export function readFirstStyle(): string {
  try {
    const file = readManifest()['first-view.css']?.file;
    return file === undefined ? '' : readFileSync(join(FOLDER, file), 'utf8');
  } catch {
    return '';
  }
}

const CONNECTING: Readonly<Record<string, string>> = {
  en: 'Connecting to {operator}…',
  es: 'Conectando con {operator}…',
  pt: 'Conectando a {operator}…',
  hr: 'Povezivanje: {operator}…',
};

/**
 * The words that the frame shows before its scripts have arrived. The frame's own first view has the same words in the
 * same place, so that a slow phone shows something within a second and nothing moves afterwards.
 * @returns plain text
 */
export function firstWords(locale: string, operator: string): string {
  return (CONNECTING[locale] ?? CONNECTING['en'] ?? '').replace('{operator}', () => operator);
}

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/**
 * The policy of the frame: only registered origins may frame it (contract 31.4).
 * @param origins the operator's registered origins; without any, the page cannot be framed
 */
export function framePolicy(nonce: string, origins: readonly string[]): string {
  return joinDirectives([
    ...common(nonce),
    "connect-src 'self'",
    // The catalogue contains team marks as small data: pictures. The app uses no other data: addresses.
    "img-src 'self' data:",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ]);
}

/**
 * The policy of one of our own pages, which cannot be framed.
 * @param frames origins that the page may frame
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

/** No file is loaded from other parties, and no inline script or style runs without the nonce of the page. */
function common(nonce: string): string[] {
  return [
    "default-src 'none'",
    // A script that an allowed script imports inherits the nonce.
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    // No text can become markup by mistake, because the app sets no markup.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
}

function joinDirectives(directives: readonly string[]): string {
  return directives.join('; ');
}
