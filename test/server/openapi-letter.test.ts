/** What the OpenAPI document says of refusals, headers, closed sets and additions, and whether other programs can read it. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { isReference } from '../../src/core/reference.ts';
import type { AnyJson } from '../support/any-json.ts';
import { DOCUMENTS, readDescription } from '../support/openapi.ts';
import { openWorld, type World } from '../support/world.ts';

const run = promisify(execFile);

let service: World;
let document: AnyJson;
beforeAll(async () => {
  service = await openWorld();
  document = await readDescription(service);
});
afterAll(() => service.close());

interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: AnyJson }>;
}

const operations = () =>
  Object.entries(document.paths as Record<string, Record<string, AnyJson>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, operation })),
  );
const responsesOf = (at: string): Record<string, Response> =>
  operations().find((one) => one.at === at)?.operation.responses ?? {};
/** The codes that an operation may answer with, by status. */
const codesOf = (responses: Record<string, Response>): [status: string, codes: ErrorCode[]][] =>
  Object.entries(responses)
    .filter(([status]) => status >= '400')
    .map(([status, { content }]) => [status, content?.['application/json']?.schema.allOf[1].properties.error.enum]);
const headersOf = (at: string, status: string) => Object.keys(responsesOf(at)[status]?.headers ?? {});

/** Contract 36.2, the codes of a partner's requests. */
const SPECIFIED =
  'invalid_category invalid_sport invalid_sort invalid_dir invalid_limit invalid_date invalid_tradable invalid_cursor missing_user invalid_request invalid_json invalid_origin invalid_region invalid_jurisdiction invalid_type invalid_body position_not_open scenario_invalid missing_credentials invalid_key revoked_key session_revoked insufficient_scope operator_suspended operator_not_permitted sandbox_only user_suspended unknown_user unknown_event unknown_order quote_not_found market_not_found position_not_found scenario_not_found quote_expired quote_already_used price_stale price_moved reconciliation_required order_cancelled not_an_intent idempotency_conflict resolution_conflict market_paused market_unavailable market_not_open simulation_not_permitted stake_exceeds_stale_limit insufficient_funds invalid_operator_book invalid_external_user_id rate_limited internal_error embed_unavailable stream_capacity price_unverified line_not_available stake_exceeds_available_depth over_wager_limit over_period_limit over_order_limit over_tenant_exposure market_not_offered insufficient_collateral trading_paused below_venue_minimum insufficient_position sell_not_available';

describe('refusals', () => {
  test('each operation lists its codes by status, and every code of the contract is one of some operation', () => {
    const listed = new Set<string>();
    for (const { at, operation } of operations()) {
      for (const [status, codes] of codesOf(operation.responses)) {
        expect(codes, `${at} ${status}`).not.toEqual([]);
        for (const code of codes) {
          expect(ERRORS[code].status, `${at} ${code}`).toBe(Number(status));
          listed.add(code);
        }
      }
    }
    expect(SPECIFIED.split(' ').filter((code) => !listed.has(code))).toEqual([]);
  });

  test('a code is listed where it is answered', () => {
    const codes = (at: string) => codesOf(responsesOf(at)).flatMap(([, some]) => some);
    expect(codes('POST /api/v1/quotes')).toEqual(expect.arrayContaining(['market_paused', 'market_not_open']));
    expect(codes('POST /api/v1/quotes')).not.toContain('price_moved');
    expect(codes('GET /api/v1/categories')).not.toContain('invalid_json');
    expect(codes('GET /api/v1/orders')).toContain('invalid_cursor');
    expect(codes('GET /api/v1/whoami')).not.toContain('insufficient_scope');
    expect(codes('GET /api/v1/stream/prices')).toEqual(expect.arrayContaining(['stream_capacity', 'invalid_token']));
  });

  test('the fields that some codes add are typed', async () => {
    const { properties } = document.components.schemas.Error;
    expect(properties.maxStake.type).toBe('number');
    expect(properties.retryAfterSeconds.type).toBe('integer');
    const fields = 'required missing detail orderId transmissionState maxStake cap retryAfterSeconds';
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields.split(' ')));
    const { apiKey } = await service.issueKey(service.operator, { scopes: [] });
    const { body } = await service.request('GET', '/api/v1/orders', { key: apiKey });
    expect(Object.keys(body).filter((name) => !(name in properties))).toEqual([]);
  });
});

