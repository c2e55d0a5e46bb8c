/** What a release is made of: its parts as CycloneDX, licences that allow their use, and no vulnerability that the registry knows. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
// @ts-expect-error: a script without types
import { licencesDocument } from '../../tools/scripts/licences.js';
import { runProgram } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

/** What npm 11 prints. */
const FOUND = `# npm audit report

lodash  <=4.17.20
Severity: critical
Prototype Pollution in lodash - https://github.com/advisories/GHSA-jf85-cpcp-j695

1 critical severity vulnerability`;
const NO_ENDPOINT = `npm warn audit 404 Not Found - POST https://registry.example/-/npm/v1/security/audits/quick - Not found
npm error audit endpoint returned an error`;

test.each([
  ['finds nothing', 'found 0 vulnerabilities', 0, 0, ''],
  ['finds one', FOUND, 1, 1, 'Prototype Pollution'],
  ['has no endpoint for it', NO_ENDPOINT, 1, 0, 'packages could not be checked for known vulnerabilities'],
  ['does not answer', '', 124, 0, 'packages could not be checked for known vulnerabilities'],
])('a build machine whose registry %s', (_, said, exitCode, wanted, told) => {
  const folder = temporaryFolder('audit');
  const npm = join(folder, 'npm');
  writeFileSync(join(folder, 'said'), said);
  writeFileSync(npm, `#!/bin/sh\necho "$@" > ${folder}/asked\ncat ${folder}/said\nexit ${exitCode}\n`);
  chmodSync(npm, 0o755);
  const ci = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8');
  const [check = ''] = /^vulnerabilities\(\) \{\n[\s\S]*?^\}/m.exec(ci) ?? [];
  const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', `${check}\nvulnerabilities`], {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([wanted, told === '' ? '' : expect.stringContaining(told)]);
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('audit --omit=dev --audit-level=high\n');
  expect(ci).toMatch(/^vulnerabilities &\naudited=\$!$/m);
  expect(ci).toContain('wait "$audited" || tests=$?');
});
