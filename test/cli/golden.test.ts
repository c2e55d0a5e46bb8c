/** What the commands of each topic print, for people, as CSV and as JSON, held in files. `npx vitest run test/cli/golden.test.ts -u` writes them anew. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTranscript } from '../support/golden.ts';
import type { RunCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';
import { type RunningService, startRunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let running: RunningService;
let run: RunCommand;
let receiver: Server;
const known: Record<string, string> = {};

beforeAll(async () => {
  running = await startRunningService();
  run = await running.service.commands({ ...running.env, INLAY_VENUES: 'paper' });
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { contractId } = running.market;
  const buy = async (side: string, stake: string, user: string) => {
    const { json, stderr } = await run(
      '',
      'buy',
      contractId,
      side,
      '--stake',
      stake,
      '--user',
      user,
      '--yes',
      '--json',
    );
    expect(json.status, stderr).toBe('filled');
    return json;
  };
  const first = await buy('yes', '10', 'ana');
  await buy('no', '5', 'ana');
  await buy('yes', '100', 'björn');
  known['order'] = first.orderId;
  known['ref'] = first.executionRef;
  const positions = await run('positions', 'list', '--user', 'björn', '--json');
  const [position] = positions.json.positions;
  await run('sandbox', 'resolve', position.positionId, 'win', '--yes');
  await until(
    async () => (await run('settlements', 'list', '--json')).json.count,
    (count) => count === 1,
    60_000,
  );
  known['position'] = position.positionId;
  // what follows the settlement is there before anything is compared
  await until(
    async () => (await run('orders', 'lookup', known['ref'] ?? '', '--json')).json.webhooks?.length,
    (count) => count !== undefined,
    60_000,
  );
});

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await running.close();
});

const LISTS = ['table', 'csv', 'json'];

async function compare(name: string, commands: readonly (readonly [string, string, ...string[]])[]): Promise<void> {
  const transcript = openTranscript(run);
  for (const words of commands) {
    await transcript.add(...(words as [string, string, ...string[]]));
  }
  await expect(transcript.text()).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `${name}.txt`));
}

/** A list in its three forms. */
function forms(topic: string, command: string, ...argv: string[]): [string, string, ...string[]][] {
  return LISTS.map((form) =>
    form === 'json' ? [topic, command, ...argv, '--json'] : [topic, command, ...argv, '--output', form],
  );
}

test('orders', async () => {
  await compare('orders', [
    ...forms('orders', 'list', '--user', 'ana'),
    ['orders', 'list', '--user', 'nobody'],
    ['orders', 'list', '--user', 'ana', '--limit', '1'],
    ['orders', 'show', known['order'] ?? ''],
    ['orders', 'show', known['ref'] ?? '', '--json'],
    ['orders', 'show', 'inl_none'],
    ['orders', 'lookup', known['ref'] ?? ''],
    ['orders', 'lookup', 'nothing'],
    ['orders', 'lookup', known['ref'] ?? '', '--operator', 'demo'],
    ['orders', 'lookup', 'nothing', '--operator', 'demo'],
    ['orders', 'cancel', known['order'] ?? '', '--yes'],
    ['orders', 'stuck'],
  ]);
});

test('positions', async () => {
  await compare('positions', [
    ...forms('positions', 'list', '--status', 'settled'),
    ['positions', 'show', known['position'] ?? ''],
    ['positions', 'show', 'pos_none', '--json'],
    ['positions', 'list', '--user', 'nobody'],
  ]);
});

test('settlements', async () => {
  await compare('settlements', [...forms('settlements', 'list'), ['settlements', 'list', '--user', 'nobody']]);
});

test('reconciliation', async () => {
  await compare('reconciliation', [
    ['reconciliation', 'show'],
    ['reconciliation', 'show', '--json'],
    ['reconciliation', 'export', '--kind', 'orders'],
    ['reconciliation', 'export', '--kind', 'revenue', '--by', 'market', '--decimal-comma'],
    ['reconciliation', 'revenue', '--by', 'market,customer'],
    ['reconciliation', 'revenue', '--by', 'customer', '--chart', 'payouts', '--output', 'csv'],
    ['reconciliation', 'revenue', '--by', 'customer', '--json'],
    ['reconciliation', 'export', '--kind', 'settlements', '--format', 'jsonl'],
    ['reconciliation', 'export', '--kind', 'orders', '--format', 'xlsx'],
    ['reconciliation', 'compare', '--theirs', 'no-such-file.csv'],
  ]);
});

