/**
 * The operator conformance kit: the example operator passes, and operators that each do one thing wrong are found, in the round that
 * shows it, with the amount and the instruction.
 */
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoundResult } from '../../src/cli/conformance/operator.ts';
import { verifyWebhook, type WebhookEvent } from '../../src/client/verify-webhook.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { freePort } from '../support/free-port.ts';
import { hasPython } from '../support/python-operator.ts';
import { type RunningService, startRunningService } from './running-service.ts';

let running: RunningService;
beforeAll(async () => {
  running = await startRunningService();
});
afterAll(() => running.close());

interface Tenant {
  readonly apiKey: string;
  readonly port: number;
  readonly secret: string;
}

async function createTenant(slug: string): Promise<Tenant> {
  await running.json('operators', 'create', slug, '--mode', 'sandbox', '--fee-bps', '250');
  const { json: issued } = await running.json('keys', 'issue', '--operator', slug, '--rate-limit', '6000');
  const port = await freePort();
  const { json: hook } = await running.json(
    'webhooks',
    'add',
    '--operator',
    slug,
    '--url',
    `http://127.0.0.1:${port}/`,
  );
  return { apiKey: issued.apiKey, port, secret: hook.secret };
}

async function check({ apiKey, port, secret }: Tenant, operator: string, seconds: number, hooks = '/') {
  const where = [
    '--listen',
    `${port}`,
    '--secret',
    secret,
    '--endpoint',
    operator + hooks,
    '--books',
    `${operator}/balances`,
  ];
  const market = ['--contract', running.market.contractId, '--wait', `${seconds}`];
  const { json, code } = await running.run(['conformance', 'operator', ...where, ...market, '--json'], {
    env: { INLAY_API_KEY: apiKey },
  });
  return { code, error: json.error, message: json.message, rounds: (json.rounds ?? []) as RoundResult[] };
}

