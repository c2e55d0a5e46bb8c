/**
 * Completes the collected OpenAPI document, in place: what the collector cannot express, what is written once instead of at each
 * operation, descriptions and examples. Then it takes the parts out of which the served documents consist.
 */
import { REFERENCE_PATTERN } from '../../wire/page.ts';
import { addExamples, describeFields } from './reference.ts';
import { SHARED_REFUSALS } from './refusals.ts';

export interface Media {
  schema?: object | undefined;
  examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
export interface Response {
  $ref?: string;
  description?: string;
  headers?: object | undefined;
  content?: Record<string, Media>;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema?: { readonly type?: string };
  example?: unknown;
}
export interface Operation {
  operationId?: string;
  tags?: string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, Media> };
  responses?: Record<string, Response>;
}
interface Components {
  schemas?: Record<string, object>;
  responses?: Record<string, Response>;
  parameters?: Record<string, Parameter>;
  headers?: Record<string, object>;
  securitySchemes?: Record<string, object>;
}
/** The document of all routes. */
export interface WholeDocument {
  info?: object;
  servers?: object[];
  tags?: { readonly name: string }[];
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: Components;
}

/** Header that names the customer of a request with a key. */
export const USER_HEADER = {
  'X-Service-User': {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    pattern: REFERENCE_PATTERN,
    description: "The operator's own id of the customer.",
  },
};
export const OPERATOR_HEADER = {
  'x-service-operator': {
    type: 'string',
    description:
      'For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator.',
  },
};

export function completeDocument(document: WholeDocument): WholeDocument {
  for (const operation of operationsOf(document)) {
    makeBodyOptional(operation);
    for (const response of Object.values(operation.responses ?? {})) {
      response.headers = response.headers && namedHeaders(response.headers);
    }
  }
  openAnswers(document);
  dropLimitsOfTypes([document.paths, document.components?.schemas]);
  describeFields(document);
  shareParameters(document);
  shareRefusals(document);
  addExamples(document);
  return document;
}

export function operationsOf({ paths = {} }: WholeDocument): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** The collector marks each body as required. One that may be left out is a choice of a shape and null. */
function makeBodyOptional({ requestBody }: Operation): void {
  const media = requestBody?.content?.['application/json'];
  const { anyOf: [body, none] = [] } = (media?.schema ?? {}) as { anyOf?: readonly { readonly type?: unknown }[] };
  if (requestBody !== undefined && media !== undefined && body !== undefined && none?.type === 'null') {
    media.schema = body;
    requestBody.required = false;
  }
}

function namedHeaders(headers: object): object {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Responses and webhooks may get further fields (contract 4.14). Requests stay as they are. */
function openAnswers(document: WholeDocument): void {
  const shapes = Object.entries(document.components?.schemas ?? {}).filter(([name]) => !name.endsWith('Input'));
  eachNode([operationsOf(document).map(({ responses }) => responses), shapes], (node) => {
    if (node['additionalProperties'] === false) {
      delete node['additionalProperties'];
    }
  });
}

/**
 * Removes what only the validator needs: limits of whole numbers to those that JavaScript represents, and patterns of texts that the
 * document shows as a number, or as a date-time.
 */
function dropLimitsOfTypes(part: unknown): void {
  eachNode(part, (node) => {
    if (node['minimum'] === Number.MIN_SAFE_INTEGER) {
      delete node['minimum'];
    }
    if (node['maximum'] === Number.MAX_SAFE_INTEGER) {
      delete node['maximum'];
    }
    const isPlainText = node['type'] === 'string' && node['format'] !== 'date-time';
    if (typeof node['pattern'] === 'string' && !isPlainText) {
      delete node['pattern'];
    }
  });
}

function eachNode(part: unknown, change: (node: Record<string, unknown>) => void): void {
  if (typeof part === 'object' && part !== null) {
    change(part as Record<string, unknown>);
    Object.values(part).forEach((child) => {
      eachNode(child, change);
    });
  }
}

const SHARED_PARAMETERS = { ServiceUser: 'X-Service-User', ServiceOperator: 'x-service-operator' } as const;

/** The headers that many operations take stand once. The first of them is required where it is not shared. */
function shareParameters(document: WholeDocument): void {
  const shared: Record<string, Parameter> = {};
  for (const operation of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const [name] = Object.entries(SHARED_PARAMETERS).find(([, header]) => header === parameter.name) ?? [];
      if (name === undefined) {
        return parameter;
      }
      const own = 'required' in parameter && parameter.required === true ? `Required${name}` : name;
      shared[own] ??= parameter;
      return { $ref: `#/components/parameters/${own}` } as Parameter;
    });
  }
  document.components = { ...document.components, parameters: shared };
}

/** Responses with the same codes and headers at many operations stand once. */
function shareRefusals(document: WholeDocument): void {
  const shared: Record<string, Response> = {};
  for (const operation of operationsOf(document)) {
    const responses = operation.responses ?? {};
    for (const [status, response] of Object.entries(responses)) {
      const name = SHARED_REFUSALS[JSON.stringify([codesOf(response), Object.keys(response.headers ?? {})])];
      if (name !== undefined) {
        shared[name] ??= response;
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  document.components = { ...document.components, responses: shared };
}

/** The codes of a refusal; empty for any other response. */
export function codesOf({ content }: Response): readonly string[] {
  const { allOf = [] } = (content?.['application/json']?.schema ?? {}) as {
    allOf?: readonly { readonly properties?: { readonly error?: { readonly enum?: readonly string[] } } }[];
  };
  return allOf.flatMap(({ properties }) => properties?.error?.enum ?? []);
}

/** A document of some paths, with the components that they use. */
export function partOf(whole: WholeDocument, isPart: (path: string) => boolean): WholeDocument {
  const paths = Object.fromEntries(Object.entries(whole.paths ?? {}).filter(([path]) => isPart(path)));
  const part = { ...whole, paths };
  const operations = [...operationsOf(part), ...operationsOf({ paths: whole.webhooks ?? {} })];
  const tags = new Set(operations.flatMap((operation) => operation.tags ?? []));
  return {
    ...part,
    tags: (whole.tags ?? []).filter(({ name }) => tags.has(name)),
    components: usedComponents(whole.components ?? {}, [paths, whole.webhooks], operations),
  };
}

/** Each named shape is registered for requests and for responses, but hardly any is used in both. */
function usedComponents(all: Components, parts: unknown, operations: readonly Operation[]): Components {
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [reference, kind, name = ''] of JSON.stringify(part ?? null).matchAll(
      /"#\/components\/(\w+)\/([\w-]+)"/g,
    )) {
      if (!used.has(reference)) {
        used.add(reference);
        follow(all[kind as keyof Components]?.[name]);
      }
    }
  };
  follow(parts);
  const schemes = new Set(operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one))));
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' ? schemes.has(name) : used.has(`"#/components/${kind}/${name}"`);
  // Sorted by name. Otherwise the order would be that in which modules were loaded.
  return Object.fromEntries(
    Object.entries(all).map(([kind, parts]) => [
      kind,
      Object.fromEntries(
        Object.entries(parts as Record<string, object>)
          .filter(([name]) => isUsed(kind, name))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    ]),
  );
}
