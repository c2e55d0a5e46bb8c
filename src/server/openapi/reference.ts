/** Completes the document for readers: a description of each field and parameter, and an example of each operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/environment.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

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

/** Responses of a running service for each state of an order, by operation. A test records them. */
const RECORDED = JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'recorded-orders.json'), 'utf8')) as Readonly<
  Record<string, Examples>
>;

/** Adds descriptions and examples to the document, in place. */
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

/** Describes the fields that have no description, by their names. A reference has the description of its target. */
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
    // Choices beside the fields only state which of them exclude each other.
    if (!isShape || (key !== 'anyOf' && key !== 'oneOf')) {
      describeFields(child);
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

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

type Resolve = (reference: string) => JsonSchema | undefined;

const TIME = '2026-11-22T18:00:00.000Z';
const TEXTS: Readonly<Record<string, string>> = {
  contractId: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0',
  marketId: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0',
  eventId: 'evt_kh3s9565rfj356sj9vr90ec5h2',
  externalUserId: 'player-1',
  userId: 'player-1',
  clientOrderId: 'order-1001',
  executionRef: 'inl_Best_7K2M9XQ4T1VZ8R',
  title: 'Will it rain tomorrow?',
  label: 'Yes',
  slug: 'will-it-rain-tomorrow',
  category: 'politics',
  country: 'US',
  imageUrl: '/api/v1/images/evt_kh3s9565rfj356sj9vr90ec5h2',
  quoteId: 'qt_0192f1c4a7',
  orderId: 'ord_0192f1c4a7',
  positionId: 'pos_0192f1c4a7',
  fillId: 'fil_0192f1c4a7',
  priceBasis: 'book',
  dedupeKey: 'order.filled:ord_0192f1c4a7:fil_0192f1c4a7',
  cursor: 'WzEsImZlZWQiLDQyXQ',
  memo: 'Order filled',
  movementType: 'ORDER_FILL',
  referenceType: 'order',
  reference: 'ord_0192f1c4a7',
  reserveReference: 'hold-4711',
  currency: 'USD',
  sourceTitle: 'Will it rain tomorrow?',
  yesLabel: 'Yes',
  noLabel: 'No',
  source: 'The national weather service',
  origin: 'inlay/op_0192f1c4a7',
  subdivision: 'CA',
  name: 'Lucky Casino',
  note: 'asked for by the customer',
  symbol: 'USDC',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '10.00',
  minAmount: '1.00',
  chain: 'Polygon',
  locale: 'en',
  message: 'The price has moved.',
  detail: 'stake: must be a number above 0',
  verifierKey: 'inlay/op_0192f1c4a7+8c1f2a40+AaQ0...',
  root: 'qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=',
  leafHash: 'qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=',
  fromRoot: 'qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=',
  proof: 'qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=',
  checkpoint: 'inlay/op_0192f1c4a7\n42\nqJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=\n',
  token: 'ies1_...',
  scopes: 'markets:read',
  affectedPositionIds: 'pos_0192f1c4a7',
};
/** Fields that are null for an order that was filled at once, or that only sports events or a next page have. */
const NULLS: ReadonlySet<string> = new Set([
  ...['rejectReason', 'cancelReason', 'operatorExitMoney', 'intent', 'reason', 'cancellationId', 'cancelledAt'],
  ...['nextCursor', 'subtitle', 'sport', 'league', 'period', 'clock', 'sportsMarketType', 'impliedLevelLabel'],
  ...['teamLogoUrl', 'teamColor', 'teamMarks', 'teamAbbr', 'observedCountry', 'supersededBy', 'correctsEntryId'],
]);
/** Optional fields that an open outcome does not have. */
const ABSENT: ReadonlySet<string> = new Set(['resolution']);
/** Values of enumerations: those of an order that was filled at once and of a position that won. */
const WORDS: Readonly<Record<string, string>> = {
  status: 'filled',
  transmissionState: 'resolved',
  orderStatus: 'filled',
  toState: 'filled',
  outcome: 'complete',
};
const FALSE: ReadonlySet<string> = new Set(['idempotentReplay', 'hasMore']);
/** A buy for 20 dollars at a fee of 2 %, filled except for one cent. The amounts add up as they do in a response. */
const AMOUNTS: Readonly<Record<string, string>> = {
  authorizationAmount: '20.00',
  actualDebit: '19.99',
  releaseAmount: '0.01',
  tradeAmount: '19.45',
  platformFee: '0.40',
  venueFee: '0.14',
  costBasis: '19.99',
  sellProceeds: '18.90',
  settlementCredit: '34.12',
  voidCredit: '0.00',
  realisedPnl: '14.13',
  lifetimeRealisedPnl: '14.13',
  difference: '0.00',
};
const NUMBERS: Readonly<Record<string, number>> = {
  stake: 20,
  tradeAmount: 19.6,
  platformFee: 0.4,
  platformFeeBps: 200,
  contracts: 34.385964,
  quantity: 34.122807,
  filledQuantity: 34.122807,
  fillQuantity: 34.122807,
  notional: 19.45,
  potentialPayout: 34.38,
  payout: 34.12,
  yesCents: 57,
  noCents: 43,
  executableYesCents: 58,
  executableNoCents: 44,
  spreadCents: 2,
  volume: 18250,
  volumeContracts: 18250,
  volume24h: 1240,
  volume24hContracts: 1240,
};
const DEEPEST = 8;

/**
 * An example that fits a JSON schema: a fixed value if the name of the field is known, otherwise the least that the schema
 * requires.
 * @param name name of the field, for a value that reads like a real one
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve, name = '', depth = 0): unknown {
  if (schema.$ref !== undefined) {
    const target = depth > DEEPEST ? undefined : resolve(schema.$ref);
    return target === undefined ? {} : exampleOf(target, resolve, name, depth + 1);
  }
  if (schema.const !== undefined) {
    return schema.const;
  }
  if (schema.enum !== undefined) {
    return schema.enum.includes(WORDS[name]) ? WORDS[name] : schema.enum[0];
  }
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  const isNullable =
    choices?.some(({ type }) => type === 'null') ?? (schema.type as string[] | undefined)?.includes?.('null');
  if (isNullable === true && NULLS.has(name)) {
    return null;
  }
  if (choices !== undefined) {
    return exampleOf(choices.find(({ type }) => type !== 'null') ?? {}, resolve, name, depth + 1);
  }
  return ofType(schema, resolve, name, depth);
}

function ofType(schema: JsonSchema, resolve: Resolve, name: string, depth: number): unknown {
  const type = typeof schema.type === 'object' ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => !ABSENT.has(key) || schema.required?.includes(key) === true)
          .map(([key, part]) => [key, exampleOf(part, resolve, key, depth + 1)]),
      );
    case 'array':
      return arrayOf(schema, resolve, name, depth);
    case 'string':
      return textOf(schema, name);
    case 'integer':
      return Math.max(NUMBERS[name] ?? 1, schema.minimum ?? 1);
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return !FALSE.has(name);
    case 'null':
      return null;
    default:
      return 'text';
  }
}

function numberOf({ minimum = 0, exclusiveMinimum, maximum = Infinity }: JsonSchema, name: string): number {
  const known = NUMBERS[name];
  if (known !== undefined && known <= maximum) {
    return known;
  }
  return exclusiveMinimum === undefined ? Math.max(0.57, minimum) : 0.5;
}

function arrayOf({ prefixItems, items }: JsonSchema, resolve: Resolve, name: string, depth: number): unknown[] {
  if (prefixItems !== undefined) {
    return prefixItems.map((part) => exampleOf(part, resolve, name, depth + 1));
  }
  return typeof items === 'object' ? [exampleOf(items, resolve, name, depth + 1)] : [];
}

function textOf({ format, pattern = '' }: JsonSchema, name: string): string {
  if (format === 'date-time') {
    return TIME;
  }
  if (format === 'uri') {
    return 'https://exchange.example/rules';
  }
  if (/\\d\{2\}\$$/.test(pattern)) {
    return AMOUNTS[name] ?? '10.00';
  }
  if (pattern.startsWith('^ctr_')) {
    return 'ctr_z3t5tn0mrtg4m2wzsttb74acd0';
  }
  if (pattern.startsWith('^evt_')) {
    return 'evt_kh3s9565rfj356sj9vr90ec5h2';
  }
  return TEXTS[name] ?? (name.endsWith('At') ? TIME : name.endsWith('Id') || name === 'id' ? 'id_0192f1c4a7' : 'text');
}

const BUY = { marketId: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0', side: 'YES', action: 'buy', stake: 20 };

/** Bodies of requests that work, by operation. Fields that exclude each other cannot be derived from a schema. */
const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  createQuote: BUY,
  createFrameQuote: BUY,
  createOrder: { quoteId: 'qt_0192f1c4a7', clientOrderId: 'order-1001' },
  createFrameOrder: { quoteId: 'qt_0192f1c4a7', clientOrderId: 'order-1001' },
  confirmReserve: { reserveReference: 'hold-1001' },
  cancelOrder: {},
  mintEmbedSession: { externalUserId: 'player-1', locale: 'en', ttlSeconds: 900, theme: { mode: 'dark' } },
  putJurisdiction: { country: 'US', subdivision: 'NJ' },
  putCustomerLimits: { maxWagerMinor: 5000, periodStakeMinor: 20000, periodHours: 24 },
  createDepositAddress: { symbol: 'USDC', chainId: 1 },
  armScenario: { kind: 'partial_fill', fillFraction: 0.5 },
  resolvePosition: { positionId: 'pos_0192f1c4a7', resolution: 'WIN' },
};