describe('headers', () => {
  test('answers list those that they carry', async () => {
    const rate = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    expect(headersOf('GET /api/v1/events', '200')).toEqual([...rate, 'ETag']);
    expect(headersOf('GET /api/v1/events', '304')).toEqual([...rate, 'ETag']);
    expect(headersOf('GET /api/v1/events', '400')).toEqual([]);
    expect(headersOf('GET /api/v1/orders', '400')).toEqual(rate);
    expect(headersOf('GET /api/v1/orders', '401')).toEqual(['WWW-Authenticate']);
    expect(headersOf('GET /api/v1/orders', '429')).toEqual([...rate, 'Retry-After']);
    expect(headersOf('POST /api/v1/orders', '201')).toEqual([]);
    expect(headersOf('POST /api/v1/orders', '429')).toEqual(['Retry-After']);
    expect(headersOf('GET /api/v1/funding/supported-assets', '200')).toEqual([]);
    expect(headersOf('GET /api/v1/images/{id}', '429')).toEqual([...rate, 'Retry-After']);
    const answered = [
      ['GET', '/api/v1/events', '200'],
      ['GET', '/api/v1/categories', '200'],
      ['GET', '/api/v1/orders', '200'],
      ['GET', '/api/v1/funding/supported-assets', '200'],
      ['GET', '/api/v1/events?limit=0', '400'],
    ] as const;
    for (const [method, path, status] of answered) {
      const { headers } = await service.request(method, path);
      for (const name of [...rate, 'ETag']) {
        const isListed = headersOf(`${method} ${path.split('?')[0]}`, status).includes(name);
        expect(headers.has(name), `${method} ${path} ${name}`).toBe(isListed);
      }
    }
  });

  test('each operation with a key takes x-service-operator', () => {
    for (const { at, operation } of operations()) {
      const takesKey = JSON.stringify(operation.security).includes('apiKey');
      const names = (operation.parameters ?? []).map(({ name }: { name: string }) => name);
      expect(names.includes('x-service-operator'), at).toBe(takesKey);
    }
  });
});

test('the price stream asks for an embed token, and says so', async () => {
  const refused = await service.request('GET', '/api/v1/stream/prices?contracts=ctr_none');
  expect([refused.status, refused.body.error, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'invalid_key',
    'Embed',
  ]);
  const keyed = await service.request('GET', '/api/v1/orders', { key: null });
  expect(keyed.headers.get('www-authenticate')).toBe('Bearer');
});

