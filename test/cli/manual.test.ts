/** What is written about the command line is what it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';

test('every topic has a description', () => {
  const { oclif } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const { commands } = JSON.parse(readFileSync(join(projectRoot, 'oclif.manifest.json'), 'utf8'));
  const topics = new Set(
    Object.keys(commands)
      .filter((id) => id.includes(':'))
      .map((id) => id.split(':')[0] ?? ''),
  );
  expect([...topics].filter((topic) => oclif.topics[topic] === undefined)).toEqual([]);
});
