/**
 * The OpenAPI 3.1 documents, one for partners and one for the frame: collected from the zod schemas and the settings of the
 * routes, completed by `complete-document.ts`, and served.
 */
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Environment } from '../../core/environment.ts';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import type { Api } from '../http/api.ts';
import { JSON_TYPE, prepareText, type ReadyText, sendText } from '../ready.ts';
import { completeDocument, OPERATOR_HEADER, USER_HEADER } from './complete-document.ts';
import { partOf, type WholeDocument } from './document.ts';
import { ERROR_SCHEMA, HEADERS, headersOf, refusalsOf } from './refusals.ts';
import { describeWebhooks } from './webhooks.ts';

type Transform = typeof jsonSchemaTransform;
type Document = Parameters<Transform>[0];

const ERROR_REFERENCE = { $ref: '#/components/schemas/Error' };

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
      webhooks: describeWebhooks() as never,
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
    transformObject: (document) => completeDocument(jsonSchemaTransformObject(document) as WholeDocument) as never,
  });
}

/** An OpenAPI document for each who calls: a partner's server with a key, and the frame with the token of its session. */
export interface ApiDocuments {
  readonly partners: object;
  readonly frame: object;
}

const FRAME_INFO = {
  title: 'Inlay, the frame’s own calls',
  description:
    'What the embedded frame calls with the token of its session. The server of an operator needs none of it.',
};

/** @param app with every route registered */
export function makeDocuments(app: Api, { publicOrigins }: Pick<Environment, 'publicOrigins'>): ApiDocuments {
  const { webhooks, ...calls } = app.swagger() as WholeDocument;
  const [origin = '/'] = publicOrigins;
  const whole = { ...calls, servers: [{ url: origin }] };
  const isOfFrame = (path: string) => path.startsWith('/api/embed/');
  return {
    partners: partOf({ ...whole, ...(webhooks && { webhooks }) }, (path) => !isOfFrame(path)),
    frame: partOf({ ...whole, info: { ...whole.info, ...FRAME_INFO } }, isOfFrame),
  };
}

/** Serves the documents. They are rendered at the first request, when every route is registered. */
export function serveDocuments(app: Api, environment: Environment): void {
  let ready: { readonly partners: Promise<ReadyText>; readonly frame: Promise<ReadyText> } | undefined;
  const render = (document: object) => prepareText(JSON.stringify(document), JSON_TYPE);
  const renderAll = () => {
    const { partners, frame } = makeDocuments(app, environment);
    return { partners: render(partners), frame: render(frame) };
  };
  const routes = { '/openapi.json': 'partners', '/openapi-frame.json': 'frame' } as const;
  for (const [url, part] of Object.entries(routes)) {
    app.route({
      method: 'GET',
      url,
      config: { auth: 'none' },
      schema: { hide: true },
      handler: async (request, reply) => {
        ready ??= renderAll();
        return sendText(request, reply.header('access-control-allow-origin', '*'), await ready[part]);
      },
    });
  }
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

/** The collector requires a schema for each header. `completeDocument` replaces them by references. */
function withHeaders(answer: object, names: readonly string[]): object {
  return names.length === 0 ? answer : { ...answer, headers: Object.fromEntries(names.map((name) => [name, {}])) };
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
