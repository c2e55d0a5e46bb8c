/**
 * The named actions of scenario steps as requests of the API, and as other commands of this command line. An action that waits for
 * something polls until its timeout.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookEvent } from '../../client/verify-webhook.ts';
import { runOnce } from '../../core/processes.ts';
import type { ApiAnswer, ApiClient } from '../service/api.ts';
import type { Deliveries } from './deliveries.ts';
import { mismatches } from './judge.ts';
import { ACTION_NAMES, type ActionName, type SingleStep } from './scenario-file.ts';

export interface ActionPorts {
  readonly api: ApiClient;
  /** Cursor at the end of the feed when the file began. */
  readonly feedStart: string | undefined;
  readonly deliveries: Deliveries;
  /** Number of deliveries received before the file began. */
  readonly deliveredBefore: number;
  /** Runs another inlay command with --json. */
  readonly inlay: (argv: readonly string[], signal: AbortSignal) => Promise<{ exitCode: number; json: unknown }>;
  readonly signal: AbortSignal;
  /** Longest wait for a feed item or a delivery, in milliseconds. */
  readonly eventTimeoutMs: number;
}

type Answer = ApiAnswer<unknown>;
/** The input of an action, or a body. A person wrote it, so each field is checked when it is used. */
type Fields = Readonly<Record<string, unknown>>;

export function actionOf(step: SingleStep): ActionName {
  const name = ACTION_NAMES.find((each) => step[each] !== undefined);
  if (name === undefined) {
    throw new Error('the step has no action');
  }
  return name;
}

/** @param given the input of the action, with its variables filled in. @throws what the request throws, the abort of the signal included */
export function act(ports: ActionPorts, name: ActionName, given: unknown): Promise<Answer> {
  if (name === 'inlay' || name === 'paper') {
    const words = Array.isArray(given) ? given.map(String) : String(given).trim().split(/\s+/);
    return runCommand(ports, name === 'paper' ? ['paper', ...words] : words);
  }
  const fields = given as Fields;
  const send = (method: string, path: string, body?: unknown, user?: unknown) =>
    ports.api.send(method, path, { body, user: user === undefined ? undefined : String(user), signal: ports.signal });
  const id = (field: string) => encodeURIComponent(String(fields[field]));
  switch (name) {
    case 'request':
      return plainRequest(ports, fields);
    case 'market':
      return pickMarket(ports, fields);
    case 'quote':
      return send('POST', '/api/v1/quotes', quoteBody(fields), fields['user']);
    case 'order':
      return send('POST', '/api/v1/orders', orderBody(fields['quote'], fields), fields['user']);
    case 'buy':
    case 'sell':
      return trade(ports, fields);
    case 'scenario':
      return send('POST', '/api/v1/sandbox/scenarios', { kind: 'partial_fill', ...fields });
    case 'confirm':
      return send('POST', `/api/v1/orders/${id('order')}/confirm-reserve`, without(fields, 'order'));
    case 'cancel':
      return send('POST', `/api/v1/orders/${id('order')}/cancel`);
    case 'resolve':
      return send('POST', '/api/v1/sandbox/resolutions', {
        positionId: fields['position'],
        resolution: fields['resolution'],
      });
    case 'position':
      return findPosition(ports, fields);
    case 'balance':
      return send('GET', `/api/v1/users/${id('user')}/balance`);
    case 'fund':
      return fund(ports, fields);
    case 'limits':
      return send('PUT', `/api/v1/users/${id('user')}/limits`, without(fields, 'user'));
    case 'jurisdiction':
      return send('PUT', `/api/v1/users/${id('user')}/jurisdiction`, without(fields, 'user'));
    case 'mint':
      return send('POST', '/api/v1/embed-sessions', { externalUserId: fields['user'], ...without(fields, 'user') });
    case 'feed':
      return awaitItem(ports, String(fields['type']), fields['user'], fields['where']);
    case 'endpoint':
      return openEndpoint(ports, fields);
    case 'webhook':
      return awaitDelivery(ports, fields);
    case 'wait':
      return Promise.resolve(answer(200, {}));
  }
}

