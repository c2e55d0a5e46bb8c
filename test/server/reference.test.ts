/** The reference is complete: each operation has an example that fits its schema, each field and parameter a description. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

interface Media {
  schema?: Record<string, unknown>;
  example?: unknown;
  /** Of an operation with an answer for each state. */
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

let service: World;
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, object> } };

beforeAll(async () => {
  service = await openWorld();
  document = (await service.request('GET', '/openapi.json', { key: null })).body;
});
afterAll(() => service.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, operation })),
  );

/** What is sent and what is answered when all goes well. */
const mediaOf = ({ requestBody, responses }: Operation): [string, Media][] => [
  ...Object.entries(requestBody?.content ?? {}),
  ...Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.entries(content ?? {})),
];

const examplesOf = ({ example, examples = {} }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

test('0 operations without an example', () => {
  const without = operations().filter(({ operation }) => {
    const media = mediaOf(operation);
    return media.length === 0 || media.some(([, one]) => examplesOf(one).length === 0);
  });
  expect(operations().length).toBeGreaterThan(45);
  expect(without.map(({ at }) => at)).toEqual([]);
});

test('each example fits its schema', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, unicodeRegExp: true }));
  const wrong = operations().flatMap(({ at, operation }) =>
    mediaOf(operation).flatMap(([type, { schema, ...media }]) => {
      if (type !== 'application/json' || schema === undefined) {
        return [];
      }
      const check = ajv.compile({ ...schema, components: document.components });
      return examplesOf(media).flatMap((example) => (check(example) ? [] : [`${at}: ${ajv.errorsText(check.errors)}`]));
    }),
  );
  expect(wrong).toEqual([]);
});

test('0 fields and parameters without a description', () => {
  const bare: string[] = [];
  let seen = 0;
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) {
      return;
    }
    const node = part as Record<string, unknown>;
    for (const [name, field] of Object.entries((node['properties'] ?? {}) as Record<string, Record<string, unknown>>)) {
      seen += 1;
      if (field['$ref'] === undefined && !field['description']) {
        bare.push(`${path}.${name}`);
      }
    }
    for (const [key, child] of Object.entries(node)) {
      // choices beside the fields only say which of them exclude each other
      const saysWhichExclude = node['properties'] !== undefined && (key === 'anyOf' || key === 'oneOf');
      if (key !== 'example' && !saysWhichExclude) {
        walk(child, `${path}.${key}`);
      }
    }
  };
  walk(document.components.schemas, '');
  walk(document.paths, '');
  for (const { at, operation } of operations()) {
    bare.push(
      ...(operation.parameters ?? []).filter(({ description }) => !description).map(({ name }) => `${at} ${name}`),
    );
  }
  expect(seen).toBeGreaterThan(700);
  expect(bare).toEqual([]);
});
