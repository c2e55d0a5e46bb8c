/** No promise of a process of the service is left without a catch: one that rejects would end the process. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';

/** `void call(...)` throws away the promise together with its error. A type such as `=> void` has no call behind it. */
const THROWN_AWAY = /\bvoid\s+(?:this\.)?[#\w.]+\(/;

test('no promise is thrown away together with its error', () => {
  // code of browsers and not of the service
  const files = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('frame'),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((name) =>
    readFileSync(join(projectRoot, 'src', name), 'utf8')
      .split('\n')
      .flatMap((line, index) => (THROWN_AWAY.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
