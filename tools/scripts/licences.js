#!/usr/bin/env node
/** `npm run -s licences`: prints the licence of every package that a deployment installs, from the lock file, as Markdown. */
import { readFileSync } from 'node:fs';
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
    '| licence | packages | which |',
    '|---|---|---|',
    ...rows,
    '',
    'The font of the pages is Inter 4.1, OFL-1.1: `src/frame/fonts`.',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(licencesDocument());
}
