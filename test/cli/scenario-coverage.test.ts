/** docs/sandbox.md "What the ready scripts show": no code without a script or a reason, and no script that does not show what is said. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACTION_NAMES } from '../../src/cli/scenarios/scenario-file.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { ERRORS } from '../../src/core/errors.ts';

const FOLDER = join(projectRoot, 'fixtures/scenarios');
const page = readFileSync(join(projectRoot, 'docs/sandbox.md'), 'utf8');
const text = (script: string) => readFileSync(join(FOLDER, `${script}.yaml`), 'utf8');
const words = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

/** Rows of the table below this header, as cells. */
function tableAfter(header: string): string[][] {
  const rows = page.slice(page.indexOf(header)).split('\n').slice(2);
  return rows.slice(0, rows.indexOf('')).map((row) => row.split('|').slice(1, -1));
}

const states = tableAfter('| row | script |');
const refusals = tableAfter('| code | script |');
const unreached = tableAfter('| code | why |');

test('every script that is named is there, and every script is named', () => {
  const named = [...states, ...refusals].flatMap(([, scripts]) => words(scripts));
  expect(named.filter((script) => !existsSync(join(FOLDER, `${script}.yaml`)))).toEqual([]);
  const all = globSync('**/*.yaml', { cwd: FOLDER }).map((file) => file.replace('.yaml', ''));
  expect(all.filter((script) => !named.includes(script))).toEqual([]);
});

test('every error code has a script that expects it, or a reason why none can', () => {
  const told = [...refusals, ...unreached].flatMap(([codes]) => words(codes));
  expect(Object.keys(ERRORS).filter((code) => !told.includes(code))).toEqual([]);
  expect(told.filter((code, index) => told.indexOf(code) !== index)).toEqual([]);
  for (const [codes, scripts] of refusals) {
    for (const code of words(codes)) {
      const silent = words(scripts).filter((script) => !new RegExp(`(error|code): ${code}\\b`).test(text(script)));
      expect([code, silent]).toEqual([code, []]);
    }
  }
});

describe('rows of the state tables', () => {
  test.each(states.map(([row, scripts]) => [row?.trim() ?? '', words(scripts)] as const))('%s', (row, scripts) => {
    const statuses = words(row).filter((word) => /^[a-z_]+$/.test(word));
    const unseen = statuses.filter((status) => !scripts.some((script) => text(script).includes(status)));
    // nobody sees an order pass through submitted: its transmission is told, or that it got beyond
    expect(unseen.filter((status) => status !== 'submitted')).toEqual([]);
  });
});

test('every action is used by a ready script and listed on the page', () => {
  const all = globSync('**/*.yaml', { cwd: FOLDER }).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
  const unused = ACTION_NAMES.filter((name) => !all.some((one) => new RegExp(`^ +${name}:`, 'm').test(one)));
  expect(unused).toEqual([]);
  expect(ACTION_NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
