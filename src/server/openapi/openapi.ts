/**
 * The OpenAPI 3.1 document: made from the zod schemas and the settings of the routes, corrected where the collector cannot
 * express them, and served.
 */
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { REFERENCE_PATTERN } from '../../wire/page.ts';
import { WEBHOOK_PAYLOADS, type WebhookEventType, webhookEnvelope } from '../../wire/webhook.ts';
import type { Api } from '../http/api.ts';
import { JSON_TYPE, prepareText, type ReadyText, sendText } from '../ready.ts';
import { completeReference, type Operation } from './reference.ts';
import { ERROR_SCHEMA, HEADERS, headersOf, refusalsOf } from './refusals.ts';

type Transform = typeof jsonSchemaTransform;
type Document = Parameters<Transform>[0];

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

/** Header that names the customer of a request with a key. */
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
      'For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator.',
  },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'The request succeeded.',
  201: 'The record was created.',
  202: 'The request was accepted, and is carried out now.',
  304: 'Nothing has changed since the `ETag` in `If-None-Match`.',
  400: 'The request is malformed.',
  401: 'The credential is missing or not valid.',
  403: 'The request is not permitted.',
  404: 'The subject does not exist, or is not visible to this operator.',
  408: 'The request took too long to arrive.',
  409: 'The current state does not allow the request.',
  413: 'The body is larger than 64 KB.',
  422: 'A rule does not allow the request.',
  429: 'Too many requests in this minute. Wait for `retryAfterSeconds`.',
  431: 'The headers are too large.',
  500: 'An unexpected error occurred.',
  503: 'The service is temporarily unavailable.',
};

/** Registers the collector. It describes the routes that are added afterwards. */
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
            description: 'The token of an embed session, sent as `Embed <token>`. It is accepted only in this header.',
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

/** Serves the document. It is rendered at the first request, when every route is registered. */
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

/** Adds to a route the parts that its config implies: security, scopes, headers, and the refusals with their codes. */
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
        : { description: DESCRIPTIONS[status] ?? 'A response.', content: { 'application/json': { schema } } },
    ]),
  );
}

/** One response for each status, with the codes that it may carry. */
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

/** The collector requires a schema for each header. `tidyDocument` replaces them by references. */
function withHeaders(answer: object, names: readonly string[]): object {
  return names.length === 0 ? answer : { ...answer, headers: Object.fromEntries(names.map((name) => [name, {}])) };
}

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly type?: unknown;
}
interface TidyOperation extends Operation {
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema; example?: unknown }> };
}
interface Answer {
  headers?: object | undefined;
}
interface CollectedDocument {
  paths?: Record<string, Record<string, TidyOperation>>;
  components?: { schemas?: Record<string, unknown> };
  webhooks?: Record<string, unknown>;
}

/**
 * Corrects in place the parts that the collector cannot express: optional bodies, shapes without a reference, headers by name, responses
 * that are open to additions, descriptions and examples.
 */
function tidyDocument<D extends CollectedDocument>(document: D): D {
  for (const operation of Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods))) {
    const media = operation.requestBody?.content?.['application/json'];
    const schema = media?.schema;
    const [body, none] = schema?.anyOf ?? [];
    if (operation.requestBody !== undefined && media !== undefined && body !== undefined && none?.type === 'null') {
      media.schema = body;
      operation.requestBody.required = false;
    }
  }
  dropUnusedShapes(document);
  for (const answer of answersOf(document)) {
    answer.headers = answer.headers && namedHeaders(answer.headers);
  }
  openAnswers(document);
  completeReference(document);
  return document;
}

/** Each named shape is registered for requests and for responses, but hardly any is used in both. */
function dropUnusedShapes({ paths, webhooks, components }: CollectedDocument): void {
  const schemas = components?.schemas ?? {};
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (!used.has(name)) {
        used.add(name);
        follow(schemas[name]);
      }
    }
  };
  follow([paths, webhooks]);
  if (components) {
    // Sorted by name. Otherwise the order would be that in which modules were loaded.
    components.schemas = Object.fromEntries([...used].toSorted().map((name) => [name, schemas[name]]));
  }
}

function answersOf({ paths = {} }: CollectedDocument): Answer[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses = {} }) => Object.values(responses) as Answer[]),
  );
}

function namedHeaders(headers: object): object {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Responses and webhooks may get further fields (contract 4.14). Requests stay as they are. */
function openAnswers(document: CollectedDocument): void {
  const open = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) {
      return;
    }
    const node = part as Record<string, unknown>;
    if (node['additionalProperties'] === false) {
      delete node['additionalProperties'];
    }
    Object.values(node).forEach(open);
  };
  const shapes = Object.entries(document.components?.schemas ?? {}).filter(([name]) => !name.endsWith('Input'));
  open([answersOf(document), shapes, document.webhooks]);
}

const WEBHOOK_SIGNATURE =
  '`t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now.';

const WEBHOOK_DESCRIPTION =
  'Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.';

const webhookHeader = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
});

/** The `webhooks` part of the document, made from the shapes in wire/webhook.ts. */
function webhookDocument() {
  const types = Object.keys(WEBHOOK_PAYLOADS) as WebhookEventType[];
  return Object.fromEntries(
    types.map((type) => {
      const { $schema: _dialect, ...schema } = z.toJSONSchema(webhookEnvelope(type));
      const post = {
        operationId: `webhook.${type}`,
        summary: WEBHOOK_PAYLOADS[type].description ?? type,
        description: WEBHOOK_DESCRIPTION,
        security: [],
        tags: ['Webhooks'],
        parameters: [
          webhookHeader('service-signature', WEBHOOK_SIGNATURE),
          webhookHeader('x-webhook-signature', 'The earlier name of `service-signature`, with the same value.'),
          webhookHeader('service-event-type', 'The type of the event.'),
        ],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': {
            description:
              'Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again.',
          },
          '410': { description: 'Disables the endpoint.' },
        },
      };
      return [type, { post }];
    }),
  );
}

interface Tag {
  readonly tag: string;
  readonly label: string;
  readonly summary: string;
}

const tag = (name: string, label: string, summary: string): Tag => ({ tag: name, label, summary });

/** The tags of the document, in reading order. The reference has a page for each. */
export const TAGS: readonly Tag[] = [
  tag(
    'Catalogue',
    'Catalogue',
    'Events, contracts, categories, order books, price history, pictures and the price stream.',
  ),
  tag(
    'Trading',
    'Quotes and orders',
    'Request a quote, place an order, confirm its reserve, cancel it, or look it up.',
  ),
  tag('Positions', 'Positions', 'Positions of each customer, and their cost.'),
  tag(
    'Reconciliation',
    'Reconciliation',
    'The feed, the settlements register, the report, exports, collateral and proofs.',
  ),
  tag('Customers', 'Customers', 'Limits and jurisdiction of one customer.'),
  tag('Embed sessions', 'Embed sessions', 'Mint and end the sessions of the frame.'),
  tag('Sandbox', 'Sandbox', 'Test money, scripted fills and resolutions. Only for sandbox keys.'),
  tag(
    'Webhooks',
    'Webhooks',
    'The seven events, their headers and their fields. Your endpoints, and deliveries to list and to send again.',
  ),
  tag('Embed frame', 'The frame’s own calls', 'Calls that the frame makes with the token of its session.'),
  tag('Access', 'Access', 'Rights and rate limit of a key.'),
  tag('Service', 'Service', 'Health of the service.'),
];
