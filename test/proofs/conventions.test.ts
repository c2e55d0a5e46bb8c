/** Conventions that no linter knows: one word for a test. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('structure 15: tests are called `test`, not `it`', () => {
  const named = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    /import \{[^}]*\bit\b[^}]*\} from 'vitest'/.test(readFileSync(`${root}/${file}`, 'utf8')),
  );
  expect(named).toEqual([]);
});
