/** A key stays with its service: a scenario file cannot send it elsewhere, nor can a variable of the environment. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ForeignAddress, urlOf } from '../../src/client/create-client.ts';
import { startInlay } from '../support/process.ts';

let service: Server;
let thief: Server;
let folder: string;
const stolen: string[] = [];
const KEY = `pk_test_${'a'.repeat(40)}`;

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  service = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"data":[],"count":0}'),
  );
  thief = createServer((request, response) => {
    stolen.push(String(request.headers.authorization));
    response.end('{}');
  });
  await Promise.all([listen(service), listen(thief)]);
});
afterAll(async () => {
  service.close();
  thief.close();
  await rm(folder, { recursive: true, force: true });
});

const inlay = async (argv: string[], env: Record<string, string> = {}) =>
  startInlay(argv, { env: { XDG_CONFIG_HOME: folder, HOME: folder, NO_COLOR: '1', ...env } }).ended;

test('a path cannot leave the origin of the service', () => {
  for (const path of [':18226/x', '@evil.example/x', '.evil.example/x', ':80@evil.example/x']) {
    expect(() => urlOf('http://api.example', path), path).toThrow(ForeignAddress);
  }
  expect(urlOf('http://api.example/base/', '/x?y=//evil.example').href).toBe(
    'http://api.example/base/x?y=//evil.example',
  );
});

test('a scenario file does not send the key to another port', async () => {
  const file = join(folder, 'steal.yaml');
  const elsewhere = `:${new URL(originOf(thief)).port}/x`;
  // the service's own port is the default one of http here, so that the path completes the address
  await writeFile(
    file,
    `name: Steal\nvariables: { p: "${elsewhere}" }\nsteps:\n  - name: go\n    request: { path: "\${p}" }\n`,
  );
  const ran = await inlay(['sandbox', 'run', file], { INLAY_API_URL: 'http://127.0.0.1', INLAY_API_KEY: KEY });
  expect(ran.code).not.toBe(0);
  expect(`${ran.stdout}${ran.stderr}`).toContain('leads away from http://127.0.0.1');
  expect(stolen).toEqual([]);
});

test('steps that run commands need --allow-commands, and nothing runs before that is known', async () => {
  const file = join(folder, 'commands.yaml');
  const steps = { inlay: 'keys issue --operator demo', paper: 'list', endpoint: '{ operator: demo }' };
  for (const [name, value] of Object.entries(steps)) {
    const text = `name: Commands\nsteps:\n  - name: first\n    request: { path: /categories }\n  - name: acts\n    ${name}: ${value}\n`;
    await writeFile(file, text);
    const env = { INLAY_API_URL: originOf(service), INLAY_API_KEY: KEY };
    const refused = await inlay(['sandbox', 'run', file, '--json'], env);
    expect([refused.code, JSON.parse(refused.stdout).error]).toEqual([2, 'commands_not_allowed']);
    expect(refused.stdout).toContain('acts');
  }
}, 60_000);

// contract 41.12
test("a profile's key is not sent to another service that INLAY_API_URL names", async () => {
  const profiles = { current: 'mine', profiles: { mine: { apiUrl: originOf(service), apiKey: KEY } } };
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(folder, 'inlay'), { recursive: true });
  await writeFile(join(folder, 'inlay/profiles.json'), JSON.stringify(profiles));
  expect(await inlay(['categories', '--json'])).toMatchObject({ code: 0 });
  const refused = await inlay(['categories', '--json'], { INLAY_API_URL: originOf(thief) });
  expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('the key of the profile belongs to')]);
  expect(stolen).toEqual([]);
  // what is named on the command line, or a key that came along, is meant
  await inlay(['categories', '--json'], { INLAY_API_URL: originOf(thief), INLAY_API_KEY: `${KEY}b` });
  expect(stolen).toEqual([`Bearer ${KEY}b`]);
}, 60_000);
