/** What a hostile or careless client sends: names of object methods, uploads that break off, repeated headers. */
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildApp } from '../../src/server/app.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
});

afterAll(async () => {
  await service.close();
});

const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');

test('a field named like an object method is 400 with our own body', async () => {
  const bodies = [
    ['POST', '/api/v1/embed-sessions', { externalUserId: 'u' }],
    ['PUT', '/api/v1/users/u/jurisdiction', { country: 'US' }],
    ['POST', '/api/v1/sandbox/scenarios', { kind: 'partial_fill', fillFraction: 2 }],
  ] as const;
  for (const name of INHERITED) {
    const [method, path, body] = bodies[0];
    const refused = await service.request(method, path, { body: { ...body, [name]: 1 } });
    expect([refused.status, refused.body?.error], name).toEqual([400, 'invalid_request']);
    expect(refused.body.detail, name).toEqual([{ path: name, message: 'unknown field' }]);
  }
  for (const [method, path, body] of bodies.slice(1)) {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      const answer = await service.request(method, path, { body: { ...body, [name]: 1 } });
      expect(answer.status, `${path} ${name}`).toBeLessThan(500);
      expect(Object.keys(answer.body), `${path} ${name}`).not.toContain('statusCode');
    }
  }
});

test('an error that cannot even be looked at is a JSON internal_error', async () => {
  const app = await buildApp(service.context);
  const fault = () => {
    throw new Error('looked at');
  };
  app.get('/unreadable', { config: { auth: 'none' } }, async () => {
    throw new Proxy({}, { getPrototypeOf: fault, get: fault, has: fault });
  });
  const answer = await app.inject({ method: 'GET', url: '/unreadable' });
  await app.close();
  expect([answer.statusCode, answer.body]).toEqual([
    500,
    '{"error":"internal_error","message":"An unexpected error occurred."}',
  ]);
});

test('an upload that the client breaks off is no error in the log', async () => {
  const errors = vi.spyOn(service.context.log, 'error');
  const notes = vi.spyOn(service.context.log, 'debug');
  const { port } = new URL(service.url);
  for (let upload = 0; upload < 5; upload += 1) {
    const socket = connectSocket(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `PUT /api/v1/users/u/limits HTTP/1.1\r\nhost: inlay\r\nauthorization: Bearer ${service.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 500\r\nexpect: 100-continue\r\n\r\n{"maxWagerMinor":',
    );
    // the service has the request when it asks for the rest
    await once(socket, 'data');
    socket.resetAndDestroy();
  }
  const heard = () => notes.mock.calls.filter(([, text]) => String(text).includes('aborted its request')).length;
  await until(
    async () => heard(),
    (count) => count === 5,
  );
  expect(errors.mock.calls).toEqual([]);
  vi.restoreAllMocks();
});

test('a request line without a version of HTTP/1 is 400', async () => {
  const answerTo = async (text: string) => {
    const socket = connectSocket(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
    const [bytes] = await once(socket, 'data');
    socket.destroy();
    return String(bytes);
  };
  for (const line of ['GET /api/health', 'GET /api/health HTTP/0.9', 'GET /api/health HTTP/2.0']) {
    const answer = await answerTo(`${line}\r\nhost: inlay\r\n\r\n`);
    expect(answer, line).toMatch(/^HTTP\/1\.1 400 .*"error":"invalid_request"/s);
  }
  expect(await answerTo('GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

// contract 36.5
test('a DELETE is answered as if it had no body, whatever it sends', async () => {
  for (const body of ['{', '{"a":1}', `"${'x'.repeat(100_000)}"`]) {
    const { status } = await service.request('DELETE', '/api/v1/users/u/limits', { body });
    expect(status, body.slice(0, 9)).toBe(200);
  }
});
