/** The documents say what is so: tests named in coverage exist, paths in the map exist, the import table is the one that is enforced, each dependency has its line, each error too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/core/errors.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');
/** `file.test.ts` "name", "name" */
const CLAIM = /`([\w/.-]+\.test\.tsx?)`((?:,? "[^"]+")*)/g;

test('every test named in docs/coverage.md is one', () => {
  const wrong: string[] = [];
  let claims = 0;
  for (const [, file = '', names = ''] of read('docs/coverage.md').matchAll(CLAIM)) {
    const path = `test/${file.replace(/^test\//, '')}`;
    const text = existsSync(at(path)) ? read(path).replaceAll("\\'", "'") : null;
    for (const [, name = ''] of names.matchAll(/"([^"]+)"/g)) {
      claims += 1;
      if (text === null || !text.includes(name)) {
        wrong.push(`${file}: ${name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(claims).toBeGreaterThan(300);
});

test('every file named in the other documents is there', () => {
  const wrong: string[] = [];
  for (const name of readdirSync(at('docs')).filter((file) => file !== 'coverage.md')) {
    for (const [, path = ''] of read(`docs/${name}`).matchAll(
      /`((?:src|sql|test|bench|bin|docs|fixtures)\/[\w./-]*)`/g,
    )) {
      if (!existsSync(at(path))) {
        wrong.push(`docs/${name}: ${path}`);
      }
    }
    for (const [, file = ''] of read(`docs/${name}`).matchAll(/`([a-z]+\/[\w-]+\.test\.ts)`/g)) {
      if (!existsSync(at(`test/${file}`)) && !existsSync(at(file))) {
        wrong.push(`docs/${name}: ${file}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('docs/errors.md lists every code with its status, exit code and message, and no other', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \| (yes)? ?\| (.*) \|$/gm)];
  expect(
    rows.map(([, code, status, exitCode, passes, message]) => [code, status, exitCode, passes === 'yes', message]),
  ).toEqual(
    Object.entries(ERRORS).map(([code, { status, exitCode, retryable, message }]) => [
      code,
      String(status),
      String(exitCode),
      retryable,
      message,
    ]),
  );
});

test('every room of src is in docs/architecture.md', () => {
  const rooms = readdirSync(at('src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const text = read('docs/architecture.md');
  expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('every runtime dependency has its line in docs/decisions.md', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const table = read('docs/decisions.md').split('## Runtime dependencies')[1] ?? '';
  const listed = [...table.matchAll(/`([@\w./-]+)`/g)].map(([, name = '']) => name);
  const names = Object.keys(dependencies);
  const fits = (name: string, one: string) => name === one || name === `@oclif/${one}`;
  expect(names.filter((name) => !listed.some((one) => fits(name, one)))).toEqual([]);
  const rows = [...table.matchAll(/^\| `([@\w./-]+)`/gm)].map(([, name = '']) => name);
  expect(rows.filter((one) => !names.some((name) => fits(name, one)))).toEqual([]);
});
