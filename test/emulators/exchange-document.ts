/** What an exchange's OpenAPI document says of its answers, and whether recorded answers of the emulator fit it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { projectRoot } from '../../src/core/environment.ts';
import type { Recorded } from './recording-proxy.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
interface Documented {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly [key: string]: Json } }>>;
}
interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, Documented>> }>>>
  >;
  readonly components: { readonly [key: string]: Json };
}

export interface ExchangeDocument {
  /** `GET /markets/{ticker}` for a recorded answer; undefined if the document has no such route. */
  routeOf(recorded: Recorded): string | undefined;
  /** What does not fit, in words; empty for an answer as documented. */
  misfitsOf(recorded: Recorded): readonly string[];
}

const fileOf = (name: string) => join(projectRoot, 'fixtures', 'venues', `${name}.json`);

/** @param name of the shapes that are kept of the exchange's document */
export function readExchangeDocument(name: string): ExchangeDocument {
  const document = jsonSchemaOf(JSON.parse(readFileSync(fileOf(name), 'utf8')) as Json) as unknown as OpenApi;
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    variables: template.split('{').length,
  }));
  templates.sort((one, other) => one.variables - other.variables);

  const templateOf = ({ method, path }: Recorded) =>
    templates.find(
      ({ template, pattern }) => pattern.test(path) && document.paths[template]?.[method.toLowerCase()] !== undefined,
    )?.template;

  return {
    routeOf(recorded) {
      const template = templateOf(recorded);
      return template === undefined ? undefined : `${recorded.method} ${template}`;
    },
    misfitsOf(recorded) {
      const template = templateOf(recorded) ?? '';
      const { responses } = document.paths[template]?.[recorded.method.toLowerCase()] ?? {};
      const documented = responses?.[recorded.status] ?? responses?.['default'];
      if (documented === undefined) {
        return [`status ${recorded.status} is not documented`];
      }
      const schema = documented.content?.['application/json']?.schema;
      if (schema === undefined) {
        return [];
      }
      const fits = ajv.compile({ ...schema, components: document.components });
      return fits(recorded.body) ? [] : (fits.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    },
  };
}

/** OpenAPI 3.0 says `nullable: true` where JSON Schema has a type of null beside it. */
function jsonSchemaOf(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(jsonSchemaOf);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, jsonSchemaOf(inner)]),
  );
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}
