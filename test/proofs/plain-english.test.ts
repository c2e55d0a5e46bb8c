/**
 * Comments, messages and documents are plain English: a list of idioms that this project once used, each with what to write
 * instead.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');

interface Idiom {
  readonly pattern: RegExp;
  /** A sentence of the kind that is kept out. */
  readonly example: string;
  readonly instead: string;
}

/** Poetic, dated or personifying words for which the field has its own, and constructions that a reader has to decode. */
const IDIOMS: readonly Idiom[] = [
  { pattern: /\bcom(e|es|ing) again\b/i, example: 'a round that fails comes again', instead: 'is retried' },
  { pattern: /\bwhoever\b/i, example: 'whoever holds the key', instead: 'the person who, the process that' },
  { pattern: /\blets nobody\b/i, example: 'it lets nobody in', instead: 'cannot, refuses' },
  { pattern: /\btold\b/i, example: 'the caller is told', instead: 'reported, informed, logged, sent' },
  { pattern: /\bby[ -]hand\b/i, example: 'settled by hand', instead: 'manually, by a person, by a command' },
  { pattern: /\bpatience\b/i, example: 'its patience ends', instead: 'timeout, deadline' },
  { pattern: /\bcouriers?\b/i, example: 'the courier takes it', instead: 'worker' },
  { pattern: /\bdesks?\b/i, example: 'the order desk', instead: 'service' },
  { pattern: /\blanes?\b/i, example: 'a lane of its own', instead: 'queue, pool, statement at a time' },
  { pattern: /\brungs?\b/i, example: 'the rung of the limit', instead: 'level' },
  { pattern: /\bshel(f|ves)\b/i, example: 'the shelf of sports', instead: 'category, cache' },
  { pattern: /\bdut(y|ies)\b/i, example: 'a duty of the ledger', instead: 'instruction' },
  { pattern: /\bhappenings?\b/i, example: 'one happening a line', instead: 'event, timeline event' },
  { pattern: /\bone of now\b|\bthe present one\b/i, example: 'the one of now', instead: 'the current one' },
  {
    pattern: /\b(tables?|weeks?|partitions?|what is) to come\b/i,
    example: 'tables to come',
    instead: 'upcoming partitions',
  },
  { pattern: /\b(what|that|it|which|they) stands?\b/i, example: 'as it stands', instead: 'is, remains, its state' },
  { pattern: /\bhow .{1,20} stands?\b/i, example: 'how the order stands', instead: 'the state of the order' },
  { pattern: /\bis none of\b/i, example: 'the name is none of these', instead: 'is not one of' },
  { pattern: /\bmakes? no sense\b/i, example: 'what makes no sense', instead: 'contradicts the order' },
  { pattern: /\bmend(s|ed|ing)?\b/i, example: 'mended since', instead: 'fixed, repaired' },
  { pattern: /\bpass(es|ed)? over\b/i, example: 'passed over in silence', instead: 'ignored, skipped' },
  { pattern: /\bturn(s|ed)? round\b/i, example: 'its lines turned round', instead: 'reversed' },
  { pattern: /\bsift(s|ed)?\b/i, example: 'a report is sifted', instead: 'validated' },
  { pattern: /\bdearest\b/i, example: 'the dearest first', instead: 'most expensive, highest' },
  { pattern: /\banew\b/i, example: 'it begins anew', instead: 'again' },
  { pattern: /\btend(ed|ing)\b/i, example: 'tables could not be tended', instead: 'maintained, created' },
  { pattern: /\bsaid of\b/i, example: 'what a venue said of an order', instead: 'reported about' },
  { pattern: /\bnothing (else )?is said\b/i, example: 'where nothing is said', instead: 'by default' },
  { pattern: /\bgone on with\b/i, example: 'an export is gone on with', instead: 'continued' },
  { pattern: /\bas may be\b/i, example: 'as often as may be', instead: 'as possible' },
  { pattern: /\bunforeseen\b/i, example: 'something unforeseen happened', instead: 'unexpected' },
  { pattern: /(?<!["'`_/])\bnobody\b/i, example: 'a fee that nobody reads', instead: 'no one, is not read' },
  {
    pattern: /\bhold(s|ing)? .{1,40} against its\b/i,
    example: 'holds a feed against its log',
    instead: 'compares with',
  },
  { pattern: /\bof now\b/i, example: 'the books of now', instead: 'current' },
  { pattern: /\b(lets|told|tells) (it|them|him) so\b/i, example: 'it tells them so', instead: 'says so' },
];

const COMMENTS_AND_STRINGS =
  /\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const GENERATED = /api-types|answer-fields|docs\/(cli|coverage)\.md$/;

interface Text {
  readonly file: string;
  readonly text: string;
}

const split = (files: readonly string[], into: RegExp): Text[] =>
  files
    .filter((file) => !GENERATED.test(file))
    .flatMap((file) => [...read(file).matchAll(into)].map(([text]) => ({ file, text })))
    .filter(({ text }) => !/^['"]\.{0,2}\//.test(text));

/** The titles of tests are read in every report. */
const TITLES = /\b(?:test|describe)(?:\.\w+)*(?:\([^()\n]*\))?\(\s*(?:'(?:[^'\\\n]|\\.)*'|`[^`]*`)/g;

const texts: readonly Text[] = [
  ...split(globSync('src/**/*.{ts,tsx}', { cwd: root }), COMMENTS_AND_STRINGS),
  ...split(
    globSync('{bin/*.js,bench/*.ts,tools/scripts/*.js,tools/client-types/*.ts}', { cwd: root }),
    COMMENTS_AND_STRINGS,
  ),
  ...split(
    globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !file.endsWith('plain-english.test.ts')),
    TITLES,
  ),
  ...split(globSync('sql/{functions/**/*,grants}.sql', { cwd: root }), /--[^\n]*/g),
  ...split(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root })], /[^\n]+/g),
];

test.each(IDIOMS)('finds "$example"', ({ pattern, example, instead }) => {
  expect(example).toMatch(pattern);
  expect(instead).not.toMatch(pattern);
});

test('structure 1: comments, messages and documents are in plain English', () => {
  const found = texts.flatMap(({ file, text }) => {
    const idiom = IDIOMS.find(({ pattern }) => pattern.test(text));
    if (idiom === undefined) {
      return [];
    }
    const at = Math.max(0, text.search(idiom.pattern) - 40);
    return [`${file}: "${text.slice(at, at + 100).replace(/\s+/g, ' ')}" (write: ${idiom.instead})`];
  });
  expect(texts.length).toBeGreaterThan(5_000);
  expect(found).toEqual([]);
});

test('people words: the phrases that readers stumbled over are nowhere in code, help and documents', () => {
  const phrases = [
    'where nothing is said',
    'no endpoint took it',
    'asked 1 times',
    'order.filled raised',
    'info: person',
    'first unfit entry',
    'Open the account gate of live execution',
    'Spend a quote.',
    'The window is closed: --from inclusive',
    'What the service stands on',
    'Keys that this machine keeps',
    'Make another',
    'Busy today',
    'Each step includes the ones beyond it',
    'Pays if right',
    'The held price has run out',
    'to sign you in',
  ];
  const files = globSync(['src/**/*.{ts,tsx}', 'docs/**/*.md', 'README.md', 'CHANGELOG.md'], { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    phrases.filter((phrase) => read(file).includes(phrase)).map((phrase) => `${file}: ${phrase}`),
  );
  expect(found).toEqual([]);
});
