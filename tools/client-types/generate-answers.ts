/**
 * Writes the fields that every response of the partner API holds (`src/client/answer-fields.ts`), by which a client distinguishes it from
 * another program's.
 */
import type { OpenAPI3 } from 'openapi-typescript';

const HEAD = `/**
 * Fields by which a response is recognised as the service's: its first one, and those that hold something; \`[]\` marks a list, with the
 * first field of its items. Written by \`npm run client\` from the OpenAPI document; do not edit it here.
 */
export const ANSWER_FIELDS: Readonly<Record<string, readonly string[]>> = `;
const PLAIN = new Set(['string', 'number', 'integer', 'boolean']);
const METHODS = ['get', 'post', 'put', 'delete'];

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

/** @param document OpenAPI 3.1, as `/openapi.json` serves it. */
export function generateAnswers(document: object): string {
  const { paths = {}, components } = document as OpenAPI3;
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  /** The first field of each item of a list, if the items have one. */
  const firstOf = (items: Schema): string => {
    const { anyOf, oneOf, ...rest } = resolve(items);
    const [first, ...others] = [anyOf ?? oneOf ?? [rest]].flat().map((one) => resolve(one).required ?? []);
    const name = first?.find((each) => others.every((required) => required.includes(each)));
    return name === undefined ? '' : `.${name}`;
  };
  const fieldsOf = (operation: Operation): string[] | undefined => {
    const answers = ['200', '201'].flatMap((status) => {
      const schema = operation.responses?.[status]?.content?.['application/json']?.schema;
      return schema === undefined ? [] : [resolve(schema)];
    });
    const [first, ...others] = answers;
    const fields = first?.required?.filter((name) => others.every(({ required }) => required?.includes(name) === true));
    // not every field: a client may be newer than the service, which then lacks a field that is not needed
    return fields?.flatMap((name, place) => {
      const { type, items } = resolve(first?.properties?.[name] ?? {});
      const isList = type === 'array' && !PLAIN.has(resolve(items ?? {}).type ?? '');
      return isList ? [`${name}[]${firstOf(items ?? {})}`] : place === 0 || type === 'object' ? [name] : [];
    });
  };
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = (operations as Readonly<Record<string, Operation>>)[method];
      const fields = operation === undefined ? undefined : fieldsOf(operation);
      return fields === undefined ? [] : [`  '${method} ${path}': [${fields.map((name) => `'${name}'`).join(', ')}],`];
    }),
  );
  return `${HEAD}{\n${lines.join('\n')}\n};\n`;
}
