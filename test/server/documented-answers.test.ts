/** Answers that the OpenAPI document once left out, one by one; test/fuzz/ looks for others. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERRORS } from '../../src/core/errors.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readDescription } from '../support/openapi.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
let document: AnyJson;

beforeAll(async () => {
  live = await openLive({ job: false });
  tenant = await live.tenant({ mode: 'sandbox' });
  await tenant.place('ana');
  document = await readDescription(live);
});
afterAll(() => live.close());

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  live.request(method, path, { key: tenant.key, headers });
const statusesOf = (path: string, method = 'get') => Object.keys(document.paths[path][method].responses);

test('304, 400, 401 and 431 are documented, with a code of that status', async () => {
  const unchanged = await ask('GET', '/api/v1/events', { 'if-none-match': '*' });
  expect(unchanged.status).toBe(304);
  for (const path of ['/api/v1/events', '/api/v1/events/{id}', '/api/v1/categories', '/api/embed/categories']) {
    expect(statusesOf(path), path).toContain('304');
  }
  expect(statusesOf('/api/v1/stream/prices')).toEqual(expect.arrayContaining(['400', '401']));
  expect(statusesOf('/api/embed/categories')).toContain('400');
  const large = await ask('GET', '/api/v1/categories', { 'x-large': 'x'.repeat(20_000) });
  expect([large.status, large.body.error]).toEqual([431, 'headers_too_large']);
  expect(ERRORS.headers_too_large.status).toBe(431);
  expect(statusesOf('/api/v1/categories')).toEqual(expect.arrayContaining(['408', '431']));
});

test('a route that takes other methods is 405, also with an empty id', async () => {
  for (const path of ['orders/ord_1', 'orders/', 'embed-sessions/ses_1', 'embed-sessions/']) {
    const answer = await ask('POST', `/api/v1/${path}`);
    expect([answer.status, answer.body.error], path).toEqual([405, 'method_not_allowed']);
  }
  expect((await ask('GET', '/api/v1/orders/')).status).toBe(404);
});

test('an export as JSON is the object that the document says', async () => {
  const answer = await ask('GET', '/api/v1/reconciliation/export?kind=orders&format=json');
  expect(answer.body.orders).toHaveLength(1);
  const { schema } = document.paths['/api/v1/reconciliation/export'].get.responses['200'].content['application/json'];
  const validate = new Ajv2020({ strict: false }).compile(schema);
  expect(validate(answer.body), JSON.stringify(validate.errors)).toBe(true);
  expect(validate([])).toBe(false);
});
