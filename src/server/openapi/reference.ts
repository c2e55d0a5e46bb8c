/** Completes the OpenAPI document for readers: a description of each field and parameter, and recorded examples. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/environment.ts';
import { codesOf, type Media, type Operation, operationsOf, type Response, type WholeDocument } from './document.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

type Node = Record<string, unknown>;

/** Describes the fields and parameters that have no description, by their names. */
export function describeFields(document: WholeDocument): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      parameter.description ??= FIELD_DESCRIPTIONS[parameter.name] ?? '';
    }
  }
  describeWithin([document.components?.schemas, document.paths]);
}

/** A reference has the description of its target. */
function describeWithin(part: unknown): void {
  if (typeof part !== 'object' || part === null) {
    return;
  }
  const node = part as Node;
  const { properties } = node;
  const isShape = typeof properties === 'object' && properties !== null;
  if (isShape) {
    for (const [name, field] of Object.entries(properties as Record<string, Node>)) {
      const text = FIELD_DESCRIPTIONS[name];
      if (field['$ref'] === undefined && field['description'] === undefined && text !== undefined) {
        field['description'] = text;
      }
    }
  }
  for (const [key, child] of Object.entries(node)) {
    // Choices beside the fields only state which of them exclude each other.
    if (!isShape || (key !== 'anyOf' && key !== 'oneOf')) {
      describeWithin(child);
    }
  }
}

/** A request to a running service with its response. A test records them (`test/reference`). */
interface Exchange {
  readonly summary: string;
  readonly request: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly user?: string;
    readonly body?: unknown;
  };
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

interface Recorded {
  /** By operation id. */
  readonly operations: Readonly<Record<string, readonly Exchange[]>>;
  /** By type of event. */
  readonly webhooks: Readonly<Record<string, readonly { readonly summary: string; readonly body: unknown }[]>>;
}

const FILE = join(projectRoot, 'fixtures', 'recorded-examples.json');

/** Adds what was recorded to parameters, requests, responses and webhooks. A refusal that operations share has it once. */
export function addExamples(document: WholeDocument): void {
  const { operations, webhooks } = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
  for (const operation of operationsOf(document)) {
    const exchanges = operations[operation.operationId ?? ''] ?? [];
    addToRequest(
      document,
      operation,
      exchanges.filter(({ status }) => status < 300),
    );
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      for (const exchange of exchanges.filter((one) => one.status === Number(status))) {
        addToResponse(sharedOf(document, response), response.$ref === undefined ? exchange : ofAnyRoute(exchange));
      }
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks ?? {})) {
    const media = post?.requestBody?.content?.['application/json'];
    for (const { summary, body } of webhooks[type] ?? []) {
      addTo(media, keyOf(summary), summary, body);
    }
  }
}

function addToRequest(document: WholeDocument, operation: Operation, exchanges: readonly Exchange[]): void {
  for (const parameter of operation.parameters ?? []) {
    const { name, schema } = parameter;
    const given = exchanges.find(({ request: { path = {}, query = {} } }) => (path[name] ?? query[name]) !== undefined);
    const text = given?.request.path?.[name] ?? given?.request.query?.[name];
    if (text !== undefined) {
      parameter.example =
        schema?.type === 'integer' ? Number(text) : schema?.type === 'boolean' ? text === 'true' : text;
    }
  }
  const user = exchanges.find(({ request }) => request.user !== undefined)?.request.user;
  for (const { $ref = '' } of operation.parameters ?? []) {
    const shared = document.components?.parameters?.[$ref.split('/').at(-1) ?? ''];
    if (user !== undefined && shared?.name === 'X-Service-User') {
      shared.example ??= user;
    }
  }
  const media = Object.values(operation.requestBody?.content ?? {})[0];
  const seen = new Set<string>();
  for (const { summary, request } of exchanges) {
    const text = JSON.stringify(request.body);
    if (text !== undefined && !seen.has(text)) {
      seen.add(text);
      addTo(media, keyOf(summary), summary, request.body);
    }
  }
}

/** A response that operations share cannot show the scopes of one of them. */
function ofAnyRoute(exchange: Exchange): Exchange {
  const { required, missing: _, ...body } = exchange.body as Node;
  return required === undefined ? exchange : { ...exchange, summary: String(body['message']), body };
}

function sharedOf({ components }: WholeDocument, response: Response): Response {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (components?.responses?.[name] ?? {});
}

/** A refusal is found by its code, and the first one of a code is enough. A picture has no body that could be shown. */
function addToResponse(response: Response, { summary, type, body }: Exchange): void {
  if (body === null) {
    return;
  }
  const code = codesOf(response).find((one) => one === (body as { error?: unknown }).error);
  addTo(response.content?.[type], code ?? keyOf(summary), summary, body);
}

function addTo(media: Media | undefined, key: string, summary: string, value: unknown): void {
  if (media !== undefined) {
    media.examples = { ...media.examples, ...(media.examples?.[key] === undefined && { [key]: { summary, value } }) };
  }
}

/** What the example is called in the document. The same words at request and response belong together. */
function keyOf(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}
