#!/usr/bin/env node
/** `npm run licences`: writes docs/licences.md, the licence of every package that a deployment installs, from the lock file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The whole document; the same on every machine. */
export function licencesDocument() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const byLicence = new Map();
  for (const [path, { version, license, dev = false, devOptional = false, link = false }] of Object.entries(packages)) {
    if (path.startsWith('node_modules/') && !dev && !devOptional && !link) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = license ?? 'not stated';
      byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${name} ${version}`));
    }
  }
  const rows = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, names]) => `| ${licence} | ${names.size} | ${[...names].sort().join(', ')} |`);
  return [
    '# Licences of the packages that a deployment installs',
    '',
    'Written by `npm run licences` from `package-lock.json`; do not edit. Packages that only tests and builds use are not listed.',
    '',
    '| licence | packages | which |',
    '|---|---|---|',
    ...rows,
    '',
    'The font of the pages is Inter 4.1, OFL-1.1: `src/frame/fonts`.',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'docs', 'licences.md'), licencesDocument());
}
