/**
 * Finds the mistakes of a scenario file before any step runs: a wrong shape, explained in our own words for the kind of step that was
 * meant, then unknown variables, names used twice and invalid matchers.
 */
import { z } from 'zod';
import { expectation } from '../../core/expectation.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { nearestOf } from '../unknown-command.ts';
import { mistakesIn } from './judge.ts';
import {
  ACTION_NAMES,
  hasOneAction,
  isGroup,
  isLoop,
  ONE_ACTION,
  type ScenarioFile,
  type SingleStep,
  type Step,
  shapes,
} from './scenario-file.ts';
import { BUILT_IN, namesIn, unclosedIn } from './variables.ts';

export type Path = readonly (string | number)[];

interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** @param value the content of the YAML. @returns every mistake of its shape; an empty list if it has the shape of a scenario */
export function shapeMistakes(value: unknown): Problem[] {
  return [
    ...issuesOf(shapes.file, value, []),
    ...below(value, 'steps', [], inFile),
    ...below(value, 'finally', [], inFile),
  ];
}

/** @param given names of variables that the command line fills. @returns every mistake but those of the shape */
export function mistakesOf(scenario: ScenarioFile, given: readonly string[]): Problem[] {
  return [
    ...unknownVariables(scenario, given),
    ...unclosedIn(scenario).map((path) => ({ path, message: `a "\${" without its "}"` })),
    ...takenNames(scenario),
    ...repeatedNames(scenario.steps, ['steps']),
    ...repeatedNames(scenario.finally ?? [], ['finally']),
    ...allSteps(scenario).flatMap(({ step, path }) => badMatchers(step, path)),
  ];
}

/**
 * Makes a scenario of a file that may not have the shape of one, so that its other parts can be checked too. Parts of another shape become
 * empty and keep their places, so that paths into the result are paths into the file.
 */
export function readablePart(value: unknown): ScenarioFile {
  const { name, variables, steps, finally: last } = fieldsOf(value);
  const read = {
    name,
    variables: fieldsOf(variables),
    steps: listOf(steps, readStep),
    finally: listOf(last, readStep),
  };
  return read as ScenarioFile;
}

function readStep(value: unknown): object {
  const step = fieldsOf(value);
  return {
    ...step,
    ...('steps' in step ? { steps: listOf(step['steps'], readStep), each: listOf(step['each'], fieldsOf) } : {}),
    ...('parallel' in step ? { parallel: listOf(step['parallel'], readStep) } : {}),
    ...Object.fromEntries(
      ['capture', 'expect', 'feed'].filter((name) => name in step).map((name) => [name, fieldsOf(step[name])]),
    ),
  };
}

const fieldsOf = (value: unknown) => (isJsonObject(value) ? value : {});
const listOf = <T>(value: unknown, read: (item: unknown) => T) => (Array.isArray(value) ? value.map(read) : []);

interface Placed {
  readonly step: SingleStep;
  readonly path: Path;
}

function allSteps(scenario: ScenarioFile): Placed[] {
  return [...singleSteps(scenario.steps, ['steps']), ...singleSteps(scenario.finally ?? [], ['finally'])];
}

/** All steps, those of groups and loops included, each with its path. */
export function singleSteps(steps: readonly Step[], path: Path): Placed[] {
  return steps.flatMap((step, index) => {
    const here = [...path, index];
    if (isLoop(step)) {
      return singleSteps(step.steps, [...here, 'steps']);
    }
    return isGroup(step) ? singleSteps(step.parallel, [...here, 'parallel']) : [{ step, path: here }];
  });
}

/** In order of execution: a step sees what earlier ones captured, but not what its own group captures. */
function unknownVariables(scenario: ScenarioFile, given: readonly string[]): Problem[] {
  const known = new Set([...BUILT_IN, ...given]);
  const problems: Problem[] = [];
  const check = (template: unknown, path: Path, more: readonly string[]) => {
    for (const use of namesIn(template, path)) {
      if (!known.has(use.name) && !more.includes(use.name)) {
        const message = `\${${use.name}} is not known here; expected one of ${[...known, ...more].join(', ')}`;
        problems.push({ path: use.path, message });
      }
    }
  };
  const walk = (steps: readonly Step[], path: Path, row: readonly string[]) => {
    for (const [index, step] of steps.entries()) {
      const here = [...path, index];
      if (isLoop(step)) {
        const ofLoop = [...new Set((step.each ?? []).flatMap((each) => Object.keys(each)))];
        check(step.each, [...here, 'each'], []);
        walk(step.steps, [...here, 'steps'], ofLoop);
        continue;
      }
      const placed = isGroup(step) ? singleSteps(step.parallel, [...here, 'parallel']) : [{ step, path: here }];
      for (const { step: single, path: at } of placed) {
        check(single, at, row);
      }
      for (const name of placed.flatMap(({ step: single }) => Object.keys(single.capture ?? {}))) {
        known.add(name);
      }
    }
  };
  for (const [name, template] of Object.entries(scenario.variables ?? {})) {
    check(template, ['variables', name], []);
    known.add(name);
  }
  walk(scenario.steps, ['steps'], []);
  walk(scenario.finally ?? [], ['finally'], []);
  return problems;
}

