/** What is written about the command line is what it is: each topic has a description, and completion knows every command and flag. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { expect, test } from 'vitest';
import { fishCompletion } from '../../src/cli/completion/fish-completion.ts';
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

test('completion of fish knows every command and flag', async () => {
  const config = await Config.load({ root: projectRoot });
  const lines = new Set(
    fishCompletion(config)
      .split('\n')
      .map((line) => line.replace(/ -d '.*$/, '')),
  );
  for (const { id, flags } of config.commands.filter(({ pluginName, hidden }) => pluginName === 'inlay' && !hidden)) {
    const parts = id.split(':');
    const word = parts.pop();
    expect(lines, id).toContain(`complete -c inlay -n '__inlay_at ${parts.join(' ')}' -a '${word}'`);
    for (const name of Object.keys(flags)) {
      const start = `complete -c inlay -n '__inlay_in ${id.replaceAll(':', ' ')}' -l ${name}`;
      expect(
        [...lines].some((line) => line === start || line.startsWith(`${start} `)),
        `${id} --${name}`,
      ).toBe(true);
    }
  }
});
