/** What a release is made of: its parts as CycloneDX, and licences that allow their use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
// @ts-expect-error: a script without types
import { licencesDocument } from '../../tools/scripts/licences.js';
import { runProgram } from '../support/process.ts';

const ALLOWED =
  /^\(?(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|MIT-0|PostgreSQL|Python-2\.0|Unlicense)( (OR|AND) [\w.-]+)*\)?$/;

interface Bom {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes?: readonly object[];
  }[];
}

test('the bill of materials names every runtime dependency with its version and hash, and no tool of the tests', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const script = join(projectRoot, 'tools', 'scripts', 'sbom.js');
  const { code, stdout, stderr } = await runProgram(process.execPath, [script]);
  expect(code, stderr).toBe(0);
  const { bomFormat, components } = JSON.parse(stdout) as Bom;
  expect(bomFormat).toBe('CycloneDX');
  const present = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const missing = Object.entries(dependencies).filter(([name, version]) => !present.has(`${name} ${version}`));
  expect(missing).toEqual([]);
  expect(components.filter(({ hashes }) => hashes === undefined).map(({ name }) => name)).toEqual([]);
  const tools = ['vitest', 'vite', '@biomejs/biome', 'knip', 'playwright-core', 'fast-check'];
  expect(components.filter(({ name }) => tools.includes(name))).toEqual([]);
});

test('the licence of every runtime package allows the use', () => {
  const licences = [...licencesDocument().matchAll(/^\| ([^|]+) \| \d+ \|/gm)].map(([, licence = '']) => licence);
  expect(licences.length).toBeGreaterThan(2);
  expect(licences.filter((licence) => !ALLOWED.test(licence))).toEqual([]);
});
