/** `api METHOD PATH`: any route of a key, with the answer as it was sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestMarket } from '../support/market.ts';
import { inlay } from '../support/process.ts';
import { atTerminal, type RunCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let run: RunCommand;
let market: TestMarket;
const folder = temporaryFolder('inlay-api');

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('any-route');
  for (const user of ['ana', 'ben', 'cleo']) {
    await service.buy(market, user);
  }
  run = await service.commands();
});
afterAll(() => service.close());

const api = (...argv: string[]) => run('', 'api', ...argv);

async function sent(path: string, init: RequestInit = {}): Promise<string> {
  const headers = { authorization: `Bearer ${service.key}` };
  return (await fetch(`${service.url}${path}`, { ...init, headers })).text();
}

describe('a read', () => {
  // contract 40.18
  test('prints the answer as it was sent; the version may be left out of the path', async () => {
    const body = await sent('/api/v1/positions?externalUserId=ana');
    for (const path of ['/positions', 'positions', '/api/v1/positions']) {
      const { exitCode, stdout, stderr } = await api('get', path, '-f', 'externalUserId=ana');
      expect([exitCode, stdout, stderr]).toEqual([0, body, '']);
    }
    expect((await api('GET', '/positions?externalUserId=ana')).stdout).toBe(body);
    expect((await api('GET', '/api/health')).stdout).toContain('"status"');
  });

  test('sends a field that is given more than once as a list', async () => {
    const types = ['-f', 'type=order.filled', '-f', 'type=position.settled'];
    const { json } = await api('GET', '/reconciliation/feed', ...types, '--json');
    const found = new Set(json.items.map(({ type }: { type: string }) => type));
    expect([...found]).toEqual(['order.filled']);
  });

  test('prints one document with --json, and status and headers with --include', async () => {
    const who = JSON.parse(await sent('/api/v1/whoami'));
    expect((await api('GET', '/whoami', '--json')).json).toMatchObject({ slug: who.slug, scopes: who.scopes });
    const { stdout } = await api('GET', '/whoami', '-i');
    expect(stdout).toMatch(/^HTTP 200 OK\n(?:[\w-]+: .*\n)+\n\{"/);
    expect(stdout).toMatch(/^x-request-id: req_/m);
    const whole = await api('GET', '/whoami', '--include', '--json');
    expect(whole.json).toMatchObject({ status: 200, body: { slug: who.slug } });
    expect(whole.json.headers['content-type']).toContain('application/json');
  });

  test('on a terminal has indents, and no control characters', async () => {
    const { stdout } = await atTerminal(80, () => api('GET', '/whoami'));
    expect(stdout).toMatch(/^\{\n {2}"/);
  });

  test('prints what is not JSON, and refuses it under --json', async () => {
    const csv = ['GET', '/reconciliation/export', '-f', 'kind=positions', '-f', 'format=csv'];
    const { exitCode, stdout } = await api(...csv);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('positionId')]);
    expect(await api(...csv, '--json')).toMatchObject({ exitCode: 2, json: { error: 'invalid_usage' } });
    const head = await api('HEAD', '/whoami', '-i');
    expect([head.exitCode, head.stdout.trim().split('\n').length]).toEqual([0, expect.any(Number)]);
    expect(head.stdout).not.toContain('{');
  });

  // contract 40.18
  test('with --paginate prints the items of all pages as one list', async () => {
    const positions = JSON.parse(await sent('/api/v1/positions'));
    const pages = await api('GET', '/positions', '-F', 'limit=1', '--paginate');
    expect(JSON.parse(pages.stdout)).toEqual(positions.positions);
    expect(positions.positions).toHaveLength(3);
    const feed = await api(
      'GET',
      '/reconciliation/feed',
      '-F',
      'limit=2',
      '-f',
      'externalUserId=ana',
      '--paginate',
      '--json',
    );
    expect(feed.json.length).toBeGreaterThan(2);
    expect(new Set(feed.json.map(({ id }: { id: string }) => id)).size).toBe(feed.json.length);
    await service.openMarket('second-page');
    const events = await api('GET', '/events', '-F', 'limit=1', '--paginate', '--json');
    expect(events.json.length).toBeGreaterThan(1);
    expect(await api('GET', '/whoami', '--paginate')).toMatchObject({ exitCode: 2 });
    expect(await api('POST', '/quotes', '--paginate')).toMatchObject({ exitCode: 2 });
  });
});

describe('a change', () => {
  // contract 40.18
  test('has texts of -f, values of -F, and the customer', async () => {
    const quote = ['-f', `marketId=${market.contractId}`, '-f', 'side=YES', '-f', 'action=buy', '-F', 'stake=10'];
    const quoted = await api('POST', '/quotes', '--user', 'dora', ...quote, '--json');
    expect(quoted.json).toMatchObject({ side: 'YES', stake: 10 });
    const order = ['-f', `quoteId=${quoted.json.quoteId}`, '-f', 'clientOrderId=1'];
    const ordered = await api('POST', '/orders', '--user', 'dora', ...order, '--json');
    expect(ordered.json).toMatchObject({ status: 'filled', clientOrderId: '1', externalUserId: 'dora' });
    const header = await api('POST', '/quotes', '-H', 'X-Service-User: dora', ...quote, '--json');
    expect(header.exitCode).toBe(0);
  });

  test('takes its body from a file or from standard input', async () => {
    const file = join(folder, 'limits.json');
    writeFileSync(file, JSON.stringify({ maxWagerMinor: 5000, periodStakeMinor: null, periodHours: null, note: null }));
    const put = await api('PUT', '/users/ana/limits', '--input', file, '--json');
    expect(put.json.account).toMatchObject({ maxWagerMinor: 5000 });
    const piped = await inlay(['api', 'PUT', '/users/ana/limits', '--input', '-'], {
      env: { INLAY_API_URL: service.url, INLAY_API_KEY: service.key, XDG_CONFIG_HOME: folder, INLAY_DATA_DIR: folder },
      input: '{ "maxWagerMinor": 6000, "periodStakeMinor": null, "periodHours": null, "note": null }',
    });
    expect([piped.code, JSON.parse(piped.stdout).account.maxWagerMinor]).toEqual([0, 6000]);
    writeFileSync(file, '{');
    expect(await api('PUT', '/users/ana/limits', '--input', file)).toMatchObject({ exitCode: 2 });
    expect(await api('PUT', '/users/ana/limits', '--input', join(folder, 'none'))).toMatchObject({ exitCode: 3 });
    expect(await api('GET', '/users/ana/limits', '--input', file)).toMatchObject({ exitCode: 2 });
  });
});

describe('a refusal', () => {
  // contract 38.4, contract 40.18
  test.each([
    [['GET', '/orders/ord_nobody'], 3, 'unknown_order'],
    [['GET', '/no-such-route'], 3, 'not_found'],
    [['POST', '/quotes', '--user', 'ana', '-F', 'stake=10'], 1, 'invalid_request'],
    [['GET', '/whoami', '--api-key', 'pk_test_wrong'], 4, 'invalid_key'],
  ])('%j is printed as it was sent, explained, and has exit code %i', async (argv, exitCode, code) => {
    const plain = await api(...argv);
    expect([plain.exitCode, JSON.parse(plain.stdout).error]).toEqual([exitCode, code]);
    expect(plain.stderr).toMatch(new RegExp(`^${code}: `));
    expect(await api(...argv, '--json')).toMatchObject({ exitCode, json: { error: code } });
  });

  test.each([
    [['FETCH', '/whoami']],
    [['GET', '/whoami', '-f', 'nothing']],
    [['GET', '/whoami', '-H', 'nothing']],
    [['POST', '/quotes', '--input', 'x', '-f', 'a=b']],
  ])('%j is wrong usage', async (argv) => {
    expect(await api(...argv, '--json')).toMatchObject({ exitCode: 2, json: { error: 'invalid_usage' } });
  });

  test('the key goes to no other address than that of the service', async () => {
    for (const path of ['https://evil.example/', '//evil.example/', ':81/x', '@evil.example/x']) {
      const { exitCode, json } = await api('GET', path, '--json');
      expect([exitCode, json.error]).toEqual([3, 'not_found']);
    }
  });
});
