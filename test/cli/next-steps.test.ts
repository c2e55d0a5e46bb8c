/** Each error of the API says what to do next, and the commands that it names exist. */
import { Config } from '@oclif/core';
import { expect, test } from 'vitest';
import { nextStep } from '../../src/cli/failure.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { ERRORS } from '../../src/core/errors.ts';

// contract 38.5
test('every code of the API has a next step', () => {
  expect(Object.keys(ERRORS).filter((code) => nextStep(code) === undefined)).toEqual([]);
});

test('the commands and flags that a next step names exist', async () => {
  const { commands } = await Config.load({ root: projectRoot });
  const named = Object.keys(ERRORS).flatMap((code) =>
    [...(nextStep(code) ?? '').matchAll(/"inlay ([^"]+)"/g)].map(([, line = '']) => line),
  );
  expect(named.length).toBeGreaterThan(20);
  const wrong = named.filter((line) => {
    const words = line.split(' ').filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('--'));
    const command = commands.find(({ id }) => id === words.join(':'));
    const flags = line.split(' ').flatMap((word) => (word.startsWith('--') ? [word.slice(2)] : []));
    return command === undefined || flags.some((flag) => !(flag in command.flags));
  });
  expect(wrong).toEqual([]);
});
