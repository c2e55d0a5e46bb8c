/** Explains why a file does not have the shape of a scenario: every mistake, for the kind of step that was meant. */

import type { z } from 'zod';
import { isJsonObject } from '../../../core/json.ts';
import type { Path, Problem } from './check-scenario.ts';
import { shapes } from './scenario-file.ts';

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

const inGroup: Explain = (step, path) => issuesOf(shapes.single, step, path);

function below(value: unknown, field: string, path: Path, explain: Explain): Problem[] {
  const steps = isJsonObject(value) ? value[field] : undefined;
  return Array.isArray(steps) ? steps.flatMap((step, index) => explain(step, [...path, field, index])) : [];
}

function issuesOf(shape: z.ZodType, value: unknown, path: Path): Problem[] {
  return (shape.safeParse(value).error?.issues ?? []).flatMap((issue) => word(issue, path));
}

function word(issue: z.core.$ZodIssue, above: Path): Problem[] {
  const path = [...above, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
  switch (issue.code) {
    case 'invalid_union': {
      const words = issue.errors.flatMap(([first]) => (first === undefined ? [] : [plain(first.message)]));
      return [{ path, message: missingOr([...new Set(words)].join(', or ') || plain(issue.message)) }];
    }
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field "${key}"` }));
    case 'invalid_key':
      return [{ path, message: `expected ${issue.issues.map(({ message }) => plain(message)).join(', ')}` }];
    default:
      return [{ path, message: missingOr(plain(issue.message)) }];
  }
}

function plain(message: string): string {
  return message.replace(/^Invalid input: /, '');
}

/** A missing field is reported once, whatever its alternatives. */
function missingOr(message: string): string {
  return message.includes('received undefined')
    ? `missing: ${message.replaceAll(', received undefined', '')}`
    : message;
}
