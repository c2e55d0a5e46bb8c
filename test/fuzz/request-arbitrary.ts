/** Requests made from the OpenAPI document: valid ones, whose ids are of the world they are sent to, and the same broken in one place. */
import fc from 'fast-check';
import type { AnyJson } from '../support/any-json.ts';
import { arbitraryOf, type Resolve, type Schema } from './schema-arbitrary.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** What the document says of answers, by status. */
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: Schema }> }>>;
  readonly isEmbed: boolean;
  readonly isOpen: boolean;
}

export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  /** With path parameters filled in and encoded, without a query. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** As sent. */
  readonly body: string | undefined;
  /** What was broken; null where the request should fit the document. */
  readonly broken: string | null;
}

/** Ids of things that are there, by the name of the parameter or field that takes them. */
export type Pools = Readonly<Record<string, readonly string[]>>;

export function listOperations(document: AnyJson): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, never>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]: [string, AnyJson]) => ({
      path,
      method: method.toUpperCase(),
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.['application/json']?.schema ?? null,
      responses: operation.responses,
      isEmbed: JSON.stringify(operation.security ?? []) === '[{"embedToken":[]}]',
      isOpen: !JSON.stringify(operation.security ?? []).includes('apiKey'),
    })),
  );
}

/** @param pools ids of the world. @param credentials the headers of a caller of that kind of route. */
export function requestArbitrary(
  operations: readonly Operation[],
  resolve: Resolve,
  pools: Pools,
  credentials: (operation: Operation) => Readonly<Record<string, string>>,
): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...operations).chain((operation) => {
    const valid = validArbitrary(operation, resolve, pools, credentials(operation));
    return fc.oneof({ weight: 1, arbitrary: valid }, { weight: 2, arbitrary: valid.chain(breakInOnePlace) });
  });
}

function validArbitrary(
  operation: Operation,
  resolve: Resolve,
  pools: Pools,
  credentials: Readonly<Record<string, string>>,
): fc.Arbitrary<FuzzRequest> {
  const places = (kind: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === kind);
  const valueFor = ({ name, schema }: Parameter, owner = '') =>
    fromPools(pools, owner + name, arbitraryOf(schema, resolve));
  const owner = operation.path.split('/').at(-2) ?? '';
  const path = fc.tuple(
    ...places('path').map((parameter) => valueFor(parameter, `${nameOf(operation.path, parameter.name)}.`)),
  );
  const query = fc.tuple(
    ...places('query').map((parameter) =>
      parameter.required === true
        ? valueFor(parameter).map((value) => [value])
        : fc.option(valueFor(parameter), { nil: undefined }).map((value) => (value === undefined ? [] : [value])),
    ),
  );
  const body =
    operation.body === null ? fc.constant(undefined) : withPools(arbitraryOf(operation.body, resolve), pools);
  return fc.tuple(path, query, body).map(([pathValues, queryValues, sent]) => {
    let filled = operation.path;
    for (const [index, { name }] of places('path').entries()) {
      filled = filled.replace(`{${name}}`, segmentOf(String(pathValues[index])));
    }
    return {
      operation,
      method: operation.method,
      path: filled,
      query: places('query').flatMap(({ name }, index) =>
        (queryValues[index] ?? []).flat().map((value) => [name, String(value)] as const),
      ),
      headers: { ...credentials, ...(owner === '' ? {} : {}) },
      body: sent === undefined ? undefined : JSON.stringify(sent),
      broken: null,
    };
  });
}

/** `/users/{id}/limits` takes another id than `/orders/{id}`. */
function nameOf(path: string, parameter: string): string {
  const parts = path.split('/');
  return parts[parts.indexOf(`{${parameter}}`) - 1] ?? '';
}

function fromPools(pools: Pools, name: string, made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const known = pools[name];
  return known === undefined || known.length === 0
    ? made
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: made });
}

function withPools(made: fc.Arbitrary<unknown>, pools: Pools): fc.Arbitrary<unknown> {
  return fc.tuple(made, fc.nat(), fc.nat(4)).map(([value, pick, chance]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || chance === 0) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const known = pools[name];
        return [name, known === undefined || known.length === 0 ? inner : known[pick % known.length]];
      }),
    );
  });
}

