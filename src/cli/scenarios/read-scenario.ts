/**
 * Reads scenario files whole and checks them before any step runs: YAML, shape, matchers, patterns and variables. A mistake is
 * told with file, line and what was expected there.
 */
import { readFileSync } from 'node:fs';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { Failure } from '../failure.ts';
import { mistakesIn } from './match.ts';
import { isGroup, type LoneStep, type ScenarioFile, scenarioFile, stepShapes } from './scenario-file.ts';
import { BUILT_IN, namesIn } from './variables.ts';

type Path = readonly (string | number)[];

interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface ReadScenario {
  readonly file: string;
  readonly scenario: ScenarioFile;
}

/** @param given names of variables that the command line fills. @throws Failure with every mistake of every file, exit 2. */
export function readScenarios(files: readonly string[], given: readonly string[]): ReadScenario[] {
  const read = files.map((file) => readScenario(file, given));
  const mistakes = read.flatMap((one) => ('mistakes' in one ? one.mistakes : []));
  if (mistakes.length > 0) {
    const text = mistakes.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n');
    throw new Failure('invalid_scenario', text, { exitCode: 2, extra: { mistakes }, next: 'No step was run.' });
  }
  return read.filter((one): one is ReadScenario => 'scenario' in one);
}

function readScenario(file: string, given: readonly string[]): ReadScenario | { mistakes: Mistake[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : 'cannot be read';
    return { mistakes: [{ file, line: 1, message: reason }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (path: Path) => lineOf(document, lines, path);
  if (document.errors.length > 0) {
    return {
      mistakes: document.errors.map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        message: `not YAML: ${error.message}`,
      })),
    };
  }
  const value: unknown = document.toJS();
  const parsed = scenarioFile.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.flatMap((issue) => explain(issue, value));
    return {
      mistakes: issues.map(({ path, message }) => ({ file, line: at(path), message: `${nameOf(path)}${message}` })),
    };
  }
  const mistakes = [...unknownVariables(parsed.data, given), ...badMatchers(parsed.data)];
  return mistakes.length === 0
    ? { file, scenario: parsed.data }
    : { mistakes: mistakes.map(({ path, message }) => ({ file, line: at(path), message })) };
}

interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** A step is a group or a lone one: what is wrong is told of the one it was meant to be. */
function explain(issue: z.core.$ZodIssue, value: unknown): Problem[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  if (issue.code === 'invalid_union' && path[0] === 'steps' && path.length === 2) {
    const step = (value as { steps: unknown[] }).steps[Number(path[1])];
    const isMeantAsGroup = typeof step === 'object' && step !== null && 'parallel' in step;
    const inner = (isMeantAsGroup ? stepShapes.group : stepShapes.lone).safeParse(step);
    return (inner.error?.issues ?? []).flatMap((each) =>
      explain({ ...each, path: [...path, ...each.path] } as z.core.$ZodIssue, value),
    );
  }
  if (issue.code === 'invalid_union') {
    const words = issue.errors.flatMap(([first]) => (first === undefined ? [] : [plain(first.message)]));
    return [{ path, message: [...new Set(words)].join(', or ') || plain(issue.message) }];
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field "${key}"` }));
  }
  const message = plain(issue.message);
  return [
    {
      path,
      message:
        issue.code === 'invalid_type' && message.includes('received undefined')
          ? `missing: ${message.replace(', received undefined', '')}`
          : message,
    },
  ];
}

function plain(message: string): string {
  return message.replace(/^Invalid input: /, '');
}

function unknownVariables(scenario: ScenarioFile, given: readonly string[]): Problem[] {
  const known = new Set([...BUILT_IN, ...given]);
  const problems: Problem[] = [];
  const check = (template: unknown, path: Path) => {
    for (const use of namesIn(template, path)) {
      if (!known.has(use.name)) {
        problems.push({
          path: use.path,
          message: `\${${use.name}} is not known here; expected one of ${[...known].join(', ')}`,
        });
      }
    }
  };
  for (const [name, template] of Object.entries(scenario.variables ?? {})) {
    check(template, ['variables', name]);
    known.add(name);
  }
  for (const [index, step] of scenario.steps.entries()) {
    const steps = isGroup(step) ? step.parallel : [step];
    for (const [inner, each] of steps.entries()) {
      check(each, isGroup(step) ? ['steps', index, 'parallel', inner] : ['steps', index]);
    }
    for (const name of steps.flatMap((each) => Object.keys(each.capture ?? {}))) {
      known.add(name);
    }
  }
  return problems;
}

function badMatchers(scenario: ScenarioFile): Problem[] {
  const inStep = (step: LoneStep, path: Path): Problem[] => [
    ...mistakesIn(step.expect?.body, [...path, 'expect', 'body']),
    ...mistakesIn(step.expect?.headers, [...path, 'expect', 'headers']),
    ...mistakesIn(step.feed?.where, [...path, 'feed', 'where']),
  ];
  return scenario.steps.flatMap((step, index) =>
    isGroup(step)
      ? step.parallel.flatMap((each, inner) => inStep(each, ['steps', index, 'parallel', inner]))
      : inStep(step, ['steps', index]),
  );
}

function nameOf(path: Path): string {
  return path.length === 0 ? '' : `${path.join('.')}: `;
}

/** Of what stands at the path, or of the nearest thing around it. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) {
      return lines.linePos(node.range[0]).line;
    }
  }
  return 1;
}
