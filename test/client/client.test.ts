/** `inlay/client`: its operations are those of the document, webhooks are verified, facts of the feed are handed on once, and an operator built on it agrees with the report. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { ApiRefusal, createInlayClient, expectData } from '../../src/client/create-client.ts';
import { FeedGap, type FeedState, followFeed } from '../../src/client/follow-feed.ts';
import { ServiceUnreachable } from '../../src/client/transport.ts';
import { verifyWebhook, WebhookRejected } from '../../src/client/verify-webhook.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import type { Quote } from '../../src/wire/quote.ts';
import { type RunningService, startRunningService } from '../cli/running-service.ts';
import { runProgram } from '../support/process.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let running: RunningService;
beforeAll(async () => {
  running = await startRunningService();
});
afterAll(() => running.close());

const clientOf = (apiKey = running.service.key) => createInlayClient({ url: running.service.url, apiKey });

test('the operations are those of the OpenAPI document', async () => {
  const { body } = await running.service.request('GET', '/openapi.json', { key: null });
  const documented = Object.entries(body.paths as Record<string, Record<string, unknown>>)
    .filter(([path]) => path.startsWith('/api/v1/') && !/\/(images|stream)\//.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  const source = readFileSync(join(projectRoot, 'src/client/operations.ts'), 'utf8');
  const table = source.slice(source.indexOf('export interface Operations'));
  const typed = table
    .split(/^ {2}'/m)
    .slice(1)
    .flatMap((entry) => {
      const [path = ''] = entry.split("'");
      return [
        ...(/:\s*Get</.test(entry) ? [`get ${path}`] : []),
        ...[...entry.matchAll(/\b(post|put|delete):/g)].map(([, method]) => `${method} ${path}`),
      ];
    });
  expect(typed.sort()).toEqual(documented.sort());
});

test('answers are typed, refusals carry their code, silence is an error of its own', async () => {
  const quote = await expectData(
    clientOf().POST('/api/v1/quotes', {
      params: { header: { 'X-Service-User': 'ana' } },
      body: { marketId: running.market.contractId, side: 'YES', action: 'buy', stake: 10 },
    }),
  );
  expectTypeOf(quote.quoteId).toEqualTypeOf<Quote['quoteId']>();
  expect(quote.operatorMoney?.authorizationAmount).toBe('10.00');
  const refused = await expectData(clientOf('pk_test_wrong').GET('/api/v1/categories')).catch((error) => error);
  expect(refused).toBeInstanceOf(ApiRefusal);
  expect(refused).toMatchObject({ code: 'invalid_key', status: 401 });
  const away = createInlayClient({ url: 'http://127.0.0.1:9', apiKey: 'x' });
  await expect(expectData(away.GET('/api/v1/categories'))).rejects.toBeInstanceOf(ServiceUnreachable);
});

describe('webhooks', () => {
  const secret = 'whsec_of_a_test';
  const body = '{"id":"dlv_1","type":"order.rejected","dedupeKey":"k","createdAt":"2026-11-21T00:00:00Z","data":{}}';
  const now = new Date('2026-11-21T12:00:00Z');
  const at = (seconds: number) => signatureHeader(secret, Math.floor(now.getTime() / 1000) + seconds, body);

  test('a good one gives its event', () => {
    expect(verifyWebhook({ body, signature: at(-299), secret, now })).toMatchObject({ dedupeKey: 'k' });
  });

  test('others say why', () => {
    const reasons = [
      { signature: undefined, body },
      { signature: 'v1=1', body },
      { signature: at(-301), body },
      { signature: at(301), body },
      { signature: at(0), body: `${body} ` },
    ].map((delivery) => {
      try {
        return verifyWebhook({ ...delivery, secret, now });
      } catch (error) {
        return error instanceof WebhookRejected ? error.reason : error;
      }
    });
    expect(reasons).toEqual(['missing', 'malformed', 'too_old', 'in_the_future', 'mismatch']);
  });
});

describe('the feed', () => {
  const order = async (user: string) => {
    const bought = await running.json('buy', running.market.contractId, 'yes', '--stake', '5', '--user', user, '--yes');
    expect(bought.code).toBe(0);
  };

  test('each fact is handed on once, also where keeping the place failed', async () => {
    await order('feed-1');
    const seen: number[] = [];
    let kept: FeedState = { cursor: null, sequence: 0 };
    const failing = followFeed(clientOf(), {
      from: kept,
      apply: () => {
        throw new Error('the disk is full');
      },
    });
    await expect(failing).rejects.toThrow('the disk is full');
    const apply = (facts: readonly { sequence: number }[], state: FeedState) => {
      seen.push(...facts.map((fact) => fact.sequence));
      kept = state;
    };
    await followFeed(clientOf(), { from: kept, apply });
    await order('feed-2');
    // an older cursor beside the newer number: the facts between are skipped
    await followFeed(clientOf(), { from: { cursor: null, sequence: kept.sequence }, apply });
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    expect(seen.length).toBe(kept.sequence);
  });

  test('a missing number stops it', async () => {
    const holes = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items: [{ sequence: 1 }, { sequence: 3 }], nextCursor: 'c', hasMore: false }));
    });
    await new Promise<void>((resolve) => holes.listen(0, '127.0.0.1', resolve));
    const client = createInlayClient({ url: `http://127.0.0.1:${(holes.address() as AddressInfo).port}` });
    let applied = 0;
    const apply = () => {
      applied += 1;
    };
    const read = followFeed(client, { from: { cursor: null, sequence: 0 }, apply });
    await expect(read).rejects.toBeInstanceOf(FeedGap);
    expect(applied).toBe(0);
    holes.close();
  });
});

test('the example operator keeps its own ledger and ends in agreement with the report', {
  timeout: 60_000,
}, async () => {
  await running.json('operators', 'create', 'example', '--mode', 'sandbox', '--fee-bps', '250');
  const { json: issued } = await running.json('keys', 'issue', '--operator', 'example');
  const port = await freePort();
  const { json: hook } = await running.json(
    'webhooks',
    'add',
    '--operator',
    'example',
    '--url',
    `http://127.0.0.1:${port}/`,
  );
  const ran = await runProgram(
    process.execPath,
    [join(projectRoot, 'fixtures/operator/run.js'), running.market.contractId, '--alone'],
    { env: { ...running.env, INLAY_API_KEY: issued.apiKey, WEBHOOK_PORT: `${port}`, WEBHOOK_SECRET: hook.secret } },
  );
  expect(ran.stderr).toBe('');
  expect(ran.stdout).toContain('bo has 3.00 left and wants 25.00: no order');
  expect(ran.stdout).toContain('cy is filled in part: partially_filled');
  expect(ran.stdout).toMatch(/\d+ facts of the feed applied, each once\n([1-9]\d*) webhooks verified, 0 refused/);
  expect(ran.stdout).toMatch(/agreed: \d+\.\d\d\n$/);
  expect(ran.code).toBe(0);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
