/**
 * The built browser code: file names contain hashes, so that a browser caches each file for ever. It builds nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { projectRoot } from '../../core/environment.ts';
import type { Api } from '../http/api.ts';

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
