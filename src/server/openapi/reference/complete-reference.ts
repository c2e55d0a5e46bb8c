/** Completes the document for readers: a description for each field and parameter, and an example for each operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../core/environment.ts';
import { exampleOf, type JsonSchema, type Resolve } from './example-value.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';
import { REQUEST_EXAMPLES } from './request-examples.ts';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
interface Media {
  schema?: object | undefined;
  example?: unknown;
  examples?: Examples;
}
interface Parameter {
  readonly name: string;
  description?: string;
}
export interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}
interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown> };
  webhooks?: Record<string, unknown>;
}
type Node = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';
const EVENT_STREAM =
  'id: 1\nevent: price\ndata: {"contractId":"ctr_z3t5tn0mrtg4m2wzsttb74acd0","tradeable":true,"probability":0.57}\n\n';

/** Answers of a running service for each state of an order, by operation; a test records them. */
const RECORDED = JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'recorded-orders.json'), 'utf8')) as Readonly<
  Record<string, Examples>
>;

/** Changes the document in place. */
export function completeReference({ paths, components, webhooks }: Document): void {
  const schemas = components?.schemas ?? {};
  describeFields(schemas);
  describeFields(paths);
  describeFields(webhooks);
  const resolve: Resolve = (reference) => schemas[reference.slice(REFERENCE.length)] as JsonSchema | undefined;
  for (const operation of Object.values(paths ?? {}).flatMap((methods) => Object.values(methods))) {
    for (const parameter of operation.parameters ?? []) {
      parameter.description ??= FIELD_DESCRIPTIONS[parameter.name] ?? '';
    }
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      media.example ??= REQUEST_EXAMPLES[operation.operationId ?? ''] ?? exampleOf(media.schema ?? {}, resolve);
    }
    for (const [status, { content = {} }] of Object.entries(operation.responses ?? {})) {
      if (status.startsWith('2')) {
        addExamples(content, resolve, RECORDED[operation.operationId ?? '']);
      }
    }
  }
}

function addExamples(content: Record<string, Media>, resolve: Resolve, recorded: Examples | undefined): void {
  for (const [type, media] of Object.entries(content)) {
    if (type === 'application/json' && recorded !== undefined) {
      media.examples = recorded;
    } else if (type === 'application/json') {
      media.example ??= exampleOf(media.schema ?? {}, resolve);
    } else {
      media.example ??= type === 'text/event-stream' ? EVENT_STREAM : `(${type})`;
    }
  }
}

/** A description of its own, or by name; a reference has the description of its target. */
function describeFields(part: unknown): void {
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
    // choices beside the fields only say which of them exclude each other
    if (!isShape || (key !== 'anyOf' && key !== 'oneOf')) {
      describeFields(child);
    }
  }
}
