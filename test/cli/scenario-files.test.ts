/** What a scenario file may say: every mistake with its line before anything runs, and one JSON Schema that agrees with the check. */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Failure } from '../../src/cli/failure.ts';
import { shapeMistakes } from '../../src/cli/scenarios/check-scenario.ts';
import { readScenarios } from '../../src/cli/scenarios/read-scenario.ts';
import { roundsOf, stepCount } from '../../src/cli/scenarios/run-scenario.ts';
import { scenarioFile, scenarioSchema } from '../../src/cli/scenarios/scenario-file.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('inlay-files');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function failureOf(files: readonly string[]): Failure {
  try {
    readScenarios(files, []);
  } catch (error) {
    if (error instanceof Failure) {
      return error;
    }
    throw error;
  }
  throw new Error('no mistake was found');
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a mistake names file, line and what was expected', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the file's own variables
  const steps = (...lines: string[]) => ['name: x', 'steps:', ...lines.map((line) => `  ${line}`), ''].join('\n');

  test.each([
    ['a list that does not close', 'name: x\nsteps: [\n', 3, /not YAML/],
    [
      'a line at the wrong column',
      'name: x\nsteps:\n  - name: a\n    market: {}\n - name: b\n   wait: 1\n',
      5,
      /^not YAML: A block sequence .*; look at the indentation of this line and of those around it$/,
    ],
    ['a key twice', 'name: x\nname: y\nsteps: []\n', 2, /not YAML: Map keys must be unique/],
    ['a tag that is none', 'name: !oops x\nsteps: []\n', 1, /not YAML: Unresolved tag/],
    ['an alias of nothing', 'name: *nobody\nsteps: []\n', 1, /not YAML: .*nobody/],
    ['two documents', 'name: x\n---\nname: y\n', 2, /not YAML: .*multiple documents/],
    ['nothing at all', '', 1, /expected fields/],
    ['a list', '- name: x\n', 1, /expected fields/],
    ['no name', 'steps:\n  - { name: a, market: {} }\n', 1, /^name: missing: expected text/],
    ['no steps at all', 'name: x\nsteps: []\n', 2, /^steps: expected a list that is not empty/],
    ['an unknown step', steps('- name: a', '  purchase: {}'), 4, /^step "a": purchase: unknown field "purchase"$/],
    ['an unknown key of a step', steps('- name: a', '  wait: 1', '  retries: 2'), 5, /unknown field "retries"/],
    [
      'an unknown key of an action',
      steps('- name: a', '  cancel:', '    ordr: 1'),
      5,
      /^step "a": cancel\.ordr: unknown field "ordr"; did you mean "order"\?$/,
    ],
    [
      'what an action needs',
      steps('- name: a', '  quote: { side: yes, user: u }'),
      4,
      /^step "a": quote\.contract: missing: expected text or a number$/,
    ],
    ['a wrong type', steps('- name: a', '  wait: soon'), 4, /^step "a": wait: expected a number$/],
    ['a wrong type in an action', steps('- name: a', '  feed: { type: 7 }'), 4, /feed\.type: expected text$/],
    ['a time that is none', 'name: x\ntimeout: 0\nsteps: []\n', 2, /^timeout: expected more than 0$/],
    [
      'identities that are no',
      steps('- name: a', '  wait: 1', '  expect: { identities: no }'),
      5,
      /identities: expected true$/,
    ],
    [
      'a resolution that is none',
      steps('- name: a', '  resolve: { position: p, resolution: CANCEL }'),
      4,
      /^step "a": resolve\.resolution: expected WIN, LOSS or VOID$/,
    ],
    [
      'a share in percent',
      steps('- name: a', '  scenario: { fillFraction: 40 }'),
      4,
      /^step "a": scenario\.fillFraction: expected less than 1$/,
    ],
    ['a loop of neither', steps('- name: a', '  steps:', '    - { name: b, wait: 1 }'), 3, /expected repeat or each/],
    [
      'a loop in a group',
      steps('- name: a', '  parallel:', '    - { name: b, steps: [] }'),
      5,
      /unknown field "steps"/,
    ],
    [
      'a mistake in a loop',
      steps('- name: a', '  repeat: 2', '  steps:', '    - name: b', '      wat: 1'),
      7,
      /^step "a": step "b": wat: unknown field "wat"; did you mean "wait"\?$/,
    ],
    [
      'a mistake in a group in a loop',
      steps('- name: a', '  repeat: 2', '  steps:', '    - name: b', '      parallel:', '        - { name: c }'),
      8,
      /^step "a": step "b": step "c": expected exactly one of request, /,
    ],
    [
      'a mistake in finally',
      steps('- { name: a, wait: 1 }').concat('finally:\n  - name: b\n    wat: 1\n'),
      6,
      /^finally step "b": wat: unknown field/,
    ],
    [
      'a name used twice',
      steps('- { name: a, wait: 1 }', '- { name: a, wait: 1 }'),
      4,
      /^step "a": name: the name "a" is already used by step 1$/,
    ],
    [
      'a variable that was never captured',
      steps('- name: a', '  cancel: { order: "${order}" }'),
      4,
      /\$\{order\} is not known here; expected one of uuid, now, index/,
    ],
    [
      'a variable captured later',
      steps(
        '- name: a',
        '  cancel: { order: "${order}" }',
        '- name: b',
        '  market: {}',
        '  capture: { order: contractId }',
      ),
      4,
      /\$\{order\} is not known here/,
    ],
    [
      'a variable captured beside it',
      steps(
        '- name: g',
        '  parallel:',
        '    - { name: a, market: {}, capture: { order: contractId } }',
        '    - { name: b, cancel: { order: "${order}" } }',
      ),
      6,
      /\$\{order\} is not known here/,
    ],
    [
      "a loop's variable after it",
      steps(
        '- name: l',
        '  each: [{ side: yes }]',
        '  steps: [{ name: a, wait: 1 }]',
        '- { name: b, feed: { type: "${side}" } }',
      ),
      6,
      /\$\{side\} is not known here/,
    ],
    ['an unclosed variable', steps('- name: a', '  cancel: { order: "${order" }'), 4, /a "\$\{" without its "\}"/],
    [
      'a capture into what is always there',
      steps('- name: a', '  market: {}', '  capture: { uuid: contractId }'),
      5,
      /uuid is built in; expected another name/,
    ],
    [
      'a variable with a space',
      steps('- name: a', '  market: {}', '  capture: { "my order": x }'),
      5,
      /a variable name of letters/,
    ],
    [
      'no such matcher',
      steps('- name: a', '  wait: 1', '  expect:', '    body: { a: { $near: 1 } }'),
      6,
      /there is no matcher \$near; expected one of \$any, /,
    ],
    [
      'a matcher beside a field',
      steps('- name: a', '  wait: 1', '  expect: { body: { a: { $gt: 1, b: 2 } } }'),
      5,
      /matchers and fields cannot be mixed/,
    ],
    [
      'a comparison with a list',
      steps('- name: a', '  wait: 1', '  expect: { body: { a: { $gt: [1] } } }'),
      5,
      /\$gt: expected a number, an amount or a time/,
    ],
    [
      'a length of text',
      steps('- name: a', '  wait: 1', '  expect: { body: { $length: x } }'),
      5,
      /\$length: expected a/,
    ],
    ['any of false', steps('- name: a', '  wait: 1', '  expect: { body: { $any: false } }'), 5, /\$any: expected true/],
    [
      'a type of none',
      steps('- name: a', '  wait: 1', '  expect: { body: { $type: text } }'),
      5,
      /\$type: expected one of/,
    ],
    [
      'one of no list',
      steps('- name: a', '  wait: 1', '  expect: { body: { $oneOf: x } }'),
      5,
      /\$oneOf: expected a list/,
    ],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the file's own variables
    ['a matcher in where', steps('- name: a', '  feed: { type: x, where: { $is: 1 } }'), 4, /there is no matcher \$is/],
  ])('%s', (_what, text, line, message) => {
    const file = write('bad.yaml', text);
    const failure = failureOf([file]);
    const { mistakes } = failure.extra as { mistakes: { file: string; line: number; message: string }[] };
    expect(mistakes).toContainEqual({ file, line, message: expect.stringMatching(message) });
    expect([failure.code, failure.exitCode]).toEqual(['invalid_scenario', 2]);
    expect(failure.message).toContain(`${file}:${line}: `);
  });

  test('all mistakes of a step at once: its fields, its matchers, its variables and a key that is there twice', () => {
    const text = [
      'name: x',
      'steps:',
      '  - name: a',
      '    bye: { stake: 10 }',
      '    timeout: never',
      '    retries: 2',
      '    expect: { status: 99, body: { a: { $near: 1 } } }',
      '    capture: { uuid: contractId }',
      '    key: once',
      '    key: twice',
      '  - name: b',
      '    wait: 1',
      '    sell: {}',
      '    retries: 2',
      '  - 7',
      '',
    ].join('\n');
    const { mistakes } = failureOf([write('many.yaml', text)]).extra as {
      mistakes: { line: number; message: string }[];
    };
    expect(mistakes.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '4 step "a": bye: unknown field "bye"; did you mean "buy"?',
      '5 step "a": timeout: expected a number',
      '6 step "a": retries: unknown field "retries"',
      '7 step "a": expect.status: expected at least 100',
      expect.stringMatching(/^7 step "a": expect\.body\.a\.\$near: there is no matcher \$near; expected one of /),
      '8 step "a": capture.uuid: uuid is built in; expected another name',
      '10 not YAML: Map keys must be unique',
      expect.stringMatching(/^11 step "b": expected exactly one of request, /),
      '13 step "b": sell.contract: missing: expected text or a number',
      '13 step "b": sell.side: missing: expected text or a number',
      '13 step "b": sell.user: missing: expected text or a number',
      '13 step "b": sell.contracts: missing: expected a number or text',
      '14 step "b": retries: unknown field "retries"',
      '15 step 3: expected fields',
    ]);
  });

  test('one line at the wrong column is one mistake', () => {
    const text = 'name: x\nsteps:\n  - name: a\n    market: {}\n - name: b\n   wait: 1\n';
    const { mistakes } = failureOf([write('column.yaml', text)]).extra as { mistakes: object[] };
    expect(mistakes).toHaveLength(1);
  });

  test('a step whose action is misspelt is not said to have none', () => {
    expect(failureOf([write('bye.yaml', steps('- name: a', '  bye: {}'))]).extra).toEqual({
      mistakes: [expect.objectContaining({ line: 4, message: expect.stringContaining('did you mean "buy"?') })],
    });
  });

  test('all mistakes of all files at once', () => {
    const one = write('one.yaml', steps('- { name: a, wat: 1 }', '- { name: b, wait: x }'));
    const other = write('other.yaml', 'name: [\n');
    const { mistakes } = failureOf([one, other, join(folder, 'none.yaml')]).extra as { mistakes: { file: string }[] };
    expect(new Set(mistakes.map(({ file }) => file)).size).toBe(3);
    expect(mistakes.length).toBeGreaterThanOrEqual(4);
  });

  test('a file that is not there is exit 3, a folder is no file', () => {
    const missing = failureOf([join(folder, 'none.yaml')]);
    expect([missing.code, missing.exitCode]).toEqual(['not_found', 3]);
    expect(failureOf([folder]).exitCode).toBe(2);
  });
});

