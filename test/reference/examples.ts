/** The recorded examples, to be checked: every part of them with the place where it stands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { Examples, Exchange } from './recording.ts';

export const EXAMPLES_FILE = join(projectRoot, 'fixtures', 'recorded-examples.json');

export const readExamples = (): Examples => JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));

/** An object of an example. */
export interface Part {
  /** The operation or the event, the summary, and the fields that lead to it. */
  readonly at: string;
  /** The field that has it; empty for a whole body. */
  readonly field: string;
  readonly node: AnyJson;
}

/** Every object of responses and events. */
export function partsOf({ operations, webhooks }: Examples): Part[] {
  const parts: Part[] = [];
  const walk = (node: AnyJson, at: string, field: string): void => {
    if (Array.isArray(node)) {
      node.forEach((one, place) => {
        walk(one, `${at}[${place}]`, field);
      });
    } else if (typeof node === 'object' && node !== null) {
      parts.push({ at, field, node });
      for (const [name, one] of Object.entries(node)) {
        walk(one, `${at}.${name}`, name);
      }
    }
  };
  for (const { operationId, exchange } of exchangesOf({ operations, webhooks })) {
    walk(exchange.body, `${operationId} "${exchange.summary}"`, '');
  }
  for (const [type, events] of Object.entries(webhooks)) {
    for (const { summary, body } of events) {
      walk(body, `${type} "${summary}"`, '');
    }
  }
  return parts;
}

export function exchangesOf({ operations }: Examples): { operationId: string; exchange: Exchange }[] {
  return Object.entries(operations).flatMap(([operationId, exchanges]) =>
    exchanges.map((exchange) => ({ operationId, exchange })),
  );
}

/** Bodies of responses to one operation that were no refusal. */
export const answersOf = ({ operations }: Examples, operationId: string): Exchange[] =>
  (operations[operationId] ?? []).filter(({ status }) => status < 300);