// contract 1.4
test('the operator in Python books every instruction once, whatever happens to the events', {
  timeout: 180_000,
}, async ({ skip }) => {
  skip(!hasPython, 'python3 is missing');
  const tenant = await createTenant('kit-python');
  const port = await freePort();
  const script = join(projectRoot, 'fixtures/operator-python/serve.py');
  const child = spawn('python3', [script, `${port}`, join(running.folder, 'kit-python.sqlite')], {
    env: {
      ...process.env,
      ...running.env,
      INLAY_API_KEY: tenant.apiKey,
      WEBHOOK_SECRET: tenant.secret,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const { code, rounds, message } = await check(tenant, `http://127.0.0.1:${port}`, 60, '/hooks');
    expect(message).toBeUndefined();
    expect(rounds.map(({ round, differences }) => [round, differences])).toEqual(
      ['in order', 'permuted', 'repeated', 'late', 'lost', 'forged'].map((round) => [round, []]),
    );
    expect(code).toBe(0);
    expect(rounds[0]?.instructed).toEqual(rounds[0]?.booked);
    expect(rounds[0]?.instructed.held).toBe('5.00');
  } finally {
    child.kill();
  }
});

type Event = WebhookEvent & { readonly data: Readonly<Record<string, never>> };
interface Account {
  available: number;
  held: number;
}
/** Books that an operator keeps from webhooks alone: how an event changes an account, in cents. */
type Books = (account: Account, event: Event, seen: Event[]) => void;

const OPENING = 1_000_000;
const cents = (text: string | undefined) => Math.round(Number(text ?? 0) * 100);

/** Takes each event as its instruction says, at the moment when it arrives. */
const book: Books = (account, { type, data }) => {
  const money = data['operatorMoney'] as Record<string, string> | null;
  const exit = data['operatorExitMoney'] as Record<string, string> | null;
  switch (type) {
    case 'order.intent_recorded':
      account.available -= cents(data['authorizationAmount']);
      account.held += cents(data['authorizationAmount']);
      break;
    case 'order.cancelled':
      account.available += cents(data['releaseAmount']);
      account.held -= cents(data['releaseAmount']);
      break;
    case 'order.filled':
      account.available += exit === null ? -cents(money?.['actualDebit']) : cents(exit['sellProceeds']);
      break;
    case 'position.settled':
      account.available += cents(money?.['settlementCredit']) + cents(money?.['voidCredit']);
      break;
    default:
  }
};
const isRepeated = (event: Event, seen: readonly Event[]) =>
  seen.some(({ dedupeKey }) => dedupeKey === event.dedupeKey);
const once: Books = (account, event, seen) => {
  if (!isRepeated(event, seen)) {
    book(account, event, seen);
  }
};

const WRONG: readonly (readonly [what: string, books: Books, round: string, difference: RegExp])[] = [
  ['ignores the dedupeKey', book, 'repeated', /booked three times: .*order\.filled of ord_/],
  [
    'books a withdrawal only if it knows the order when the event arrives',
    (account, event, seen) => {
      const { orderId } = event.data as { orderId?: string };
      const knows = seen.some(({ type, data }) => type === 'order.intent_recorded' && data['orderId'] === orderId);
      if (event.type !== 'order.cancelled' || knows) {
        once(account, event, seen);
      }
    },
    'permuted',
    /\+15\.00 held: what an order that was withdrawn had reserved is still reserved/,
  ],
  [
    'drops a fill of a position that it knows as settled',
    (account, event, seen) => {
      if (event.type !== 'order.filled' || !seen.some(({ type }) => type === 'position.settled')) {
        once(account, event, seen);
      }
    },
    'late',
    /not booked: .*order\.filled of ord_/,
  ],
  [
    'rounds to whole dollars',
    (account, event, seen) => {
      once(account, event, seen);
      account.available = Math.round(account.available / 100) * 100;
    },
    'in order',
    /rounded/,
  ],
  [
    'loses one event after it acknowledged it',
    (account, event, seen) => {
      if (event.type !== 'order.filled' || seen.some(({ type }) => type === 'order.filled')) {
        once(account, event, seen);
      }
    },
    'in order',
    /^\+25\.00 in all: not booked: order\.filled of ord_\w+ \(-25\.00\)$/,
  ],
  ['reads no feed', once, 'lost', /not booked: .*position\.settled of pos_/],
];

/** An operator that books webhooks with these books. */
async function startWrongOperator(secret: string, books: Books): Promise<Server> {
  const accounts = new Map<string, { account: Account; seen: Event[] }>();
  const find = (customer: string) => {
    const found = accounts.get(customer) ?? { account: { available: OPENING, held: 0 }, seen: [] };
    accounts.set(customer, found);
    return found;
  };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const { account } = find(decodeURIComponent(request.url?.split('/').at(-1) ?? ''));
      const show = (amount: number) => (amount / 100).toFixed(2);
      response.end(JSON.stringify({ available: show(account.available), held: show(account.held) }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    try {
      const signature = request.headers['service-signature'] as string;
      const event = verifyWebhook({ body: Buffer.concat(chunks), signature, secret }) as Event;
      const { account, seen } = find(event.data['externalUserId'] as string);
      books(account, event, seen);
      seen.push(event);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

let tenants = 0;
test.each(WRONG)('an operator that %s is found', { timeout: 180_000 }, async (_what, books, round, difference) => {
  tenants += 1;
  const tenant = await createTenant(`kit-wrong-${tenants}`);
  const server = await startWrongOperator(tenant.secret, books);
  try {
    const { port } = server.address() as { port: number };
    const { code, rounds } = await check(tenant, `http://127.0.0.1:${port}`, 0);
    const found = rounds.find((one) => one.round === round);
    expect(found).toMatchObject({
      ok: false,
      differences: expect.arrayContaining([expect.stringMatching(difference)]),
    });
    expect(code).toBe(5);
    if (round !== 'in order') {
      expect(rounds[0]).toMatchObject({ round: 'in order', ok: true, differences: [] });
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an endpoint that checks no signature, and books that cannot be read, are reported', {
  timeout: 180_000,
}, async () => {
  const tenant = await createTenant('kit-other');
  const server = createServer((request, response) => {
    request.resume();
    response.end(request.method === 'GET' ? '{"available":"0.00","held":"0.00"}' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { rounds } = await check(tenant, `http://127.0.0.1:${port}`, 0);
  expect(rounds.find((one) => one.round === 'forged')?.differences).toContain(
    'an event with a wrong signature is answered 200',
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await check(tenant, `http://127.0.0.1:${port}`, 0)).toMatchObject({ code: 1, rounds: [] });
});