// contract 4.15
describe('closed sets of values, and what excludes each other', () => {
  const body = (at: string) =>
    operations().find((one) => one.at === at)?.operation.requestBody.content['application/json'].schema;
  const fits = (at: string, value: object): boolean =>
    new Ajv2020({ strict: false }).compile({ ...body(at), components: document.components })(value);

  test('resolution, region and returnOrigin', async () => {
    expect(body('POST /api/v1/sandbox/resolutions').properties.resolution.enum).toEqual(['WIN', 'LOSS', 'VOID']);
    const { region, returnOrigin } = body('POST /api/v1/embed-sessions').properties;
    expect(region.enum).toEqual(['global', 'ar', 'br', 'mx', 'cl', 'co', 'pe', 'us', 'eu', 'hr']);
    expect(returnOrigin.description).not.toContain('registered');
    const mint = (fields: object) =>
      service.request('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'ann', ...fields } });
    expect((await mint({ returnOrigin: 'https://nowhere.example' })).status).toBe(200);
    expect((await mint({ region: 'fr' })).body.error).toBe('invalid_region');
  });

  test('categories, types of feed items, and states', () => {
    const { schemas } = document.components;
    expect(schemas.Event.properties.category.enum).toHaveLength(10);
    expect(schemas.Error.properties.transmissionState.enum).toEqual(['not_transmitted', 'unknown', 'resolved']);
    for (const [path, parameter, value] of [
      ['/api/v1/reconciliation/feed', 'type', 'order.state_changed'],
      ['/api/v1/orders', 'status', 'pending_venue_execution'],
      ['/api/embed/orders', 'status', 'reserve_pending'],
      ['/api/v1/positions', 'status', 'settled'],
    ] as const) {
      const { schema } = document.paths[path].get.parameters.find(({ name }: AnyJson) => name === parameter);
      expect(schema.anyOf[0].enum, path).toContain(value);
      expect(schema.anyOf[1].items.enum, path).toEqual(schema.anyOf[0].enum);
    }
  });

  test('exactly one of stake and contracts', () => {
    const quote = { marketId: 'ctr_1', side: 'YES' };
    const at = 'POST /api/v1/quotes';
    expect(fits(at, { ...quote, action: 'buy', stake: 1 })).toBe(true);
    expect(fits(at, { ...quote, action: 'sell', contracts: 1, stake: null })).toBe(true);
    expect(fits(at, { ...quote, action: 'buy', stake: 1, contracts: 1 })).toBe(false);
    expect(fits(at, { ...quote, action: 'buy', contracts: 1 })).toBe(false);
    expect(fits(at, { ...quote, action: 'buy' })).toBe(false);
  });

  test('exactly one of fillFraction and fillAmountMinor', () => {
    const at = 'POST /api/v1/sandbox/scenarios';
    expect(fits(at, { kind: 'partial_fill', fillFraction: 0.5 })).toBe(true);
    expect(fits(at, { kind: 'partial_fill', fillAmountMinor: 5, fillFraction: null })).toBe(true);
    expect(fits(at, { kind: 'partial_fill', fillAmountMinor: 5, fillFraction: 0.5 })).toBe(false);
    expect(fits(at, { kind: 'partial_fill' })).toBe(false);
  });

  test('the pair of a period', () => {
    const at = 'PUT /api/v1/users/{id}/limits';
    expect(fits(at, { maxWagerMinor: 5 })).toBe(true);
    expect(fits(at, { periodStakeMinor: 5, periodHours: 1 })).toBe(true);
    expect(fits(at, { periodStakeMinor: 5 })).toBe(false);
    expect(fits(at, { periodStakeMinor: 5, periodHours: null })).toBe(false);
  });
});

// contract 4.14
test('answers and webhooks are open to additions; requests that are strict stay so', () => {
  const closed = (part: unknown) => JSON.stringify(part).split('"additionalProperties":false').length - 1;
  const answers = operations().map(({ operation }) => operation.responses);
  const answered = Object.entries(document.components.schemas).filter(([name]) => !name.endsWith('Input'));
  expect([closed(answers), closed(answered), closed(document.webhooks)]).toEqual([0, 0, 0]);
  const mint = document.paths['/api/v1/embed-sessions'].post.requestBody.content['application/json'].schema;
  expect(mint.additionalProperties).toBe(false);
});

describe('patterns', () => {
  const patterns = (): string[] => [
    ...new Set(
      [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
        JSON.parse(text ?? ''),
      ),
    ),
  ];
  const has = (program: string) => spawnSync(program, ['--version']).status === 0;

  test('compile in RE2', () => {
    expect(patterns().length).toBeGreaterThan(5);
    for (const pattern of patterns()) {
      expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
    }
  });

  test('compile in Python', ({ skip }) => {
    skip(!has('python3'), 'python3 is missing');
    const program = 'import json, re, sys\nfor one in json.load(sys.stdin): re.compile(one)';
    execFileSync('python3', ['-W', 'error', '-c', program], { input: JSON.stringify(patterns()) });
  });

  test('compile in Rust', ({ skip }) => {
    skip(!has('rg'), 'ripgrep is missing');
    for (const pattern of patterns()) {
      // 1: it compiles, and nothing is found
      expect(spawnSync('rg', ['--regexp', pattern], { input: '' }).status, pattern).toBe(1);
    }
  });

  test('take every reference that the service takes', () => {
    const { pattern } =
      document.paths['/api/v1/orders'].post.requestBody.content['application/json'].schema.properties.clientOrderId;
    for (const text of ['a', 'order 1', 'ž-1', '🂡', `${'x'.repeat(199)}y`]) {
      expect([isReference(text), new RegExp(pattern, 'u').test(text)], text).toEqual([true, true]);
    }
    for (const text of [' a', 'a ', '', '\u00a0a']) {
      expect(new RegExp(pattern, 'u').test(text), text).toBe(false);
    }
  });
});

const LINT = fileURLToPath(new URL('../../tools/openapi-lint/node_modules/', import.meta.url));
const hasLinters = existsSync(LINT);
if (!hasLinters) {
  console.warn('The linters are missing (npm ci --prefix tools/openapi-lint --ignore-scripts): their test is skipped.');
}

test.skipIf(!hasLinters).for(DOCUMENTS)(
  'contract lint: redocly and spectral find nothing by their recommended rules in %s',
  { timeout: 120_000 },
  async (path) => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-lint-'));
    try {
      writeFileSync(join(folder, 'openapi.json'), (await service.request('GET', path, { key: null })).text);
      writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
      writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const lint = (program: string, ...args: string[]) =>
        run(process.execPath, [join(LINT, program), 'lint', 'openapi.json', ...args], { cwd: folder, env });
      const redocly = await lint('@redocly/cli/bin/cli.js', '--format', 'json');
      expect(JSON.parse(redocly.stdout).problems).toEqual([]);
      const spectral = await lint(
        '@stoplight/spectral-cli/dist/index.js',
        '--format',
        'json',
        '--fail-severity',
        'hint',
        '--quiet',
      );
      expect(JSON.parse(spectral.stdout)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