describe('loops', () => {
  test('are unrolled, each row with its variables, so that the plan is known', () => {
    const file = write(
      'loop.yaml',
      `name: x
steps:
  - name: sides
    repeat: 2
    each: [{ side: yes }, { side: no }]
    steps:
      - { name: a, feed: { type: "\${side}-\${index}" } }
      - name: pair
        parallel: [{ name: b, wait: 1 }, { name: c, wait: 1 }]
finally:
  - { name: end, wait: 1 }
`,
    );
    const [read] = readScenarios([file], []);
    if (read === undefined) {
      throw new Error('nothing was read');
    }
    const rounds = roundsOf(read.scenario);
    expect(stepCount(read.scenario)).toBe(13);
    expect(rounds.map(({ variables }) => variables['side'] ?? null)).toEqual([
      ...['yes', 'yes', 'no', 'no', 'yes', 'yes', 'no', 'no'],
      null,
    ]);
    expect(rounds[5]?.steps.map(({ title }) => title)).toEqual(['sides 3: pair: b', 'sides 3: pair: c']);
    expect(rounds.at(-1)).toMatchObject({ always: true, steps: [{ title: 'end' }] });
  });
});

describe('the JSON Schema for editors', () => {
  const kept = JSON.parse(readFileSync(join(projectRoot, 'fixtures/scenarios/scenario.schema.json'), 'utf8'));
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(kept);
  const files = globSync('fixtures/scenarios/**/*.yaml', { cwd: projectRoot }).sort();
  const documents = files.map((file) => parse(readFileSync(join(projectRoot, file), 'utf8')));

  test('is the one that files are checked with', () => {
    // npx inlay sandbox run --schema > fixtures/scenarios/scenario.schema.json
    expect(kept).toEqual(JSON.parse(JSON.stringify(scenarioSchema())));
  });

  // contract 40.10
  test('takes every ready script, and so does the check', () => {
    expect(files.length).toBeGreaterThan(30);
    for (const [index, document] of documents.entries()) {
      expect([files[index], validate(document), validate.errors]).toEqual([files[index], true, null]);
      expect([files[index], scenarioFile.safeParse(document).success]).toEqual([files[index], true]);
    }
  });

  test('and refuses what the check refuses: parts of the ready scripts changed in turn', () => {
    let refused = 0;
    let count = 0;
    for (const document of documents) {
      for (const changed of changesOf(document)) {
        count += 1;
        if (count % EACH !== 0) {
          continue;
        }
        const byCheck = scenarioFile.safeParse(changed).success;
        refused += byCheck ? 0 : 1;
        const answers = { check: byCheck, schema: validate(changed), mistakes: shapeMistakes(changed).length === 0 };
        expect({ changed, ...answers }).toEqual({ changed, check: byCheck, schema: byCheck, mistakes: byCheck });
      }
    }
    expect(refused).toBeGreaterThan(500);
  });
});

/** All of them take half a minute; a prime comes by every part of a step over the scripts. */
const EACH = 29;

/** Copies of a document, in each of which one thing is another, or gone, or has company. */
function* changesOf(document: unknown): Generator<unknown> {
  yield* ['text', 7, true, null, [], {}];
  if (Array.isArray(document)) {
    for (const [index, item] of document.entries()) {
      for (const changed of changesOf(item)) {
        yield document.with(index, changed);
      }
    }
    return;
  }
  if (typeof document !== 'object' || document === null) {
    return;
  }
  yield { ...document, unheardOf: 1 };
  for (const [name, value] of Object.entries(document)) {
    yield Object.fromEntries(Object.entries(document).filter(([other]) => other !== name));
    for (const changed of changesOf(value)) {
      yield { ...document, [name]: changed };
    }
  }
}
