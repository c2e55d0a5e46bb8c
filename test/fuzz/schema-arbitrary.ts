/** JSON Schema, as the OpenAPI document of this service writes it, to values that fit it. Knows the keywords that occur there and fails on others. */
import fc from 'fast-check';
import { REFERENCE_PATTERN } from '../../src/wire/page.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export type Resolve = (reference: string) => Schema;

const MOST_KEYS = 4;
const LONGEST = 12;
const PLAIN = /^[A-Za-z0-9._:-]{1,12}$/;

export function arbitraryOf(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return arbitraryOf(resolve(schema.$ref), resolve);
  }
  if (schema.const !== undefined) {
    return fc.constant(schema.const);
  }
  if (schema.enum !== undefined) {
    return fc.constantFrom(...schema.enum);
  }
  // beside properties they say which of these exclude each other; some of what is sent breaks that
  const choices = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
  if (choices !== undefined) {
    return fc.oneof(...choices.map((choice) => arbitraryOf(choice, resolve)));
  }
  const [type = schema.properties === undefined ? undefined : 'object'] = [schema.type ?? undefined].flat();
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1) });
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, resolve), { maxLength: 3 });
    case 'object':
      return objectOf(schema, resolve);
    case undefined:
      return fc.jsonValue({ maxDepth: 1 });
    default:
      throw new Error(`no arbitrary for the type ${type}`);
  }
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): fc.Arbitrary<number> {
  return fc.double({
    min: exclusiveMinimum ?? minimum ?? 0,
    max: exclusiveMaximum ?? maximum ?? 1_000,
    minExcluded: exclusiveMinimum !== undefined,
    maxExcluded: exclusiveMaximum !== undefined,
    noNaN: true,
  });
}

function textOf({ pattern, minLength = 0, maxLength = LONGEST }: Schema): fc.Arbitrary<string> {
  if (pattern === REFERENCE_PATTERN) {
    return fc.stringMatching(PLAIN);
  }
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' });
  }
  return fc.string({
    minLength: Math.min(minLength, LONGEST),
    maxLength: Math.min(maxLength, LONGEST),
    unit: 'grapheme',
  });
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, resolve: Resolve) {
  const shapes = Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [name, arbitraryOf(shape, resolve)]),
  );
  const named = fc.record(shapes, { requiredKeys: [...required] as never });
  if (typeof additionalProperties !== 'object') {
    return named;
  }
  const more = fc.dictionary(fc.stringMatching(PLAIN), arbitraryOf(additionalProperties, resolve), {
    maxKeys: MOST_KEYS,
  });
  return fc.tuple(more, named).map(([extra, known]) => ({ ...extra, ...known }));
}
