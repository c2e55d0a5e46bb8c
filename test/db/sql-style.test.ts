/** How the functions in sql/functions are written: short lines, aliases that are words, one convention for names, comments. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { functionFiles, SQL_DIR } from '../../src/db/schema/apply-functions.ts';

const MOST_COLUMNS = 100;
const files = functionFiles().map((path) => ({
  name: relative(join(SQL_DIR, 'functions'), path),
  text: readFileSync(path, 'utf8'),
}));

/** Comments, and the strings that are no SQL, taken out; lines stay where they are. */
const code = (text: string) => text.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");

const found = (pattern: RegExp, read: (text: string) => string = code) =>
  files.flatMap(({ name, text }) => [...read(text).matchAll(pattern)].map((match) => `${name}: ${match[0].trim()}`));

test(`no line has more than ${MOST_COLUMNS} columns`, () => {
  const long = files.flatMap(({ name, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, place: `${name}:${index + 1}` }))
      .filter(({ line }) => line.length > MOST_COLUMNS)
      .map(({ place }) => place),
  );
  expect(long).toEqual([]);
});

// contract 2.1
test('no column of the schema is a floating number, except a wait in seconds', () => {
  const schema = code(readFileSync(join(SQL_DIR, 'schema.sql'), 'utf8'));
  const floating = [...schema.matchAll(/^ *(\w+) (?:double precision|real|float\d?)\b/gm)].map(([, name]) => name);
  expect(floating).toEqual(['lookup_in_seconds']);
});

test('an alias is a word: no single letter after a table, a call or a subquery', () => {
  expect(found(/\b(?:from|join|update|into|lateral)\s+[\w.]+\s+(?:as\s+)?[a-z]\b(?!\s*\()/gi)).toEqual([]);
  // after a call or a subquery in `from`, whose columns may be named behind the alias
  expect(
    found(/\)\s+(?:as\s+)?[a-z]\b(?=\s*(?:\(|on\b|where\b|join\b|left\b|cross\b|full\b|order\b|group\b|;|\)))/gi),
  ).toEqual([]);
  expect(found(/\bwith ordinality\s+(?:as\s+)?[a-z]\b/gi)).toEqual([]);
});

test('a parameter begins with p_, a variable with v_', () => {
  const signatures = /create or replace function \w+\(([^)]*)\)/g;
  const parameters = files.flatMap(({ name, text }) =>
    [...code(text).matchAll(signatures)].flatMap(([, list = '']) =>
      list
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '' && !/^(p_|out )/.test(one))
        .map((one) => `${name}: ${one}`),
    ),
  );
  expect(parameters).toEqual([]);
  const declared = files.flatMap(({ name, text }) =>
    [...code(text).matchAll(/^declare\n([\s\S]*?)^begin/gm)].flatMap(([, block = '']) =>
      [...block.matchAll(/^ {2}(\w+)/gm)]
        .map(([, variable = '']) => variable)
        .filter((variable) => !/^v_/.test(variable))
        .map((variable) => `${name}: ${variable}`),
    ),
  );
  expect(declared).toEqual([]);
});

test('every function says what it does', () => {
  const silent = files.flatMap(({ name, text }) =>
    [...text.matchAll(/(^|\n)([^\n]*)\ncreate or replace function (\w+)|^create or replace function (\w+)/g)]
      .filter(([, , before = '']) => !before.startsWith('-- '))
      .map(([, , , fn, first]) => `${name}: ${fn ?? first}`),
  );
  expect(silent).toEqual([]);
});

test('planner settings are explained where they are set', () => {
  const setting = /^(.*\n)set (?:plan_cache_mode|enable_\w+|work_mem|lock_timeout|search_path) /gm;
  const bare = files.flatMap(({ name, text }) =>
    [...text.matchAll(setting)]
      .filter(([, before = '']) => !/^(-- |set )/.test(before))
      .map(([whole]) => `${name}: ${whole.trim()}`),
  );
  expect(bare).toEqual([]);
  expect(
    found(/^[^\n]*\S +set (?:plan_cache_mode|work_mem|lock_timeout|search_path) /gm).filter(
      (line) => !/: set /.test(line),
    ),
  ).toEqual([]);
});
