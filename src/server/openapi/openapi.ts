/** The OpenAPI 3.1 document, made from the zod schemas that validate requests and describe answers. */
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { REFERENCE_PATTERN } from '../../wire/page.ts';

import type { Api } from '../http/api.ts';
import { JSON_TYPE } from '../ready/ready-json.ts';
import { prepareText, type ReadyText, sendText } from '../ready/ready-text.ts';
import { HEADERS, headersOf } from './answer-headers.ts';
import { ERROR_SCHEMA, refusalsOf } from './refusals.ts';
import { TAGS } from './tags.ts';
import { type CollectedDocument, tidyDocument } from './tidy-document.ts';
import { webhookDocument } from './webhook-document.ts';

type Transform = typeof jsonSchemaTransform;
type Document = Parameters<Transform>[0];

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

/** Headers that name the customer and the operator of a request with a key. */
const USER_HEADER = {
  'X-Service-User': {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    pattern: REFERENCE_PATTERN,
    description: "The operator's own id of the customer.",
  },
};
const OPERATOR_HEADER = {
  'x-service-operator': {
    type: 'string',
    description:
      'For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator.',
  },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  304: 'As it was when the `ETag` of `If-None-Match` was sent.',
  400: 'The request is malformed.',
  401: 'No credential, or one that is not valid.',
  403: 'Not permitted.',
  404: 'Not found, or not visible to this operator.',
  408: 'The request took too long to arrive.',
  409: 'Refused because of the current state.',
  413: 'The body is larger than 64 KB.',
  422: 'Refused by a rule.',
  429: 'Too many requests in this minute; see `retryAfterSeconds`.',
  431: 'The headers are too large.',
  500: 'An unexpected error.',
  503: 'Temporarily unavailable.',
};

/** Registers the collector; routes added afterwards are described. */
export async function describeApi(app: Api): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Inlay',
        version: '1.0.0',
        description: 'Prediction markets inside an operator’s own site, on the operator’s own money ledger.',
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as never,
        contact: { name: 'The service operator that issued your key' },
      },
      tags: TAGS.map(({ tag, summary }) => ({ name: tag, description: summary })),
      servers: [{ url: '/' }],
      webhooks: webhookDocument() as never,
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `pk_test_...` or `sk_live_...`.' },
          embedToken: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`Embed <token>`, header only. The token of an embed session.',
          },
        },
        schemas: { Error: ERROR_SCHEMA as never },
        headers: HEADERS,
      },
    },
    transform: describeRoute as Transform,
    transformObject: (document) => tidyDocument(jsonSchemaTransformObject(document) as CollectedDocument) as never,
  });
}

/** The document is rendered at the first request, because every route must be registered before. */
export function serveDocument(app: Api): void {
  let ready: Promise<ReadyText> | undefined;
  const document = () => {
    ready ??= prepareText(JSON.stringify(app.swagger()), JSON_TYPE);
    return ready;
  };
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { auth: 'none' },
    schema: { hide: true },
    handler: async (request, reply) =>
      sendText(request, reply.header('access-control-allow-origin', '*'), await document()),
  });
}

/** Adds to a route what its config implies: security, scopes, headers, and the refusals with their codes. */
function describeRoute(document: Document): ReturnType<Transform> {
  const { schema, url } = jsonSchemaTransform(document);
  const config = document.route.config ?? {};
  if (schema.hide === true || document.schema === undefined) {
    return { schema: { ...schema, hide: true }, url };
  }
  const { auth, scopes = [], userHeader = false, revalidates } = config;
  const scopesText = scopes.length > 0 ? `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.` : undefined;
  const described: Record<string, unknown> = {
    ...schema,
    description: [schema.description, scopesText].filter(Boolean).join('\n\n') || `${schema.summary ?? ''}.`,
    security: securityOf(config),
    response: Object.fromEntries(
      Object.entries({
        ...describeAnswers((schema.response ?? {}) as Record<string, object>),
        ...(revalidates === true && { 304: { description: DESCRIPTIONS[304] } }),
        ...describeRefusals(refusalsOf(config, schema)),
      }).map(([status, answer]) => [status, withHeaders(answer, headersOf(Number(status), config, url))]),
    ),
  };
  if (auth === 'key') {
    described['headers'] = {
      type: 'object',
      properties: { ...(userHeader !== false && USER_HEADER), ...OPERATOR_HEADER },
      ...(userHeader === true && { required: Object.keys(USER_HEADER) }),
    };
  }
  return { schema: described as FastifySchema, url };
}

function securityOf({ auth, mayPresentToken }: FastifyContextConfig): readonly object[] {
  if (auth === 'key') {
    return [{ apiKey: [] }];
  }
  const token = { embedToken: [] };
  return auth === 'embed' ? [token] : mayPresentToken === true ? [{}, token] : [];
}

function describeAnswers(answers: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      'content' in schema
        ? schema
        : { description: DESCRIPTIONS[status] ?? 'An answer.', content: { 'application/json': { schema } } },
    ]),
  );
}

/** One answer for each status, with the codes that it may carry. */
function describeRefusals(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Object.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, some = []]) => [
      status,
      {
        description: DESCRIPTIONS[status],
        content: {
          'application/json': {
            schema: {
              allOf: [
                ERROR_REFERENCE,
                { type: 'object', properties: { error: { enum: some, description: 'Machine code.' } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

/** The collector wants a schema of each header; `tidyDocument` makes references of them. */
function withHeaders(answer: object, names: readonly string[]): object {
  return names.length === 0 ? answer : { ...answer, headers: Object.fromEntries(names.map((name) => [name, {}])) };
}