/** Built-in variables cannot be set. */
function takenNames(scenario: ScenarioFile): Problem[] {
  const reserved = (names: object | undefined, path: Path): Problem[] =>
    Object.keys(names ?? {})
      .filter((name) => BUILT_IN.includes(name))
      .map((name) => ({ path: [...path, name], message: `${name} is built in; expected another name` }));
  return [
    ...reserved(scenario.variables, ['variables']),
    ...allSteps(scenario).flatMap(({ step, path }) => reserved(step.capture, [...path, 'capture'])),
  ];
}

/** A report identifies steps by their names. */
function repeatedNames(steps: readonly Step[], path: Path): Problem[] {
  const first = new Map<string, number>();
  return steps.flatMap((step, index) => {
    const below = isLoop(step)
      ? repeatedNames(step.steps, [...path, index, 'steps'])
      : isGroup(step)
        ? repeatedNames(step.parallel, [...path, index, 'parallel'])
        : [];
    const earlier = first.get(step.name);
    if (earlier === undefined || step.name === undefined) {
      first.set(step.name, index);
      return below;
    }
    const message = `the name "${step.name}" is already used by step ${earlier + 1}`;
    return [{ path: [...path, index, 'name'], message }, ...below];
  });
}

function badMatchers(step: SingleStep, path: Path): Problem[] {
  return [
    ...mistakesIn(step.expect?.body, [...path, 'expect', 'body']),
    ...mistakesIn(step.expect?.headers, [...path, 'expect', 'headers']),
    ...mistakesIn(step.feed?.where, [...path, 'feed', 'where']),
  ];
}

type Explain = (step: unknown, path: Path) => Problem[];

const inFile: Explain = (step, path) =>
  isJsonObject(step) && 'steps' in step && !('parallel' in step)
    ? [...issuesOf(shapes.loop, step, path), ...below(step, 'steps', path, inLoop)]
    : inLoop(step, path);

const inLoop: Explain = (step, path) =>
  isJsonObject(step) && 'parallel' in step
    ? [...issuesOf(shapes.group, step, path), ...below(step, 'parallel', path, inGroup)]
    : inGroup(step, path);

/** zod counts the actions of a step only when the step has few other mistakes; an unknown field may be the action that was meant. */
const inGroup: Explain = (step, path) => {
  const problems = issuesOf(shapes.single, step, path).filter(({ message }) => message !== ONE_ACTION);
  const isCounted = !isJsonObject(step) || hasOneAction(step) || hasMisspeltAction(step);
  return isCounted ? problems : [...problems, { path, message: ONE_ACTION }];
};

function hasMisspeltAction(step: JsonObject): boolean {
  const strange = Object.keys(step).filter((name) => !(name in shapes.single.shape));
  return strange.some((name) => nearestOf(name, ACTION_NAMES) !== undefined);
}

function below(value: unknown, field: string, path: Path, explain: Explain): Problem[] {
  const steps = isJsonObject(value) ? value[field] : undefined;
  return Array.isArray(steps) ? steps.flatMap((step, index) => explain(step, [...path, field, index])) : [];
}

function issuesOf(shape: z.ZodType, value: unknown, above: Path): Problem[] {
  return (shape.safeParse(value, { reportInput: true }).error?.issues ?? []).flatMap((issue) => {
    const inside = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    const path = [...above, ...inside];
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], message: unknownField(key, fieldsAt(shape, inside)) }))
      : [{ path, message: `${issue.code === 'custom' ? 'expected ' : ''}${expectation(issue, 'fields')}` }];
  });
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = nearestOf(name, known);
  return `unknown field "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** Names of the fields that the object at this path may have. */
function fieldsAt(shape: unknown, path: Path): string[] {
  if (shape instanceof z.ZodOptional) {
    return fieldsAt(shape.unwrap(), path);
  }
  if (!(shape instanceof z.ZodObject)) {
    return [];
  }
  const [name, ...rest] = path;
  return name === undefined ? Object.keys(shape.shape) : fieldsAt(shape.shape[name], rest);
}
