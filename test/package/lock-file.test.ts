/** `npm ci` refuses a lock file that lacks an optional package, also one for another platform that this registry does not offer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';

interface Locked {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

test('locks every optional dependency of every package', () => {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !resolves(packages, path, name)),
  );
  expect(missing).toEqual([]);
});

function resolves(packages: Record<string, Locked>, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) {
      return true;
    }
    if (folder === '') {
      return false;
    }
  }
}
