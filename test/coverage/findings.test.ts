/** docs/coverage.md names the tests of every finding of the audit, or why a finding is left to a later change. */
import { expect, test } from 'vitest';
import { renderFindings, writtenFindings } from './findings.ts';

test('the tables of findings are current (node test/coverage/findings.ts)', () => {
  expect(writtenFindings()).toBe(renderFindings());
});

test('every finding is shown by a test or says why not', () => {
  expect(
    renderFindings()
      .split('\n')
      .filter((row) => row.endsWith('| not shown |')),
  ).toEqual([]);
});
