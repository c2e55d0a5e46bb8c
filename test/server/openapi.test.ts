/** The OpenAPI document, health and metrics. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/server/app.ts';
import { readDescription } from '../support/openapi.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
});

afterAll(async () => {
  await service.close();
});

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { in: string; name: string }[];
  responses: Record<string, { content?: Record<string, { schema?: Record<string, unknown> }> }>;
}

async function operations(): Promise<{ at: string; operation: Operation }[]> {
  const { paths } = await readDescription(service);
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/** Where a schema says nothing at all, which is what a transform in a response schema turns into. */
function emptyNodes(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  if (Array.isArray(schema)) {
    return schema.flatMap((part, index) => emptyNodes(part, `${path}.${index}`));
  }
  const node = schema as Record<string, unknown>;
  const children = Object.entries((node['properties'] ?? {}) as Record<string, unknown>);
  return [
    ...(Object.keys(node).filter((key) => key !== '$schema').length === 0 ? [path] : []),
    ...children.flatMap(([name, child]) => emptyNodes(child, `${path}.${name}`)),
    ...(node['items'] === undefined ? [] : emptyNodes(node['items'], `${path}[]`)),
    ...emptyNodes(node['anyOf'] ?? [], path),
  ];
}

describe('/openapi.json', () => {
  // contract 42.1
  test('is OpenAPI 3.1 with description version 1.0.0, served to anyone', async () => {
    const response = await service.request('GET', '/openapi.json', { key: null });
    expect(response.status).toBe(200);
    expect(response.body.openapi).toMatch(/^3\.1\./);
    expect(response.body.info.version).toBe('1.0.0');
    expect(Object.keys(response.body.components.securitySchemes)).toEqual(['apiKey', 'embedToken']);
    expect(response.text).not.toMatch(/kalshi|polymarket/i);
  });

  test('every operation has an id of its own, a summary, a tag and the error answers', async () => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(0);
    const ids = all.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { at, operation } of all) {
      expect(operation.operationId, at).toBeTruthy();
      expect(operation.summary, at).toBeTruthy();
      expect(operation.tags?.length, at).toBeGreaterThan(0);
      expect(Object.keys(operation.responses), at).toContain('500');
      const error = operation.responses['500']?.content?.['application/json']?.schema;
      expect(error?.['allOf'], at).toContainEqual({ $ref: '#/components/schemas/Error' });
      expect(JSON.stringify(operation.responses), at).not.toContain('Default Response');
    }
  });

  test('every reference leads somewhere', async () => {
    const { body, text } = await service.request('GET', '/openapi.json', { key: null });
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ''));
    expect(references.size).toBeGreaterThan(1);
    for (const reference of references) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], body);
      expect(target, reference).toBeTypeOf('object');
    }
  });

  test('no node of a described answer is empty', async () => {
    const { body } = await service.request('GET', '/openapi.json', { key: null });
    const shared = Object.entries(body.components.schemas).flatMap(([name, schema]) => emptyNodes(schema, name));
    expect(shared).toEqual([]);
    const empty = (await operations()).flatMap(({ at, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).flatMap(({ schema }) => emptyNodes(schema, `${at} ${status}`)),
      ),
    );
    expect(empty).toEqual([]);
  });

  test('routes behind a key say so', async () => {
    for (const { at, operation } of await operations()) {
      const path = at.split(' ')[1] ?? '';
      if (path.startsWith('/api/v1/') && !/\/(images|stream)\//.test(path)) {
        expect(operation.security, at).toEqual([{ apiKey: [] }]);
      } else {
        // said in any case: none at all is a statement, too
        expect(operation.security, at).toBeInstanceOf(Array);
      }
    }
  });
});

