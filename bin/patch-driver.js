#!/usr/bin/env node
/**
 * Applies the patch of the PostgreSQL driver to node_modules. npm runs no scripts of packages here, so the build does it, and the
 * set-up of the tests. A file is replaced whole and only once, so it may be done again, and by two processes at once.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(import.meta.url);
const PATCH = 'patches/postgres+3.4.9.patch';
const MARK = '// inlay:';

/** @param root a folder with `node_modules`; by default that of this project */
export function patchDriver(root = dirname(dirname(script))) {
  const patch = readFileSync(new URL(`../${PATCH}`, import.meta.url), 'utf8');
  for (const [, name, hunks] of patch.matchAll(/^\+\+\+ b\/(\S+)\n((?:[@ +-].*\n)*)/gm)) {
    const path = join(root, name);
    const source = readFileSync(path, 'utf8');
    if (source.includes(MARK)) {
      continue;
    }
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(
      unfinished,
      hunks
        .split(/^@@.*\n/m)
        .slice(1)
        .reduce(change, source),
    );
    renameSync(unfinished, path);
  }
}

if (process.argv[1] === script) {
  patchDriver();
}

function change(source, hunk) {
  const lines = hunk.split(/(?<=\n)/);
  const side = (sign) =>
    lines
      .filter((line) => line[0] === ' ' || line[0] === sign)
      .map((line) => line.slice(1))
      .join('');
  const parts = source.split(side('-'));
  if (parts.length !== 2) {
    throw new Error(`${PATCH} does not fit the installed postgres. Run "npm ci".`);
  }
  return parts.join(side('+'));
}
