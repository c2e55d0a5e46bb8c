#!/usr/bin/env node
/**
 * `npm run coverage`: each rule of docs/contract.md with the tests that name it. A test names a rule as `contract 7.12`, in its title or
 * in a comment above it. Fails if a rule has no test, or if code, tests or documents name a rule that does not exist.
 * With `--quiet` it prints only what is wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const CONTRACT = join(root, 'docs', 'contract.md');
const NAMING = /\bcontract (\d+\.\d+)\b/g;
const TEST = /^[ \t]*(?:it|test|describe)\b[\w.]*\(/gm;
const TITLE = /(?:(?:it|test|describe)(?:\.(?:skipIf\([^)]*\)|\w+))?|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/s;

const rules = readRules(readFileSync(CONTRACT, 'utf8'));
const unknown = [];
for (const folder of ['src', 'sql', 'test', 'docs', 'tools', 'bin', 'bench', 'fixtures']) {
  for (const file of filesBelow(join(root, folder))) {
    readNames(file);
  }
}
report();

/** A rule begins with its number in bold and ends before the next number or heading. */
function readRules(text) {
  const found = new Map();
  for (const [, number, sentence] of text.matchAll(
    /^\*\*(\d+\.\d+)\*\* ([\s\S]*?)(?=\n\*\*\d+\.\d+\*\*|\n## |$(?![\s\S]))/gm,
  )) {
    if (found.has(number)) {
      throw new Error(`docs/contract.md has two rules ${number}`);
    }
    found.set(number, { sentence, tests: [] });
  }
  return found;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|js|sql|md|yaml|py)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file !== CONTRACT && !file.includes('node_modules'));
}

function readNames(file) {
  const text = readFileSync(file, 'utf8');
  const name = relative(root, file);
  const tests = /\.test\.tsx?$/.test(file) ? [...text.matchAll(TEST)].map(({ index }) => index) : [];
  for (const { index, 1: number } of text.matchAll(NAMING)) {
    const rule = rules.get(number);
    if (rule === undefined) {
      unknown.push(`${name}:${text.slice(0, index).split('\n').length}: contract ${number}`);
    }
    // The test in whose first line the number stands, or the first one after the comment.
    const begin = tests.find((start) => text.indexOf('\n', start) > index);
    if (begin !== undefined) {
      rule?.tests.push(`${name.slice('test/'.length)} "${TITLE.exec(text.slice(begin))?.[2]}"`);
    }
  }
}

function report() {
  const untested = [];
  for (const [number, { sentence, tests }] of rules) {
    if (!process.argv.includes('--quiet')) {
      process.stdout.write(`\n${number} ${sentence.split('\n')[0]}\n`);
      process.stdout.write([...new Set(tests)].map((test) => `    ${test}\n`).join(''));
    }
    if (tests.length === 0) {
      untested.push(number);
    }
  }
  const lines = [
    ...untested.map((number) => `no test names contract ${number}`),
    ...unknown.map((place) => `no such rule: ${place}`),
    `${rules.size} rules, ${untested.length} without a test`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  process.exitCode = untested.length + unknown.length > 0 ? 1 : 0;
}
