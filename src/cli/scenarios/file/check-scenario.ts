/** What is wrong with a file beside its shape: unknown variables, names used twice, invalid matchers. */
import { isJsonObject } from '../../../core/json.ts';
import { mistakesIn } from '../match.ts';
import { isGroup, isLoop, type ScenarioFile, type SingleStep, type Step } from './scenario-file.ts';
import { BUILT_IN, namesIn, unclosedIn } from './variables.ts';

export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** @param given names of variables that the command line fills. */
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
 * What can be checked of a file without the shape of a scenario. Parts of another shape are empty in it; their places stay, so that
 * paths into it are paths into the file.
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
