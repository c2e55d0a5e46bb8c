/** docs/coverage.md names tests that exist: each quoted name stands in the file it is quoted from. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const document = readFileSync(at('../../docs/coverage.md'), 'utf8');
/** `file.test.ts` "name", "name" */
const CLAIM = /`([\w/.-]+\.test\.tsx?)`((?:,? "[^"]+")*)/g;

test('every name is the name of a test', () => {
  const wrong: string[] = [];
  let claims = 0;
  for (const [, file = '', names = ''] of document.matchAll(CLAIM)) {
    const path = at(`../${file.replace(/^test\//, '')}`);
    const text = existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : null;
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
