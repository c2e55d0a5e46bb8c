/** The lock file names every package with the hash of its content, so that npm installs nothing that was changed since. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runProgram } from '../support/process.ts';

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional(), link: z.boolean().optional() })),
});

test('every package of the lock file has its integrity', () => {
  const { packages } = lockFile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  expect(installed.length).toBeGreaterThan(300);
  const unchecked = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

test('tools that CI installs beside the service are pinned in the same way', () => {
  const ci = readFileSync('.ci/run', 'utf8');
  const installs = [...ci.matchAll(/npm (?:ci|install|i)\b[^|&>\n]*/g)].map(([line]) => line);
  expect(installs.length).toBeGreaterThan(2);
  for (const line of installs) {
    expect(line).toMatch(/^npm ci .*--ignore-scripts/);
    const folder = /--prefix (\S+)/.exec(line)?.[1] ?? '.';
    const { packages } = lockFile.parse(readJson(join(folder, 'package-lock.json')));
    const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))).toEqual([]);
  }
});

test('no install script runs, whatever npm this is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-scripts-'));
  const marker = join(folder, 'it-ran');
  try {
    copyFileSync('.npmrc', join(folder, '.npmrc'));
    mkdirSync(join(folder, 'eager'));
    writeFileSync(
      join(folder, 'eager', 'package.json'),
      JSON.stringify({ name: 'eager', version: '1.0.0', scripts: { install: `touch ${marker}` } }),
    );
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({
        name: 'x',
        private: true,
        scripts: { prepare: `touch ${marker}` },
        dependencies: { eager: 'file:eager' },
      }),
    );
    const options = { cwd: folder, env: { HOME: folder } };
    const ran = await runProgram(
      'npm',
      ['install', '--install-links', '--offline', '--no-audit', '--no-fund'],
      options,
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(existsSync(join(folder, 'node_modules', 'eager', 'package.json'))).toBe(true);
    expect(existsSync(marker)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
