/**
 * Completes the collected OpenAPI document, in place: what the collector cannot express, what is written once instead of at each
 * operation, descriptions and examples.
 */
import { REFERENCE_PATTERN } from '../../wire/page.ts';
import {
  codesOf,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
  type WholeDocument,
} from './document.ts';
import { addExamples, describeFields } from './reference.ts';
import { SHARED_REFUSALS } from './refusals.ts';

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

/** The headers that many operations take stand once: as `ServiceUser`, and as `RequiredServiceUser` for operations that require it. */
function shareParameters(document: WholeDocument): void {
  const shared: Record<string, Parameter> = {};
  for (const operation of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const [name] = Object.entries(SHARED_PARAMETERS).find(([, header]) => header === parameter.name) ?? [];
      if (name === undefined) {
        return parameter;
      }
      const own = parameter.required === true ? `Required${name}` : name;
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