describe('the scope of every route', () => {
  // contract 34.5
  test('is the one of the table in the contract', async () => {
    const documented: Record<string, string> = {
      'GET /api/v1/events': 'markets:read',
      'GET /api/v1/events/{id}': 'markets:read',
      'GET /api/v1/categories': 'markets:read',
      'GET /api/v1/users/{id}/jurisdiction': 'markets:read',
      'POST /api/v1/quotes': 'quotes:write',
      'POST /api/v1/orders': 'orders:write',
      'POST /api/v1/orders/{id}/confirm-reserve': 'orders:write',
      'POST /api/v1/orders/{id}/cancel': 'orders:write',
      'PUT /api/v1/users/{id}/jurisdiction': 'orders:write',
      'GET /api/v1/users/{id}/limits': 'orders:write',
      'PUT /api/v1/users/{id}/limits': 'orders:write',
      'DELETE /api/v1/users/{id}/limits': 'orders:write',
      'DELETE /api/v1/embed-sessions/{id}': 'orders:write',
      'POST /api/v1/sandbox/scenarios': 'orders:write',
      'POST /api/v1/webhook-deliveries/{id}/resend': 'orders:write',
      'GET /api/v1/orders': 'orders:read',
      'GET /api/v1/orders/{id}': 'orders:read',
      'GET /api/v1/orders/{id}/history': 'orders:read',
      'GET /api/v1/sandbox/scenarios': 'orders:read',
      'GET /api/v1/positions': 'positions:read',
      'GET /api/v1/positions/{id}': 'positions:read',
      'GET /api/v1/settlements': 'settlements:read',
      'GET /api/v1/settlements/positions': 'settlements:read',
      'POST /api/v1/sandbox/resolutions': 'settlements:read',
      'GET /api/v1/collateral': 'ledger:read',
      'GET /api/v1/reconciliation': 'ledger:read',
      'GET /api/v1/reconciliation/feed': 'ledger:read',
      'GET /api/v1/users/{id}/balance': 'ledger:read',
      'GET /api/v1/users/{id}/ledger': 'ledger:read',
      'GET /api/v1/funding/supported-assets': 'funding:write',
      'POST /api/v1/funding/deposit-address': 'funding:write',
      'GET /api/v1/funding/deposits/{id}': 'funding:write',
    };
    const { apiKey } = await service.issueKey(service.operator, { scopes: [] });
    const known = new Set((await operations()).map(({ at }) => at));
    for (const [at, scope] of Object.entries(documented).filter(([route]) => known.has(route))) {
      const [method = '', path = ''] = at.split(' ');
      const response = await service.request(method, path.replace('{id}', 'some-id'), { key: apiKey });
      expect([at, response.status, response.body.error, response.body.required]).toEqual([
        at,
        403,
        'insufficient_scope',
        [scope],
      ]);
    }
  });
});

describe('/api/health', () => {
  // contract 37.1
  test('has the shape of the contract and needs no key', async () => {
    const { status, body } = await service.request('GET', '/api/health', { key: null });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'database', 'markets', 'stream', 'pricing', 'timestamp']);
    expect(['ok', 'degraded', 'starting']).toContain(body.status);
    expect(body.database).toBe('up');
    expect(Object.keys(body.markets)).toEqual(['total', 'open', 'resolved']);
    expect(Object.keys(body.stream)).toEqual([
      'running',
      'subscriptions',
      'openContracts',
      'streamPricedContracts',
      'restPricedContracts',
    ]);
    expect(body.pricing).toEqual({ houseEdgeBps: 0, maxUsableSpread: 1 });
    expect(Date.parse(body.timestamp)).toBeGreaterThan(0);
  });
});

describe('/metrics', () => {
  test('counts requests by route and batches by size, and names no customer', async () => {
    await service.request('GET', '/api/v1/users/a-secret-person/limits');
    const { status, text, headers } = await service.request('GET', '/metrics', { key: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('inlay_http_requests_total{method="GET",route="/api/v1/users/:id/limits",status="200"} ');
    expect(text).toContain('inlay_callers_read_bucket');
    expect(text).toContain('inlay_http_request_duration_seconds_bucket');
    expect(text).not.toContain('a-secret-person');
  });
});

test('a route that does not say who may call it keeps the API from starting', async () => {
  const app = await buildApp(service.context);
  expect(() => app.route({ method: 'GET', url: '/api/v1/open-door', handler: async () => ({}) })).toThrow(
    /config\.auth/,
  );
  await app.close();
});