const ODD_NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'extra', '', '\u0000', 'a.b', '$ref'];
const ODD_VALUES = [
  null,
  true,
  -1,
  0,
  1e308,
  -0.5,
  1e-9,
  '',
  ' ',
  '\u0000',
  '\ud800',
  "' or 1=1 --",
  '\u202eabc',
  'x'.repeat(5_000),
  [],
  {},
  [[[]]],
  '9999-12-31T23:59:59.999999999Z',
  '+010000-01-01T00:00:00Z',
  'NaN',
  '1e999',
  '-0',
  '../..',
];
const ODD_BODIES = [
  '{',
  '',
  'null',
  '[]',
  '"x"',
  '{"a":1}}',
  '\ufeff{}',
  '{"__proto__":{"a":1}}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  `{"a":"${'x'.repeat(70_000)}"}`,
];
const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { authorization: '' },
  { authorization: 'Bearer nonsense' },
  { authorization: 'Embed nonsense' },
  { authorization: `Bearer pk_test_${'a'.repeat(40)}` },
  { 'x-service-user': '' },
  { 'x-service-user': '\u0001' },
  { 'x-service-user': 'x'.repeat(300) },
  { 'x-operator-user': 'somebody-else' },
  { 'x-service-operator': 'op_nobody' },
  { 'if-none-match': '*' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { accept: 'application/xml' },
  { 'x-large': 'x'.repeat(20_000) },
  { origin: 'https://evil.example' },
  { expect: '100-continue' },
];

function breakInOnePlace(request: FuzzRequest): fc.Arbitrary<FuzzRequest> {
  const odd = fc.constantFrom(...ODD_VALUES);
  const ways: fc.Arbitrary<FuzzRequest>[] = [
    fc.constantFrom(...ODD_HEADERS).map((headers) => ({
      ...request,
      headers: { ...request.headers, ...headers },
      broken: `header ${Object.keys(headers)[0]}`,
    })),
    fc
      .constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH')
      .filter((method) => method !== request.method)
      .map((method) => ({ ...request, method, broken: `method ${method}` })),
    fc.tuple(fc.constantFrom(...ODD_NAMES), odd).map(([name, value]) => ({
      ...request,
      query: [...request.query, [name, String(value)] as const],
      broken: `query ${name} added`,
    })),
  ];
  const { parameters } = request.operation;
  const named = parameters.filter((parameter) => parameter.in === 'query');
  if (named.length > 0) {
    ways.push(
      fc.tuple(fc.constantFrom(...named), odd, fc.boolean()).map(([{ name }, value, twice]) => ({
        ...request,
        query: [...request.query.filter(([other]) => twice || other !== name), [name, String(value)] as const],
        broken: `query ${name}`,
      })),
    );
  }
  if (request.operation.path.includes('{')) {
    ways.push(
      odd.map((value) => ({
        ...request,
        path: request.operation.path.replace(/\{\w+\}/, segmentOf(String(value).toWellFormed()) || '%20'),
        broken: 'path',
      })),
    );
  }
  if (request.body !== undefined) {
    const parsed: unknown = JSON.parse(request.body);
    ways.push(fc.constantFrom(...ODD_BODIES).map((body) => ({ ...request, body, broken: 'body' })));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      const fields = Object.keys(parsed);
      const change = (name: string, value: unknown, what: string): FuzzRequest => ({
        ...request,
        body: JSON.stringify(
          Object.fromEntries([
            ...Object.entries(parsed).filter(([other]) => other !== name),
            ...(value === undefined ? [] : [[name, value]]),
          ]),
        ),
        broken: `${what} ${name}`,
      });
      ways.push(
        fc.tuple(fc.constantFrom(...ODD_NAMES), odd).map(([name, value]) => change(name, value, 'field added')),
      );
      if (fields.length > 0) {
        ways.push(fc.constantFrom(...fields).map((name) => change(name, undefined, 'field left out')));
        ways.push(fc.tuple(fc.constantFrom(...fields), odd).map(([name, value]) => change(name, value, 'field')));
      }
    }
  }
  return fc.oneof(...ways);
}

/** A value as one segment of a path. Dots alone cannot be sent: every client reads them as this folder or the one above. */
function segmentOf(value: string): string {
  const encoded = encodeURIComponent(value).replaceAll('.', '%2E');
  return /^(%2E){1,2}$/.test(encoded) ? 'dots' : encoded;
}
