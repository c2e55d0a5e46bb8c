/** Reports of scenario runs, read back by parsers of their own: TAP by its rules, JUnit as XML, JSON as one document. */
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  type FileResult,
  junit,
  listLine,
  listSummary,
  type StepResult,
  summarise,
  tapHead,
  tapLine,
  tapSummary,
} from '../../src/cli/scenarios/report.ts';

const step = (name: string, given: Partial<StepResult> = {}): StepResult => ({
  name,
  ok: true,
  skipped: false,
  durationMs: 12,
  status: 200,
  problems: [],
  ...given,
});
const failed = (name: string, expected: unknown, actual: unknown) =>
  step(name, { ok: false, status: 409, problems: [{ path: 'body.note', expected, actual }] });

/** Everything that means something in one of the formats. */
const NASTY = `"quotes" & <tags> ]]> # TODO \\ back \u0007 bell \u2028 \ud83c\udfb2 \n  ok 99 - not a line\n...\n---`;

const FILES: readonly FileResult[] = [
  {
    file: 'a & b.yaml',
    name: `First ${NASTY}`,
    ok: false,
    durationMs: 1234,
    steps: [
      step('holds'),
      failed(NASTY, { $gt: 5 }, { note: NASTY, list: ['x'.repeat(900)] }),
      step('later', { ok: false, skipped: true, status: null }),
    ],
  },
  { file: 'c.yaml', name: 'Second', ok: true, durationMs: 5, steps: [step('is fine # SKIP no'), step('too')] },
];

describe('TAP', () => {
  const lines = [
    tapHead(5),
    ...FILES.flatMap((file) => file.steps.map((one) => [file.name, one] as const)).map(([name, one], index) =>
      tapLine(index + 1, name, one),
    ),
  ]
    .join('\n')
    .split('\n');

  test('version, plan, and tests numbered from 1 to its end', () => {
    expect(lines.slice(0, 2)).toEqual(['TAP version 14', '1..5']);
    const results = lines.filter((line) => /^(not )?ok\b/.test(line));
    expect(results.map((line) => Number(/^(?:not )?ok (\d+) - /.exec(line)?.[1]))).toEqual([1, 2, 3, 4, 5]);
    expect(results.map((line) => line.startsWith('ok'))).toEqual([true, false, true, true, true]);
  });

  test('a name is no directive, a skipped step is one', () => {
    const directives = lines.filter((line) => /^(not )?ok/.test(line)).map((line) => /(?<!\\)# (\w+)/.exec(line)?.[1]);
    expect(directives).toEqual([undefined, undefined, 'SKIP', undefined, undefined]);
  });

  test('everything else is one YAML block below the step that failed, indented by two', () => {
    const rest = lines.slice(2).filter((line) => !/^(not )?ok/.test(line));
    expect([rest[0], rest.at(-1)]).toEqual(['  ---', '  ...']);
    expect(rest.every((line) => line.startsWith('  '))).toBe(true);
    const block = parse(rest.slice(1, -1).join('\n'));
    expect(block).toMatchObject({ status: 409, problems: [{ at: 'body.note', expected: { $gt: 5 } }] });
  });

  test('ends with a summary', () => {
    const report = { ok: true, passed: 3, failed: 1, skipped: 0, durationMs: 1234, files: [] };
    expect(tapSummary(report)).toBe('# 3 passed, 1 failed, 0 skipped in 1.234 s');
  });
});

describe('JUnit', () => {
  // contract 40.9
  test('is well-formed XML whose counts are those of its parts', () => {
    const opened: { name: string; attributes: Readonly<Record<string, string>> }[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) =>
      opened.push({ name, attributes: attributes as Record<string, string> }),
    );
    parser.write(junit(summarise(FILES))).close();
    const named = (name: string) => opened.filter((each) => each.name === name);
    expect(named('testsuites')[0]?.attributes).toMatchObject({
      tests: '5',
      failures: '1',
      skipped: '1',
      time: '1.239',
    });
    expect(named('testsuite').map(({ attributes }) => [attributes['file'], attributes['tests']])).toEqual([
      ['a & b.yaml', '3'],
      ['c.yaml', '2'],
    ]);
    expect(named('testcase')).toHaveLength(5);
    expect(named('failure')).toHaveLength(1);
    expect(named('skipped')).toHaveLength(1);
    expect(named('testcase')[1]?.attributes['name']).toBe(NASTY.replace('\u0007', '?'));
  });
});

describe('the list for a person', () => {
  const tagged = (format: unknown, text: string) => `<${format}>${text}</>`;

  test('has a mark for each step, and below a failed one what was expected and what arrived', () => {
    expect(listLine(step('holds'), tagged)).toBe('  <green>✓</> holds  <dim>12 ms</>');
    expect(listLine(failed('a buy', 'filled', 'rejected'), tagged)).toBe(
      '  <red>✗</> <bold>a buy</>  <dim>12 ms</>\n      body.note: expected "filled", got "rejected"',
    );
    expect(listLine(failed('an amount', 8, '8.00'), tagged)).toContain(
      'expected 8, got "8.00"; an amount is text, write it in quotes',
    );
    expect(listLine(step('later', { ok: false, skipped: true }), tagged)).toBe('<dim>  - later (skipped)</>');
  });

  test('ends with the files that failed and the counts, in colour where they are not zero', () => {
    const lines = listSummary(summarise(FILES), tagged).split('\n');
    expect(lines.filter((line) => line.includes('✗'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('<green>3 passed</>, <red>1 failed</>, <yellow>1 skipped</> in 1.239 s');
    const good = FILES.slice(1);
    expect(listSummary(summarise(good), tagged)).toBe(
      '\n<green>2 passed</>, <dim>0 failed</>, <dim>0 skipped</> in 0.005 s',
    );
  });
});

test('JSON carries all of it', () => {
  expect(JSON.parse(JSON.stringify(summarise(FILES)))).toEqual({
    ok: false,
    passed: 3,
    failed: 1,
    skipped: 1,
    durationMs: 1239,
    files: FILES,
  });
});
