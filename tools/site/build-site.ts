/** Writes the documentation to dist/site, each page also compressed, and what can be downloaded. Run by `bin/build.js`, after the commands and the browser code. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { projectRoot } from '../../src/core/environment.ts';
import { findAssets } from '../../src/server/pages.ts';
import { readDocuments } from '../client-types/read-document.ts';
import { makeDownloads } from '../downloads/downloads.ts';
import type { Command } from './cli.ts';
import type { DescribedApi } from './described-api.ts';
import { makeSite } from './site.ts';

const folder = join(projectRoot, 'dist', 'site');
const assets = findAssets('docs/docs.ts');
if (assets === undefined) {
  throw new Error('The browser code has to be built before the documentation.');
}
const { commands } = JSON.parse(readFileSync(join(projectRoot, 'oclif.manifest.json'), 'utf8')) as {
  commands: Readonly<Record<string, Command>>;
};
const { partners, frame } = await readDocuments();
const files = await makeSite({
  api: partners as DescribedApi,
  frame: frame as DescribedApi,
  commands: Object.values(commands),
  assets,
  downloads: await makeDownloads(),
});
const unfinished = `${folder}.${process.pid}`;
for (const [name, text] of files) {
  const path = join(unfinished, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (typeof text !== 'string') {
    continue;
  }
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  writeFileSync(`${path}.gz`, gzipSync(text));
}
rmSync(folder, { recursive: true, force: true });
try {
  renameSync(unfinished, folder);
} catch (error) {
  // another build was there first; two test files that find the documents changed build them at once
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) {
    throw error;
  }
  rmSync(unfinished, { recursive: true });
}
