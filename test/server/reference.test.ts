/**
 * The reference is complete: each operation and each event has recorded examples that fit their schemas, each field and parameter a
 * description, and what many operations have is written once.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchangesOf, readExamples } from '../reference/examples.ts';
import type { AnyJson } from '../support/any-json.ts';
import { DOCUMENTS, readDescription } from '../support/openapi.ts';
import { openWorld, type World } from '../support/world.ts';

interface Media {
  schema?: Record<string, unknown>;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; example?: unknown }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

let service: World;
let document: {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, object> };
};

beforeAll(async () => {
  service = await openWorld({ environment: { INLAY_PUBLIC_URL: 'https://markets.casino.example' } });
  document = await readDescription(service);
});
afterAll(() => service.close());

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));
const events = () => Object.values(document.webhooks).map(({ post }) => post);

const RECORD = 'record it: add a request to a story in test/reference, and run recorded-examples.test.ts with -u';

/** Pictures have no text that could be shown. */
const isShown = (type: string) => !type.startsWith('image/');

test('0 operations and events without a recorded example', () => {
  expect(operations().length).toBeGreaterThan(55);
  const without = [...operations(), ...events()].flatMap(({ operationId, parameters = [], requestBody, responses }) => [
    ...Object.entries(requestBody?.content ?? {})
      .filter(([, { examples }]) => requestBody?.required === true && examples === undefined)
      .map(() => `${operationId}: its request`),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content)
          .filter(([type, { examples }]) => isShown(type) && examples === undefined)
          .map(([type]) => `${operationId}: its response ${status} as ${type}`),
      ),
    ...parameters
      .filter(({ in: place, required, example }) => place !== 'header' && required === true && example === undefined)
      .map(({ name }) => `${operationId}: its parameter ${name}`),
  ]);
  expect(without, RECORD).toEqual([]);
});

test('0 recorded examples without a place in the document', () => {
  const known = new Map(operations().map((one) => [one.operationId, one]));
  const lost = exchangesOf(readExamples()).filter(
    ({ operationId, exchange: { status, type } }) =>
      known.get(operationId)?.responses[status]?.content?.[type] === undefined,
  );
  expect(lost.map(({ operationId, exchange }) => `${operationId} "${exchange.summary}"`)).toEqual([]);
  expect(Object.keys(readExamples().webhooks).sort()).toEqual(Object.keys(document.webhooks).sort());
});

test('each example fits its schema: of requests, responses, refusals and events', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, unicodeRegExp: true }));
  let checked = 0;
  const wrong = [...operations(), ...events()].flatMap(({ operationId, requestBody, responses }) =>
    [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)].flatMap((content) => {
      const { schema, examples = {} } = content['application/json'] ?? {};
      if (schema === undefined) {
        return [];
      }
      const check = ajv.compile({ ...schema, components: document.components });
      return Object.entries(examples).flatMap(([name, { value }]) => {
        checked += 1;
        return check(value) ? [] : [`${operationId} ${name}: ${ajv.errorsText(check.errors)}`];
      });
    }),
  );
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(250);
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
      if (key !== 'examples' && !saysWhichExclude) {
        walk(child, `${path}.${key}`);
      }
    }
  };
  walk(document.components.schemas, '');
  walk(document.paths, '');
  for (const { operationId, parameters = [] } of operations()) {
    bare.push(...parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`));
  }
  expect(seen).toBeGreaterThan(700);
  expect(bare).toEqual([]);
});

test('a generator finds nothing of our validator, ids that are identifiers, and the public address', async () => {
  for (const path of DOCUMENTS) {
    const { body, text } = await service.request('GET', path, { key: null });
    expect([path, body.servers]).toEqual([path, [{ url: 'https://markets.casino.example' }]]);
    expect(text).not.toMatch(/9007199254740991|starts_with/);
    const named = [body.paths, body.webhooks ?? {}].flatMap((paths) =>
      Object.values<AnyJson>(paths).flatMap((methods) => Object.values<AnyJson>(methods).map((one) => one.operationId)),
    );
    expect(named.filter((one) => !/^[a-z][A-Za-z0-9]+$/.test(one))).toEqual([]);
    for (const [, schema = ''] of text.matchAll(/(\{[^{}]*"pattern":"(?:[^"\\]|\\.)*"[^{}]*\})/g)) {
      expect(schema).toContain('"type":"string"');
      expect(schema).not.toContain('"date-time"');
    }
  }
});

test('money, events and refusals that many operations have stand once', async () => {
  const { body } = await service.request('GET', '/openapi.json', { key: null });
  const { schemas, responses, parameters } = body.components;
  for (const name of ['OperatorMoney', 'OperatorExitMoney', 'SettlementMoney', 'FillMoney', 'OrderFilledEvent']) {
    expect(schemas).toHaveProperty(name);
  }
  for (const type of Object.keys(body.webhooks)) {
    const { schema } = body.webhooks[type].post.requestBody.content['application/json'];
    expect([type, Object.keys(schema)]).toEqual([type, ['$ref']]);
  }
  const text = JSON.stringify([schemas, body.paths]);
  expect(text.split('"authorizationAmount":{').length - 1).toBe(4);
  for (const code of ['request_timeout', 'headers_too_large', 'missing_credentials', 'rate_limited']) {
    expect([code, JSON.stringify(body.paths).includes(`"${code}"`)]).toEqual([code, code === 'missing_credentials']);
  }
  expect(Object.keys(parameters)).toEqual(['RequiredServiceUser', 'ServiceOperator', 'ServiceUser']);
  expect(JSON.stringify(body.paths)).not.toContain('"x-service-operator"');
  expect(responses.KeyRefused.content['application/json'].examples).toHaveProperty('invalid_key');
});

// contract 7.9
test('tradable is a boolean, and the service goes on taking it as text', async () => {
  const parameters = document.paths['/api/v1/events']?.['get']?.parameters as AnyJson[];
  expect(parameters.find(({ name }) => name === 'tradable').schema).toEqual({ type: 'boolean' });
  for (const [value, status] of [
    ['true', 200],
    ['false', 200],
    ['yes', 400],
  ] as const) {
    expect((await service.request('GET', `/api/v1/events?tradable=${value}`)).status).toBe(status);
  }
});

// contract 42.1
test('the calls of the frame have a document of their own', async () => {
  const [partners, frame] = await Promise.all(
    DOCUMENTS.map(async (path) => (await service.request('GET', path, { key: null })).body),
  );
  expect(Object.keys(partners.paths).filter((path) => path.startsWith('/api/embed/'))).toEqual([]);
  expect(Object.keys(frame.paths).filter((path) => !path.startsWith('/api/embed/'))).toEqual([]);
  expect(Object.keys(frame.paths).length).toBeGreaterThan(12);
  expect(Object.keys(frame.components.securitySchemes)).toEqual(['embedToken']);
  expect([frame.webhooks, frame.tags.map(({ name }: AnyJson) => name)]).toEqual([undefined, ['Embed frame']]);
});
