/**
 * Corrects what the collector of the OpenAPI document cannot express: optional bodies, shapes without a reference, headers
 * by name, answers that are open to additions, examples.
 */
import { completeReference, type Operation } from './reference/complete-reference.ts';

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
export interface CollectedDocument {
  paths?: Record<string, Record<string, TidyOperation>>;
  components?: { schemas?: Record<string, unknown> };
  webhooks?: Record<string, unknown>;
}

/** Changes the document in place and returns it. */
export function tidyDocument<D extends CollectedDocument>(document: D): D {
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

function answersOf({ paths = {} }: CollectedDocument): Answer[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses = {} }) => Object.values(responses) as Answer[]),
  );
}

function namedHeaders(headers: object): object {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Answers and webhooks may get further fields (contract 4.14); requests stay as they are. */
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

/** Each named shape is registered twice, for requests and for responses, and hardly any occurs in both. */
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
    // by name: otherwise their order would be that in which modules were loaded
    components.schemas = Object.fromEntries([...used].toSorted().map((name) => [name, schemas[name]]));
  }
}
