/** Named actions of scenario steps as requests of the API. An action that waits polls until its timeout. */
import { randomUUID } from 'node:crypto';
import { ACTION_NAMES, type ActionName } from '../file/scenario-actions.ts';
import type { SingleStep } from '../file/scenario-file.ts';
import { type ActionPorts, type Answer, answer, type Fields } from './action-ports.ts';
import { awaitDelivery } from './await-delivery.ts';
import { awaitItem } from './await-item.ts';
import { openEndpoint } from './open-endpoint.ts';
import { pickMarket } from './pick-market.ts';

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

export function actionOf(step: SingleStep): ActionName {
  const name = ACTION_NAMES.find((each) => step[each] !== undefined);
  if (name === undefined) {
    throw new Error('the step has no action');
  }
  return name;
}

/** @param given the input of the action, variables filled in. */
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

/** A command that succeeds answers 200 with what it printed; one that fails answers 400 with its error. */
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

/** `/quotes` is short for `/api/v1/quotes`, and so for every resource of the partner API. */
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
