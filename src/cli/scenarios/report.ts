/** The reports of a run of scenarios: a list for people or TAP while it runs, JUnit and JSON at its end. */
import type { Paint } from '../terminal/printable.ts';
import type { Mismatch } from './judge.ts';

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly skipped: boolean;
  readonly durationMs: number;
  /** HTTP status of the last answer; null if there was none. */
  readonly status: number | null;
  readonly problems: readonly Mismatch[];
}

export interface FileResult {
  readonly file: string;
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
}

export interface RunReport {
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly durationMs: number;
  readonly files: readonly FileResult[];
}

export function summarise(files: readonly FileResult[]): RunReport {
  const steps = files.flatMap((file) => file.steps);
  return {
    ok: files.every((file) => file.ok),
    passed: steps.filter((step) => step.ok).length,
    failed: steps.filter((step) => !step.ok && !step.skipped).length,
    skipped: steps.filter((step) => step.skipped).length,
    durationMs: files.reduce((sum, file) => sum + file.durationMs, 0),
    files,
  };
}

export function tapHead(steps: number): string {
  return `TAP version 14\n1..${steps}`;
}

/** One step as one line. A failed step also lists the expected and the actual values. */
export function tapLine(number: number, scenario: string, step: StepResult): string {
  const title = `${number} - ${escapeTap(`${scenario}: ${step.name}`)}`;
  if (step.skipped) {
    return `ok ${title} # SKIP an earlier step failed`;
  }
  if (step.ok) {
    return `ok ${title}`;
  }
  const lines = step.problems.flatMap((problem) => [
    `    - at: ${JSON.stringify(problem.path)}`,
    `      expected: ${shortJson(problem.expected)}`,
    `      actual: ${shortJson(problem.actual)}`,
  ]);
  return [`not ok ${title}`, '  ---', `  status: ${step.status}`, '  problems:', ...lines, '  ...'].join('\n');
}

/** One step, for a person at a terminal. The expected and the actual values stand below a failed step. */
export function listLine(step: StepResult, paint: Paint): string {
  if (step.skipped) {
    return paint('dim', `  - ${step.name} (skipped)`);
  }
  const time = paint('dim', `${step.durationMs} ms`);
  if (step.ok) {
    return `  ${paint('green', '✓')} ${step.name}  ${time}`;
  }
  const problems = step.problems.map((problem) => `      ${wordProblem(problem)}`);
  return [`  ${paint('red', '✗')} ${paint('bold', step.name)}  ${time}`, ...problems].join('\n');
}

/** The end of the list: the number of steps of each kind, and the files with failed steps. */
export function listSummary({ passed, failed, skipped, durationMs, files }: RunReport, paint: Paint): string {
  const counts = [
    paint(passed > 0 ? 'green' : 'dim', `${passed} passed`),
    paint(failed > 0 ? 'red' : 'dim', `${failed} failed`),
    paint(skipped > 0 ? 'yellow' : 'dim', `${skipped} skipped`),
  ];
  const broken = files
    .filter(({ ok }) => !ok)
    .map(({ file, name }) => `${paint('red', '✗')} ${name}  ${paint('dim', file)}`);
  return ['', ...(files.length > 1 ? broken : []), `${counts.join(', ')} in ${seconds(durationMs)} s`].join('\n');
}

/** The last line of TAP, from which a person reads the result without counting. */
export function tapSummary({ passed, failed, skipped, durationMs }: RunReport): string {
  return `# ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds(durationMs)} s`;
}

export function junit(report: RunReport): string {
  const suites = report.files.map((file) => {
    const failures = file.steps.filter((step) => !step.ok && !step.skipped).length;
    const skips = file.steps.filter((step) => step.skipped).length;
    const cases = file.steps.map((step) => testCase(file, step)).join('\n');
    return `  <testsuite name=${attribute(file.name)} file=${attribute(file.file)} tests="${file.steps.length}" failures="${failures}" skipped="${skips}" time="${seconds(file.durationMs)}">\n${cases}\n  </testsuite>`;
  });
  const tests = report.passed + report.failed + report.skipped;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${tests}" failures="${report.failed}" skipped="${report.skipped}" time="${seconds(report.durationMs)}">`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

function testCase(file: FileResult, step: StepResult): string {
  const head = `    <testcase classname=${attribute(file.name)} name=${attribute(step.name)} time="${seconds(step.durationMs)}"`;
  if (step.skipped) {
    return `${head}><skipped/></testcase>`;
  }
  if (step.ok) {
    return `${head}/>`;
  }
  const text = step.problems.map(wordProblem).join('\n');
  return `${head}><failure message=${attribute(text.split('\n')[0] ?? '')}>${escapeXml(text)}</failure></testcase>`;
}

function wordProblem({ path, expected, actual }: Mismatch): string {
  const isAmount = typeof expected === 'number' && typeof actual === 'string' && Number(actual) === expected;
  return `${path === '' ? 'answer' : path}: expected ${JSON.stringify(expected)}, got ${shorten(actual)}${isAmount ? '; an amount is text, write it in quotes' : ''}`;
}

const LONGEST = 400;

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

/** A shortened value is still valid JSON, so that a parser can read the rest of the report. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > LONGEST ? JSON.stringify(shorten(value)) : text;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function escapeTap(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

function attribute(text: string): string {
  return `"${escapeXml(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, (control) => ('\t\n\r'.includes(control) ? control : '?'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