/** The answer of an action that is not a single request. */
function answer(status: number, body: Fields): Answer {
  return { status, headers: new Headers(), body };
}

/** A command that succeeds counts as a 200 with its output; one that fails counts as a 400 with its error. */
async function runCommand({ inlay, signal }: ActionPorts, argv: readonly string[]): Promise<Answer> {
  const { exitCode, json } = await inlay(argv, signal);
  const body = typeof json === 'object' && json !== null ? (json as Fields) : { output: json };
  return answer(exitCode === 0 ? 200 : 400, { exitCode, ...body });
}

function plainRequest({ api, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  const headers = Object.entries((fields['headers'] ?? {}) as Fields).map(([name, text]) => [
    name.toLowerCase(),
    String(text),
  ]);
  return api.send(String(fields['method']), wholePath(String(fields['path'])), {
    query: fields['query'] as Record<string, string>,
    user: fields['user'] === undefined ? undefined : String(fields['user']),
    body: fields['body'],
    headers: Object.fromEntries(headers) as Record<string, string>,
    signal,
  });
}

const RESOURCES = new Set([
  'categories',
  'embed-sessions',
  'events',
  'funding',
  'orders',
  'positions',
  'quotes',
  'reconciliation',
  'sandbox',
  'settlements',
  'users',
]);

/** `/quotes` is short for `/api/v1/quotes`, as for every resource of the partner API. */
function wholePath(path: string): string {
  return RESOURCES.has(path.split(/[/?]/)[1] ?? '') ? `/api/v1${path}` : path;
}

async function trade({ api, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  const user = String(fields['user']);
  const quoted = await api.send<Fields>('POST', '/api/v1/quotes', { body: quoteBody(fields), user, signal });
  if (quoted.status >= 400) {
    return quoted;
  }
  return api.send('POST', '/api/v1/orders', { body: orderBody(quoted.body['quoteId'], fields), user, signal });
}

async function findPosition({ api, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  const listed = await api.send<{ positions?: Fields[] }>('GET', '/api/v1/positions', {
    query: { externalUserId: String(fields['user']), status: fields['status'] as string | undefined, limit: 200 },
    signal,
  });
  const found = listed.body.positions?.find(
    (position) => fields['contract'] === undefined || position['contractId'] === fields['contract'],
  );
  if (listed.status >= 400 || found !== undefined) {
    return found === undefined ? listed : answer(200, found);
  }
  return answer(404, { error: 'position_not_found', message: 'The customer has no such position.' });
}

async function fund({ api, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  const opened = await api.send<Fields>('POST', '/api/v1/funding/deposit-address', {
    body: { symbol: 'USDC', chainId: 1 },
    user: String(fields['user']),
    signal,
  });
  if (opened.status >= 400) {
    return opened;
  }
  const path = `/api/v1/funding/deposits/${String(opened.body['depositId'])}`;
  await api.send('GET', path, { signal });
  return api.send('GET', path, { signal });
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

function quoteBody(fields: Fields): Fields {
  const { contract, side, stake, contracts } = fields;
  const sized = contracts === undefined ? { action: 'buy', stake } : { action: 'sell', contracts };
  return { marketId: contract, side: typeof side === 'string' ? side.toUpperCase() : side, ...sized };
}

function orderBody(quoteId: unknown, fields: Fields): Fields {
  const { clientOrderId, intent, reserveReference, maxSlippage } = fields;
  return {
    quoteId,
    clientOrderId: clientOrderId === undefined ? randomUUID() : String(clientOrderId),
    ...(intent === undefined ? {} : { executionIntent: intent }),
    ...(reserveReference === undefined ? {} : { reserveReference: String(reserveReference) }),
    ...(maxSlippage === undefined ? {} : { maxSlippage }),
  };
}

/** Runs other inlay commands as separate processes, with the same service and key. @param root folder of package.json */
export function createCommandLine(root: string, apiUrl: string, apiKey: string): ActionPorts['inlay'] {
  const script = join(root, 'bin/run.js');
  return async (argv, signal) => {
    const environment = { INLAY_API_URL: apiUrl, INLAY_API_KEY: apiKey };
    const { exitCode, stdout } = await runOnce(script, [...argv, '--json'], environment, signal);
    return { exitCode, json: parse(stdout) };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const DELIVERY_STEP_MS = 50;

/**
 * The `webhook` step: waits for a real delivery if a receiver is listening, otherwise for the feed item of the emitted event.
 * @returns a 200 with the event, `delivered` true and its payload in `data`; without a receiver `delivered` is false and `data`
 *   null. A 404 after the timeout.
 */
async function awaitDelivery(ports: ActionPorts, fields: Fields): Promise<Answer> {
  const { deliveries, eventTimeoutMs, signal } = ports;
  if (!deliveries.isOpen) {
    deliveries.tellOfNone();
    return awaitRaised(ports, fields);
  }
  const deadline = performance.now() + eventTimeoutMs;
  for (;;) {
    const found = deliveries.events.slice(ports.deliveredBefore).find((event) => isWanted(event, fields));
    if (found !== undefined) {
      const { orderId = null, positionId = null } = found.data as Fields;
      return answer(200, { delivered: true, orderId, positionId, ...found });
    }
    if (performance.now() > deadline) {
      const refused = deliveries.refusals.length;
      return answer(404, {
        error: 'not_found',
        message: `No such ${fields['type']} delivery arrived within ${eventTimeoutMs / 1000} s${refused === 0 ? '' : `; ${refused} arrived with a bad signature`}.`,
      });
    }
    await sleep(DELIVERY_STEP_MS, undefined, { signal });
  }
}

function isWanted({ type, dedupeKey, data }: WebhookEvent, fields: Fields): boolean {
  const { externalUserId, orderId, positionId } = data as Fields;
  const pairs = [
    [fields['type'], type],
    [fields['dedupeKey'], dedupeKey],
    [fields['user'], externalUserId],
    [fields['order'], orderId],
    [fields['position'], positionId],
  ];
  return pairs.every(([wanted, actual]) => wanted === undefined || String(wanted) === actual);
}

async function awaitRaised(ports: ActionPorts, fields: Fields): Promise<Answer> {
  const named = (name: string, value: unknown) => (value === undefined ? {} : { [name]: String(value) });
  const raised = await awaitItem(ports, 'webhook.emitted', fields['user'], {
    ...named('orderId', fields['order']),
    ...named('positionId', fields['position']),
    detail: { eventType: String(fields['type']), ...named('dedupeKey', fields['dedupeKey']) },
  });
  if (raised.status !== 200) {
    return raised;
  }
  const { orderId, positionId, detail } = raised.body as Fields & { detail: Fields };
  const { eventType: type, dedupeKey } = detail;
  return answer(200, { delivered: false, type, dedupeKey, orderId, positionId, data: null });
}

/** Prices from which a contract trades on both sides. */
const [LEAST_CENTS, MOST_CENTS] = [15, 85];
/** Five-minute contracts are listed for the current window and the next. */
const SHORT_MS = 11 * 60_000;

interface Listed {
  readonly id: string;
  readonly outcomes: readonly Fields[];
}

/**
 * The `market` step: picks a contract of the catalogue that a scenario can trade.
 * @returns a 200 with eventId, contractId, yesCents and noCents; a 404 if no contract matches.
 */
async function pickMarket({ api, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  const { fiveMinute, ...filters } = fields as Record<string, string>;
  const query =
    fiveMinute === undefined
      ? { tradable: true, sort: 'volume' }
      : { category: 'crypto', sort: 'closing-soon', dir: 'desc', closesBefore: soon() };
  const listed = await api.send('GET', '/api/v1/events', { query: { limit: 100, ...query, ...filters }, signal });
  const events = (listed.body as { data?: Listed[] }).data;
  if (events === undefined) {
    return listed;
  }
  const suits = fiveMinute === undefined ? isTwoSided : isUnpriced;
  for (const event of events) {
    const outcome = event.outcomes.find((each) => isOpen(each) && suits(each));
    if (outcome !== undefined) {
      const { id: contractId, executableYesCents: yesCents, executableNoCents: noCents } = outcome;
      return answer(200, { eventId: event.id, contractId, yesCents, noCents });
    }
  }
  return answer(404, { error: 'market_not_found', message: 'No matching contract is tradable now.' });
}

function soon(): string {
  return new Date(Date.now() + SHORT_MS).toISOString();
}

function isOpen(outcome: Fields): boolean {
  return outcome['status'] === 'open' && outcome['tradingClosed'] === false;
}

function isTwoSided(outcome: Fields): boolean {
  return [outcome['executableYesCents'], outcome['executableNoCents']]
    .map(Number)
    .every((cents) => cents >= LEAST_CENTS && cents <= MOST_CENTS);
}

/** Five-minute contracts never show their price (contract chapter 3). */
function isUnpriced(outcome: Fields): boolean {
  return outcome['executableYesCents'] === null && outcome['executableNoCents'] === null;
}

const REMOVE_MS = 20_000;

/**
 * The `endpoint` step: opens a receiver on loopback and registers it, for the rest of the file. The secret is never printed.
 * @returns a 200 with the endpoint, or a 400 with the error of its registration.
 */
async function openEndpoint({ deliveries, inlay, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  let secret: string | undefined;
  const url = await deliveries.listen(0, () => secret);
  const types = (fields['events'] ?? []) as readonly string[];
  const added = await inlay(
    [
      'webhooks',
      'add',
      '--operator',
      String(fields['operator']),
      '--url',
      url,
      ...types.flatMap((type) => ['--event', type]),
    ],
    signal,
  );
  const body = (typeof added.json === 'object' && added.json !== null ? added.json : { output: added.json }) as Fields;
  if (added.exitCode !== 0) {
    return answer(400, { exitCode: added.exitCode, ...body });
  }
  const { secret: issued, endpointId, events } = body;
  secret = String(issued);
  deliveries.atEnd(async () => {
    await inlay(['webhooks', 'remove', String(endpointId), '--yes'], AbortSignal.timeout(REMOVE_MS));
  });
  return answer(200, { endpointId, url, events });
}

const ITEM_STEP_MS = 200;

/**
 * The `feed` step: waits for an item of the reconciliation feed that was written since the file began.
 * @param where what the item must match, like a body
 * @returns a 200 with the item, or a 404 after the timeout
 */
async function awaitItem(ports: ActionPorts, type: string, user: unknown, where: unknown): Promise<Answer> {
  const deadline = performance.now() + ports.eventTimeoutMs;
  let cursor = ports.feedStart;
  for (;;) {
    const page = await ports.api.send<{ items?: Fields[]; nextCursor: string; hasMore: boolean }>(
      'GET',
      '/api/v1/reconciliation/feed',
      {
        query: { type, externalUserId: user === undefined ? undefined : String(user), cursor, limit: 500 },
        signal: ports.signal,
      },
    );
    if (page.status >= 400 && page.status !== 404) {
      return page;
    }
    const found = page.body.items?.find((item) => where === undefined || mismatches(where, item).length === 0);
    if (found !== undefined) {
      return answer(200, found);
    }
    cursor = page.body.items === undefined ? cursor : page.body.nextCursor;
    if (performance.now() > deadline) {
      return answer(404, {
        error: 'not_found',
        message: `No matching ${type} item arrived within ${ports.eventTimeoutMs / 1000} s.`,
      });
    }
    if (page.body.hasMore !== true) {
      await sleep(ITEM_STEP_MS, undefined, { signal: ports.signal });
    }
  }
}
