/** Names: each word of the code means one thing, is the word of the field, and small knowledge is written down once. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const code = (file: string) =>
  readFileSync(`${root}/${file}`, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)(?:\/\/|--).*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, (text) => (/^'[A-Za-z]+'$/.test(text) ? text : "''"));
const list = (pattern: string) => globSync(pattern, { cwd: root }).sort();
const source = list('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('api-types.ts'));

/** Programs of their own, entry points and their pages, texts of the wire, and adapters that use an exchange's own words. */
const OTHER_VOCABULARY = /^src\/(paper|emulators|exchange|venues|client|frame|wire|cli|server|jobs)\//;

test('no two files of the service export a type of one name', () => {
  const places = new Map<string, string[]>();
  for (const file of source.filter((one) => !OTHER_VOCABULARY.test(one))) {
    for (const [, name = ''] of code(file).matchAll(/^export (?:interface|type|class) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(350);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('the trader of a request is made in one place', () => {
  const makers = source.filter((file) => /function traderOf\b|interface Trader\b/.test(code(file)));
  expect(makers).toEqual(['src/trading/quotes/issue-quote.ts']);
});

test.each([
  ["'YES' | 'NO'", 'Side'],
  ["'buy' | 'sell'", 'Action'],
  ["'sandbox' | 'live'", 'Mode'],
  ["'YES' | 'NO' | 'VOID' | 'SPLIT'", 'Resolution'],
])('the union %s is declared once, as %s', (union, name) => {
  // the operator of the conformance checks is written as a partner would write one
  const own = source.filter((file) => !file.startsWith('src/cli/conformance/'));
  const declared = own.filter((file) => code(file).includes(union));
  expect(declared).toEqual(['src/core/terms.ts']);
  expect(code('src/core/terms.ts')).toContain(`export type ${name} = ${union};`);
});

/** Programs and browser code that may not import `money`, adapters that read an exchange's own units, and the auditor, whose arithmetic is its own. */
const OWN_UNITS = /^src\/(paper|emulators|exchange|venues|frame|audit)\//;

test('a million means micro-units in one file of the service', () => {
  const other = /CACHED_SORT_KEYS|CEILING/;
  const found = source
    .filter((file) => !OWN_UNITS.test(file))
    .flatMap((file) =>
      code(file)
        .split('\n')
        .filter((line) => /\b1_000_000n?\b|\b1e6\b/.test(line) && !other.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([
    'src/money/decimal.ts: export const ONE_DOLLAR_MICROS = 1_000_000n;',
    'src/money/decimal.ts: export const MICROS = 1_000_000;',
  ]);
});

/** Where amounts and orders are decided and written. */
const MONEY_ROOMS = /^src\/(money|ledger|trading|settlement|risk|sandbox|feed)\//;

test('no untyped row where money is decided', () => {
  const untyped = source
    .filter((file) => MONEY_ROOMS.test(file))
    .flatMap((file) =>
      code(file)
        .split('\n')
        .filter((line) => /Record<string, unknown>|BigInt\(String\(/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(untyped).toEqual([]);
});
