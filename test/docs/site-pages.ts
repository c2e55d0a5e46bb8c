/** All pages of the documentation, found by following links from the first one as a reader would. */
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import { runProgram } from '../support/process.ts';
import type { World } from '../support/world.ts';

/** Takes no time where the build is current. */
export async function buildSite(): Promise<void> {
  const { code, stderr } = await runProgram(process.execPath, [join(projectRoot, 'bin', 'build.js'), '--if-stale']);
  if (code !== 0) {
    throw new Error(stderr);
  }
}

export interface FoundPage {
  readonly address: string;
  readonly status: number;
  readonly text: string;
  readonly ids: readonly string[];
  /** Of links, styles and scripts, as written. */
  readonly addresses: readonly string[];
}

/** Files to download, and pages as Markdown, are no pages. */
const FILES = /^\/docs\/downloads\/|\.md$/;

export async function crawlSite(service: World, start = '/docs'): Promise<ReadonlyMap<string, FoundPage>> {
  const pages = new Map<string, FoundPage>();
  const waiting = [start];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) {
      continue;
    }
    const { status, text } = await service.request('GET', address, { key: null });
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    const addresses = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, found = '']) => found);
    pages.set(address, { address, status, text, ids, addresses });
    for (const found of addresses) {
      const [path = ''] = found.split('#');
      if (path.startsWith('/docs') && !FILES.test(path) && !pages.has(path)) {
        waiting.push(path);
      }
    }
  }
  return pages;
}
