/** The documents say what is so: paths in the map exist, the import table is the one that is enforced, and each dependency, kind of entry and check has its line. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/wire/reconciliation.ts';
import { sqlFunctions } from '../support/sql-functions.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');
const documents = () => [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(at(folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];
/** They round no amount: one writes cents as a decimal, one spreads endpoints over queues. */
const NOT_MONEY = ['wake_webhook_endpoints'];
/** Anchors as GitHub forms them from the headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
test('every file named in the documents is there', () => {
  const wrong: string[] = [];
  for (const name of documents()) {
    for (const [, path = ''] of read(name).matchAll(/`((?:src|sql|test|bench|bin|docs|fixtures)\/[\w./-]*)`/g)) {
      if (!existsSync(at(path))) {
        wrong.push(`${name}: ${path}`);
      }
    }
    for (const [, file = ''] of read(name).matchAll(/`([a-z]+\/[\w-]+\.test\.ts)`/g)) {
      if (!existsSync(at(`test/${file}`)) && !existsSync(at(file))) {
        wrong.push(`${name}: ${file}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('every link between documents leads to a file, and to a heading of it', () => {
  const wrong: string[] = [];
  let links = 0;
  for (const name of documents()) {
    for (const [, target = ''] of read(name).matchAll(/\]\((?!https?:|\/)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? name : join(dirname(name), path);
      const headings = existsSync(at(file)) && file.endsWith('.md') ? anchorsOf(read(file)) : [];
      links += 1;
      if (!existsSync(at(file)) || (anchor !== undefined && !headings.includes(anchor))) {
        wrong.push(`${name}: ${target}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(links).toBeGreaterThan(30);
});

test('README.md lists every document', () => {
  const listed = [...read('README.md').matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, file = '']) => file);
  expect(documents().filter((name) => name !== 'README.md' && !listed.includes(name))).toEqual([]);
});

test('README.md is short, fits a terminal, and says version and licence', () => {
  const lines = read('README.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(155);
  expect(lines.filter((line) => line.length > 100 && !line.startsWith('|'))).toEqual([]);
  const { version, license } = JSON.parse(read('package.json'));
  expect(lines.at(-2)).toContain(`Version ${version}.`);
  expect(lines.slice(-2).join(' ')).toContain(`\`${license}\``);
});

// contract 41.10
test('docs/settings.md lists every setting, and no other', () => {
  const fieldsOf = (file: string, begin: string) => read(file).split(begin)[1]?.split('\n}')[0] ?? '';
  const settings = [
    fieldsOf('src/core/environment.ts', 'const schema = z.object({'),
    fieldsOf('src/core/venue-settings.ts', 'export const venueVariables = {'),
    fieldsOf('src/core/venue-settings.ts', 'export const readerVariables = {'),
  ].flatMap((fields) => [...fields.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name));
  const [, table = ''] = read('docs/settings.md').split('## Settings');
  const cells = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell);
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
  // the terminal's own, which src/cli/terminal/printable.ts follows
  const conventional = ['NO_COLOR', 'FORCE_COLOR'];
  expect(settings.length).toBeGreaterThan(20);
  expect(listed.filter((name) => !conventional.includes(name)).sort()).toEqual(settings.sort());
});

// contract 2.13
test('docs/ledger.md explains every kind of entry', () => {
  const [, types = ''] = /export type MovementType =([^;]*);/.exec(read('src/ledger/render/entry.ts')) ?? [];
  const names = [...types.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !read('docs/ledger.md').includes(`\`${name}\``))).toEqual([]);
});

test('every check of the report is explained, has its line in the runbook, and is seen to find something', () => {
  const tests = readdirSync(at('test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && file !== 'coverage/document.test.ts')
    .map((file) => read(`test/${file}`))
    .join('\n');
  const places = { 'docs/ledger.md': read('docs/ledger.md'), 'docs/runbook.md': read('docs/runbook.md') };
  for (const [place, text] of Object.entries(places)) {
    expect(
      CHECKS.filter((check) => !text.includes(check)),
      place,
    ).toEqual([]);
  }
  expect(CHECKS.filter((check) => !tests.includes(`'${check}'`))).toEqual([]);
});

/** The rows of a table, by the first cell of its heading; backticks and empty lines end it. */
const rowsOf = (document: string, heading: string) =>
  (read(document).split(`\n${heading}\n`)[1]?.split('\n\n')[0] ?? '')
    .split('\n')
    .slice(1)
    .map((row) => row.split('|').map((cell) => cell.trim()));

test('each rule that exists twice names its TypeScript, its SQL and the test that compares them', () => {
  const sql = readdirSync(at('sql'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => read(`sql/${file}`))
    .join('\n');
  const rows = rowsOf('docs/decisions.md', '| rule | TypeScript | SQL | compared by |');
  expect(rows.length).toBeGreaterThan(7);
  for (const [, rule = '', typescript = '', statement = '', compared = ''] of rows) {
    for (const [, path = ''] of `${typescript} test/${compared.replaceAll('`', '')}`.matchAll(
      /((?:src|test)\/[\w/.-]+)/g,
    )) {
      expect(existsSync(at(path)), `${rule}: ${path}`).toBe(true);
    }
    for (const [, name = ''] of statement.matchAll(/`(\w+)`/g)) {
      expect(sql, rule).toMatch(new RegExp(`(function|table) ${name}\\b`));
      expect(read(`test/${compared.replaceAll('`', '')}`), rule).toMatch(new RegExp(`${name}|resolve|settle`));
    }
  }
});

test('money is rounded in SQL only where docs/decisions.md says so', () => {
  const rounds = [...sqlFunctions()]
    .filter(([, text]) => /\b(round|ceil|ceiling|floor|div|trunc)\s*\(/.test(text))
    .map(([name]) => name)
    .filter((name) => !NOT_MONEY.includes(name));
  expect(rounds.sort()).toEqual(['average_price', 'venue_cash']);
  for (const name of rounds) {
    expect(read('docs/decisions.md')).toContain(`(\`${name}\``);
  }
});

test('every room of src is in docs/architecture.md', () => {
  const rooms = readdirSync(at('src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const text = read('docs/architecture.md');
  expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('every runtime dependency has its line in docs/decisions.md', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const table = read('docs/decisions.md').split('## Runtime dependencies')[1] ?? '';
  const listed = [...table.matchAll(/`([@\w./-]+)`/g)].map(([, name = '']) => name);
  const names = Object.keys(dependencies);
  const fits = (name: string, one: string) => name === one || name === `@oclif/${one}`;
  expect(names.filter((name) => !listed.some((one) => fits(name, one)))).toEqual([]);
  const rows = [...table.matchAll(/^\| `([@\w./-]+)`/gm)].map(([, name = '']) => name);
  expect(rows.filter((one) => !names.some((name) => fits(name, one)))).toEqual([]);
});

// contract 41.4
test('npm test and npm run proof are one program, and a build machine calls both', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect([scripts['test'], scripts['proof']]).toEqual([
    'node tools/scripts/test.js',
    'node tools/scripts/test.js --proof',
  ]);
  expect(read('.ci/run')).toContain('npm test');
  expect(read('.ci/run')).toContain('npm run proof');
});
