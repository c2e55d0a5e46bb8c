/** Compares one answer with the expectation of its step. */
import type { ApiAnswer } from '../service/api-client.ts';
import type { Expectation } from './file/scenario-file.ts';
import { readPath } from './file/variables.ts';
import { brokenIdentities } from './identities.ts';
import { type Mismatch, mismatches } from './match.ts';

/** @returns the differences from what the step expects; an empty list if it passes. */
export function judge(expected: Expectation, { status, body, headers }: ApiAnswer<unknown>): Mismatch[] {
  const wrong: Mismatch[] = [];
  if (!isWanted(expected, status)) {
    wrong.push({ path: 'status', expected: expected.status ?? 'below 400', actual: status });
    if (status >= 400) {
      wrong.push({ path: 'error', expected: expected.error ?? 'none', actual: wordError(body) });
    }
    return wrong;
  }
  const error = readPath(body, 'error');
  if (expected.error !== undefined && error !== expected.error) {
    wrong.push({ path: 'error', expected: expected.error, actual: error ?? null });
  }
  const sent = Object.fromEntries(headers);
  return [
    ...wrong,
    ...(expected.body === undefined ? [] : mismatches(expected.body, body)),
    ...(expected.headers === undefined ? [] : mismatches(lowerCased(expected.headers), sent, ['headers'])),
    ...(expected.identities === true ? brokenIdentities(body) : []),
  ];
}

function isWanted({ status, error }: Expectation, actual: number): boolean {
  return status === undefined ? actual < 400 || error !== undefined : [status].flat().includes(actual);
}

function wordError(body: unknown): unknown {
  const [error, message] = [readPath(body, 'error'), readPath(body, 'message')];
  return error === undefined ? body : `${error}: ${message}`;
}

function lowerCased<Value>(headers: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
