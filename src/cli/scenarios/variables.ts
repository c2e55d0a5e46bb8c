/** The variables of scenario files: `${name}` is checked before any step runs and filled in when its step runs. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import { usage } from '../failure.ts';

export type Variables = ReadonlyMap<string, unknown>;

/** Variables that every file has; `index` only within a repeated step. */
export const BUILT_IN = ['uuid', 'now', 'index'];

/** @param pairs NAME=VALUE, as --var takes them. @throws a usage failure for one without a name */
export function readGivenVariables(pairs: readonly string[]): Map<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) {
        throw usage(`--var ${pair} is not NAME=VALUE.`);
      }
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
}

const WHOLE = /^\$\{([^}]+)\}$/;
const EACH = /\$\{([^}]+)\}/g;

/** @returns a copy with every variable filled in. A text that consists of one variable becomes the value itself, of any type. */
export function fillIn<T>(template: T, variables: Variables): T {
  if (typeof template === 'string') {
    const name = WHOLE.exec(template)?.[1];
    const filled =
      name === undefined
        ? template.replaceAll(EACH, (_all, inner: string) => String(lookUp(inner, variables)))
        : lookUp(name, variables);
    return filled as T;
  }
  if (Array.isArray(template)) {
    return template.map((item: unknown) => fillIn(item, variables)) as T;
  }
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, fillIn(item, variables)])) as T;
  }
  return template;
}

/** @returns the variables that a template names, with the path of each */
export function namesIn(
  template: unknown,
  path: readonly (string | number)[] = [],
): { name: string; path: readonly (string | number)[] }[] {
  if (typeof template === 'string') {
    return [...template.matchAll(EACH)].map((match) => ({ name: (match[1] ?? '').trim(), path }));
  }
  if (typeof template !== 'object' || template === null) {
    return [];
  }
  return Object.entries(template).flatMap(([key, item]) =>
    namesIn(item, [...path, Array.isArray(template) ? Number(key) : key]),
  );
}

/** @returns the paths of texts with an unclosed variable */
export function unclosedIn(
  template: unknown,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof template === 'string') {
    return template.replaceAll(EACH, '').includes('${') ? [path] : [];
  }
  if (typeof template !== 'object' || template === null) {
    return [];
  }
  return Object.entries(template).flatMap(([key, item]) =>
    unclosedIn(item, [...path, Array.isArray(template) ? Number(key) : key]),
  );
}

function lookUp(name: string, variables: Variables): unknown {
  switch (name.trim()) {
    case 'uuid':
      return randomUUID();
    case 'now':
      return new Date().toISOString();
    default:
      return variables.get(name.trim());
  }
}

/**
 * The value at a path such as `orders.0.orderId`, `orders[0].orderId` or `/orders/0/orderId`, optionally with `$.` or `body.`
 * in front; undefined if there is none.
 */
export function readPath(value: unknown, path: string): unknown {
  const keys = keysOf(path);
  const found = descend(value, keys);
  return found === undefined && keys[0] === 'body' ? descend(value, keys.slice(1)) : found;
}

function keysOf(path: string): string[] {
  if (path.startsWith('/')) {
    return path.slice(1).split('/');
  }
  return path
    .replace(/^\$\.?/, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((key) => key !== '');
}

function descend(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as JsonObject)[key] : undefined,
    value,
  );
}