test('webhooks', async () => {
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/inlay`;
  const transcript = openTranscript(run);
  await transcript.add('webhooks', 'list', '--operator', 'demo');
  const added = await run('webhooks', 'add', '--operator', 'demo', '--url', url, '--event', 'order.filled', '--json');
  const endpointId: string = added.json.endpointId;
  for (const words of forms('webhooks', 'list', '--operator', 'demo')) {
    await transcript.add(...words);
  }
  await transcript.add('webhooks', 'test', endpointId);
  for (const words of [
    ...forms('webhooks', 'deliveries', '--operator', 'demo-live'),
    ...forms('webhooks', 'deliveries'),
  ]) {
    await transcript.add(...words);
  }
  await transcript.add('webhooks', 'resend', 'dlv_none');
  await transcript.add('webhooks', 'disable', endpointId, '--yes');
  await transcript.add('webhooks', 'remove', endpointId, '--yes');
  await transcript.add('webhooks', 'enable', 'whe_none');
  await expect(transcript.text()).toMatchFileSnapshot(join(import.meta.dirname, 'golden', 'webhooks.txt'));
});

test('customers, keys and operators', async () => {
  await compare('customers', [
    ...forms('customers', 'list', '--operator', 'demo'),
    ['customers', 'suspend', '--operator', 'demo', '--user', 'björn', '--yes'],
    ['customers', 'resume', '--operator', 'demo', '--user', 'björn'],
    ['customers', 'list', '--operator', 'demo-live'],
  ]);
  await compare('keys', [
    ['keys', 'issue', '--operator', 'demo-live', '--scope', 'orders:read', '--label', 'finance'],
    ['keys', 'issue', '--operator', 'demo-live', '--scope', 'nothing:read'],
    ['keys', 'revoke', 'key_none', '--yes'],
  ]);
  await compare('operators', [
    ['operators', 'create', 'lucky', '--mode', 'sandbox', '--name', 'Lucky Casino', '--fee-bps', '150'],
    ['operators', 'create', 'lucky'],
    ['operators', 'create', 'Lucky!'],
    ['operators', 'create', 'fresh'],
    ['operators', 'update', 'lucky', '--max-wager', '5000', '--offer-category', 'sports'],
    ['operators', 'update', 'lucky', '--max-wager=-5'],
    ...forms('operators', 'list'),
    ['operators', 'show', 'lucky'],
    ['operators', 'show', 'nobody'],
    ['operators/collateral', 'deposit', 'demo-live', '100000'],
  ]);
});

test('events', async () => {
  await compare('events', [
    ...forms('events', 'list'),
    ['events', 'show', running.market.eventId],
    ['events', 'show', 'evt_none'],
    ['events', 'list', '--search', 'nothing like it'],
  ]);
});

test('ledger', async () => {
  await compare('ledger', [
    ...forms('ledger', 'balances', '--operator', 'demo'),
    ['ledger', 'balances', '--operator', 'x'],
  ]);
});

test('embed-sessions, limits and jurisdiction', async () => {
  await compare('embed-sessions', [
    ['embed-sessions', 'mint', '--user', 'ana', '--country', 'HR'],
    ['embed-sessions', 'mint', '--user', 'ana', '--return-origin', 'nowhere'],
    ['embed-sessions', 'mint'],
    ['embed-sessions', 'revoke', 'ses_none', '--yes', '--json'],
  ]);
  await compare('limits', [
    ['limits', 'get', 'ana'],
    ['limits', 'set', 'ana', '--max-wager', '5000', '--note', 'asked by the player'],
    ['limits', 'set', 'ana'],
    ['limits', 'set', 'ana', '--period-stake', '100'],
    ['limits', 'clear', 'ana', '--yes'],
    ['jurisdiction', 'set', 'ana', 'US-NJ'],
    ['jurisdiction', 'set', 'ana', 'nowhere'],
  ]);
});

test('books', async () => {
  await compare('books', [
    ['books', 'list', '--operator', 'demo'],
    ['books', 'create', '--operator', 'demo', '--name', 'Finals', '--event', running.market.eventId],
    ...forms('books', 'list', '--operator', 'demo'),
  ]);
});

test('sandbox', async () => {
  await compare('sandbox', [
    ['sandbox', 'balance', 'ana'],
    ...forms('sandbox', 'ledger', 'björn'),
    ['sandbox', 'resolve', known['position'] ?? '', 'loss', '--yes'],
    ['sandbox/scenarios', 'list'],
    ['sandbox/scenarios', 'arm', '--fill-fraction', '0.5'],
    ...forms('sandbox/scenarios', 'list'),
    ['sandbox', 'run', 'no-such-file.yaml'],
  ]);
});

test('jobs', async () => {
  await until(
    async () => (await run('jobs', 'list', '--json')).json.jobs.length,
    (count) => count === 0,
    60_000,
  );
  await compare('jobs', [
    ['jobs', 'list', '--output', 'csv'],
    ['jobs', 'retry', '999999'],
  ]);
});

// contract 39.3
test('doctor names each thing it looks at', async () => {
  const { json, stdout } = await run('', 'doctor', '--json');
  expect(json.checks.every(({ detail }: { detail: string }) => detail !== '')).toBe(true);
  // what it finds is this machine's
  const named = stdout.replaceAll(/("ok": )\w+/g, '$1…').replaceAll(/("detail": )".*"/g, '$1"…"');
  await expect(named).toMatchFileSnapshot(join(import.meta.dirname, 'golden', 'doctor.txt'));
});
