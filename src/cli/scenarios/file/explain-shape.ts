/** Explains why a file does not have the shape of a scenario: every mistake, for the kind of step that was meant, in our own words. */

import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { nearestOf } from '../../unknown-command.ts';
import type { Path, Problem } from './check-scenario.ts';
import { ACTION_NAMES } from './scenario-actions.ts';
import { hasOneAction, ONE_ACTION, shapes } from './scenario-file.ts';

/** @param value the content of the YAML. @returns an empty list if it has the shape of a scenario. */
export function shapeMistakes(value: unknown): Problem[] {
  return [
    ...issuesOf(shapes.file, value, []),
    ...below(value, 'steps', [], inFile),
    ...below(value, 'finally', [], inFile),
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
      : [{ path, message: `${issue.input === undefined ? 'missing: ' : ''}${expectation(issue)}` }];
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

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'fields',
  record: 'fields',
  boolean: 'true or false',
};

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return issue.origin === 'number'
        ? `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
        : `expected ${issue.origin === 'array' ? 'a list' : 'text'} that is not empty`;
    case 'too_big':
      return `expected at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ''}`;
    case 'invalid_union': {
      const firsts = issue.errors.flatMap(([first]) => (first === undefined ? [] : [expectation(first)]));
      return [...new Set(firsts)].join(', or ').replaceAll(', or expected ', ' or ');
    }
    case 'invalid_key':
      return issue.issues.map(expectation).join(', ');
    default:
      // the message of a pattern or of a check of ours
      return `expected ${issue.message}`;
  }
}
