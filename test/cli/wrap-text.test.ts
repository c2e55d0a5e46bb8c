/** Facts beside a name fit a person's terminal. */
import { expect, test } from 'vitest';
import { breakLines, hangText } from '../../src/cli/terminal/wrap-text.ts';

const SCOPES =
  'markets:read, quotes:write, orders:write, orders:read, positions:read, settlements:read, ledger:read, funding:write';

test('a long value is broken between words, and its other lines begin where the first begins', () => {
  const indent = 14;
  const text = hangText(SCOPES, indent, 80);
  const [first = '', ...others] = text.split('\n');
  expect([' '.repeat(indent) + first, ...others].every((line) => line.length <= 80)).toBe(true);
  expect(others.length).toBeGreaterThan(0);
  expect(others.every((line) => /^ {14}\S/.test(line))).toBe(true);
  expect(text.split(/\s+/).join(' ')).toBe(SCOPES);
});

test('a word that is longer than the line is cut, and nothing of it is lost', () => {
  const path = `/data/${'folder/'.repeat(20)}node`;
  const text = hangText(path, 20, 80);
  expect(text.split('\n').every((line, index) => line.length <= (index === 0 ? 60 : 80))).toBe(true);
  expect(text.replace(/\s/g, '')).toBe(path);
});

test('off a terminal a value stays on one line', () => {
  expect(hangText(SCOPES, 14, undefined)).toBe(SCOPES);
});

test('a line that is too long goes on below its first letter, between words, and a long word stays whole', () => {
  const note = 'wEsy7X/'.repeat(20);
  const text = `  - ${SCOPES}\nshort\n${note}`;
  const lines = breakLines(text, 60).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '  - markets:read, quotes:write, orders:write, orders:read,',
    '    positions:read, settlements:read, ledger:read,',
    '    funding:write',
  ]);
  expect(lines.slice(3)).toEqual(['short', note]);
  expect(breakLines(text, undefined)).toBe(text);
});
