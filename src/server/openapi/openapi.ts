/** The OpenAPI 3.1 document, made from the zod schemas that validate requests and describe answers. */
import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { REFERENCE } from '../../core/reference.ts';
import type { Api } from '../http/api.ts';
import { JSON_TYPE } from '../ready/ready-json.ts';
import { prepareText, type ReadyText, sendText } from '../ready/ready-text.ts';
import { type CollectedDocument, tidyDocument } from './tidy-document.ts';
import { webhookDocument } from './webhook-document.ts';

type Transform = typeof jsonSchemaTransform;
type Document = Parameters<Transform>[0];

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

const ERROR_SCHEMA = {
  type: 'object' as const,
  description:
    'Branch on `error`; `message` is prose. Some codes add fields, such as `required`, `missing`, `detail`, `orderId`.',
  required: ['error', 'message'],
  properties: {
    error: { type: 'string' as const, description: 'Machine code.' },
    message: { type: 'string' as const, description: 'For people; never branch on it.' },
  },
  additionalProperties: true,
};

const USER_HEADER = {
  type: 'object',
  properties: {
    'X-Service-User': {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: REFERENCE.source,
      description: "The operator's own id of the customer.",
    },
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
      },
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
        schemas: { Error: ERROR_SCHEMA },
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

/** Adds to a route what its config implies: security, scopes, the user header, and the error responses. */
function describeRoute(document: Document): ReturnType<Transform> {
  const { schema, url } = jsonSchemaTransform(document);
  const config = document.route.config ?? {};
  if (schema.hide === true || document.schema === undefined) {
    return { schema: { ...schema, hide: true }, url };
  }
  const mayMiss = config.sandboxOnly === true || config.knownUser === true || config.mayMiss === true;
  const statuses = [...errorStatuses(schema, config.auth ?? 'none', mayMiss), ...(config.answers ?? [])];
  if (config.resumable === true) {
    statuses.push(409);
  }
  const responses = describeAnswers((schema.response ?? {}) as Record<string, object>);
  const errors = statuses
    .filter((status) => responses[status] === undefined)
    .map((status) => [
      status,
      status < 400
        ? { description: DESCRIPTIONS[status] }
        : { description: DESCRIPTIONS[status], content: { 'application/json': { schema: ERROR_REFERENCE } } },
    ]);
  const described: Record<string, unknown> = { ...schema, response: { ...responses, ...Object.fromEntries(errors) } };
  if (config.auth === 'key') {
    described['security'] = [{ apiKey: [] }];
    if (config.scopes !== undefined && config.scopes.length > 0) {
      described['description'] = [
        described['description'],
        `Scopes: ${config.scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
      ]
        .filter((part) => typeof part === 'string')
        .join('\n\n');
    }
  }
  if (config.auth === 'embed') {
    described['security'] = [{ embedToken: [] }];
  }
  if (config.auth === 'key' && config.userHeader !== undefined && config.userHeader !== false) {
    described['headers'] = config.userHeader === true ? { ...USER_HEADER, required: ['X-Service-User'] } : USER_HEADER;
  }
  return { schema: described as FastifySchema, url };
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

function errorStatuses(schema: FastifySchema, auth: string, mayMiss: boolean): number[] {
  // A repeated header, a NUL in the URL: any request can be malformed, too slow or too large.
  const statuses = [400, 408, 429, 431, 500, 503];
  if (auth !== 'none') {
    statuses.push(401, 403);
  }
  if (mayMiss || schema.params !== undefined || schema.body !== undefined) {
    statuses.push(404);
  }
  if (schema.body !== undefined) {
    statuses.push(409, 413, 422);
  }
  return statuses.toSorted((left, right) => left - right);
}
