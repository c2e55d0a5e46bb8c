/**
 * The paper venue's HTTP server on loopback: its paths, with the requests and responses of each (catalogue, books, orders, our account,
 * pictures, control). Requests without the token are refused, and so are those of browsers.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { PaperContract } from '../catalogue/event.ts';
import { age, freeze, reopen, resolve, setFee, speak, thaw } from '../manual-control.ts';
import { DOLLAR, formatMicros, parseMicros } from '../micros.ts';
import { type PaperOrder, parseScript } from '../orders/order.ts';
import type { OrderBookService } from '../orders/order-book-service.ts';
import {
  type Answer,
  deliver,
  renderAccount,
  renderBook,
  renderEvent,
  renderFill,
  renderMarket,
  renderOrder,
  renderRecord,
  send,
  sendPicture,
} from './answers.ts';
import type { Stream } from './stream.ts';

const ACCOUNT_PATH = /^\/v1\/account\/fills\/([A-Za-z0-9_-]{1,64})$/;
const ORDER_PATH = /^\/v1\/orders\/([A-Za-z0-9_-]{1,64})(\/cancel)?$/;
const MAX_BODY = 64 * 1024;

interface PaperServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param admits checks the `authorization` header of a request
 * @param port 0 selects a free one
 */
export async function listen(
  orderBook: OrderBookService,
  stream: Stream,
  admits: (authorization: string | undefined) => boolean,
  port = 0,
): Promise<PaperServer> {
  const server = createServer((request, response) => {
    if (!admits(request.headers.authorization)) {
      response.setHeader('connection', 'close');
      send(response, 401, { error: 'unauthorized' });
      return;
    }
    answerRequest(orderBook, stream, request, response, originOf(server)).catch((error: unknown) => {
      if (error instanceof z.ZodError || error instanceof SyntaxError) {
        const message =
          error instanceof z.ZodError ? error.issues.map(({ message }) => message).join('; ') : error.message;
        send(response, 400, { error: 'invalid_request', message });
      } else if (!response.headersSent) {
        send(response, 500, { error: 'internal_error' });
      }
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = originOf(server);
  stream.attach(server, url, admits);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Responds to one request whose token was accepted.
 * @throws ZodError or SyntaxError if the body is invalid
 */
async function answerRequest(
  orderBook: OrderBookService,
  stream: Stream,
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (request.headers.origin !== undefined) {
    send(response, 403, { error: 'forbidden' });
    return;
  }
  if (request.method === 'POST') {
    const body: unknown = JSON.parse((await readBody(request)) || '{}');
    await post(orderBook, stream, path, body, response);
    return;
  }
  if (request.method !== 'GET') {
    send(response, 405, { error: 'method_not_allowed' });
    return;
  }
  const account = answerAccount(orderBook, path, new URL(request.url ?? '/', origin).searchParams);
  if (account !== undefined) {
    send(response, account.status, account.body);
  } else {
    get(orderBook, stream, path, response, origin);
  }
}

async function post(
  orderBook: OrderBookService,
  stream: Stream,
  path: string,
  body: unknown,
  response: ServerResponse,
): Promise<void> {
  if (path === '/v1/orders') {
    const { order, delivery } = await orderBook.place(orderBody.parse(body));
    await orderBook.exchange.journal.saved();
    deliver(response, delivery, order === null ? {} : renderOrder(order, delivery === 'twice'));
    return;
  }
  const match = ORDER_PATH.exec(path);
  if (match?.[1] !== undefined && match[2] !== undefined) {
    lookUp(orderBook, response, orderBook.cancel(match[1])?.ourId);
    return;
  }
  const answer = control(orderBook, stream, path, body);
  if (answer === undefined) {
    send(response, 404, { error: 'not_found' });
    return;
  }
  // A manual change is sent at once, not with the next flush.
  stream.flush();
  send(response, answer.status, answer.body);
}

function get(
  orderBook: OrderBookService,
  stream: Stream,
  path: string,
  response: ServerResponse,
  origin: string,
): void {
  const { exchange } = orderBook;
  if (path === '/v1/catalogue') {
    stream.flush();
    const events = Object.values(exchange.state.events).map((event) => renderEvent(exchange, event, origin));
    send(response, 200, { version: stream.version, events });
  } else if (path === '/v1/books') {
    send(response, 200, { books: [...exchange.contracts.values()].map(({ contract }) => renderBook(contract)) });
  } else if (path === '/v1/orders') {
    send(response, 200, { orders: [...orderBook.orders.values()].map(renderRecord) });
  } else if (path.startsWith('/v1/books/')) {
    const entry = exchange.find(decodeURIComponent(path.slice('/v1/books/'.length)));
    if (entry === undefined) {
      send(response, 404, { error: 'unknown_listing' });
    } else {
      send(response, 200, renderBook(entry.contract));
    }
  } else if (path.startsWith('/v1/fees/')) {
    const entry = exchange.find(decodeURIComponent(path.slice('/v1/fees/'.length)));
    if (entry === undefined) {
      send(response, 404, { error: 'unknown_listing' });
    } else {
      send(response, 200, { listingId: entry.contract.id, feeBps: entry.contract.feeBps });
    }
  } else if (path.startsWith('/images/') && path.endsWith('.png')) {
    sendPicture(exchange, path.slice('/images/'.length, -'.png'.length), response);
  } else {
    const match = ORDER_PATH.exec(path);
    const ofAccount = ACCOUNT_PATH.exec(path)?.[1];
    if (ofAccount !== undefined) {
      lookUp(orderBook, response, ofAccount, (order) =>
        renderAccount(order.ourId, order.listingId, orderBook.account.of(order.ourId)),
      );
    } else if (match?.[1] === undefined || match[2] !== undefined) {
      send(response, 404, { error: 'not_found' });
    } else {
      lookUp(orderBook, response, match[1]);
    }
  }
}

function lookUp(
  orderBook: OrderBookService,
  response: ServerResponse,
  ourId: string | undefined,
  render: (order: PaperOrder) => object = (order) => renderOrder(order, order.script === 'twice'),
): void {
  const order = ourId === undefined ? undefined : orderBook.find(ourId);
  if (order === undefined) {
    send(response, 404, { error: 'unknown_order' });
  } else if (order.lookup === 'silent') {
    deliver(response, 'hang', {});
  } else {
    send(response, 200, render(order));
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY) {
      throw new SyntaxError('too large');
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Applies a manual change: freezes books, scripts orders, sets fees and resolutions. The response contains the resulting state.
 * @returns undefined for any other path
 * @throws ZodError if the body is invalid
 */
function control(orderBook: OrderBookService, stream: Stream, path: string, body: unknown): Answer | undefined {
  const { exchange } = orderBook;
  switch (path) {
    case '/control/book': {
      const { listingId, bids, asks } = bookBody.parse(body);
      return answer(orderBook, freeze(exchange, listingId, bids, asks));
    }
    case '/control/thaw':
      return answer(orderBook, thaw(exchange, listingBody.parse(body).listingId));
    case '/control/age': {
      const { listingId, seconds } = ageBody.parse(body);
      return answer(orderBook, age(exchange, listingId, seconds));
    }
    case '/control/next': {
      const { listingId, script } = nextBody.parse(body);
      return answer(
        orderBook,
        exchange.amend(listingId, (contract) => contract.next.push(script)),
      );
    }
    case '/control/fee': {
      const { listingId, bps } = feeBody.parse(body);
      return answer(orderBook, setFee(orderBook, listingId, bps));
    }
    case '/control/resolve': {
      const { listingId, outcome, yesWorth } = resolveBody.parse(body);
      return answer(orderBook, resolve(exchange, listingId, outcome, yesWorth ?? null));
    }
    case '/control/reopen':
      return answer(orderBook, reopen(exchange, listingBody.parse(body).listingId));
    case '/control/pause':
    case '/control/resume': {
      const { listingId } = listingBody.parse(body);
      const [from, to] = path === '/control/pause' ? (['open', 'paused'] as const) : (['paused', 'open'] as const);
      return answer(
        orderBook,
        exchange.amend(listingId, (contract) => {
          if (contract.status === from) {
            contract.status = to;
          }
        }),
      );
    }
    case '/control/speak':
      return { status: 200, body: { orders: speak(orderBook) } };
    case '/control/stream':
      stream.disturb(faultBody.parse(body));
      return { status: 200, body: {} };
    case '/control/list':
      return {
        status: 200,
        body: {
          contracts: [...exchange.contracts.values()]
            .filter(({ contract }) => contract.frozen || contract.next.length > 0 || contract.feeBps !== 0)
            .map(({ contract }) => summary(contract)),
        },
      };
    default:
      return undefined;
  }
}

function answer(orderBook: OrderBookService, contract: PaperContract | undefined): Answer {
  if (contract === undefined) {
    return { status: 404, body: { error: 'unknown_listing' } };
  }
  const entry = orderBook.exchange.find(contract.id);
  return {
    status: 200,
    body: {
      ...summary(contract),
      market: entry === undefined ? null : renderMarket(entry.event, contract),
    },
  };
}

function summary(contract: PaperContract): object {
  return {
    ...renderBook(contract),
    frozen: contract.frozen,
    status: contract.status,
    feeBps: contract.feeBps,
    next: contract.next,
  };
}

/**
 * Responds about our account as a whole: the clock of the venue, orders and fills since a time, positions and cash.
 * @returns undefined for any other path
 */
function answerAccount(orderBook: OrderBookService, path: string, query: URLSearchParams): Answer | undefined {
  switch (path) {
    case '/v1/time':
      return { status: 200, body: { now: new Date(orderBook.exchange.now()).toISOString() } };
    case '/v1/account/orders': {
      const since = sinceOf(query);
      return since === undefined
        ? NO_MOMENT
        : { status: 200, body: { orders: orderBook.ordersSince(since).map((order) => renderOrder(order)) } };
    }
    case '/v1/account/fills': {
      const since = sinceOf(query);
      return since === undefined ? NO_MOMENT : { status: 200, body: { fills: fillsSince(orderBook, since) } };
    }
    case '/v1/account/positions': {
      const { positions } = orderBook.holdings();
      return {
        status: 200,
        body: { positions: positions.map((held) => ({ ...held, quantity: formatMicros(held.quantity) })) },
      };
    }
    case '/v1/account/balance':
      return { status: 200, body: { balance: formatMicros(Number(orderBook.holdings().balance)) } };
    default:
      return undefined;
  }
}

const NO_MOMENT: Answer = { status: 400, body: { error: 'invalid_request', message: 'since must be a date-time' } };

function sinceOf(query: URLSearchParams): number | undefined {
  const moment = Date.parse(query.get('since') ?? '');
  return Number.isNaN(moment) ? undefined : moment;
}

function fillsSince(orderBook: OrderBookService, since: number): object[] {
  return [...orderBook.orders.values()].flatMap(({ ourId, listingId }) =>
    orderBook.account
      .of(ourId)
      .filter(({ at }) => at >= since)
      .map((fill) => ({ ourId, listingId, ...renderFill(fill) })),
  );
}

/** The size of a level that is given without one. */
const DEFAULT_SIZE = '100000';

const micros = z.string().transform((text, context) => {
  const value = parseMicros(text);
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'a plain decimal with at most six places' });
    return z.NEVER;
  }
  return value;
});
const price = micros.refine((value) => value <= 1_000_000, 'a price from 0 to 1');
const listingId = z.string().min(1).max(200);

const orderBody = z
  .strictObject({
    ourId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    listingId,
    side: z.enum(['YES', 'NO']),
    action: z.enum(['BUY', 'SELL']),
    quantity: micros.refine((value) => value > 0, 'above 0'),
    limitPrice: price,
    maxCost: micros.nullish(),
    expiresAt: z.iso.datetime(),
  })
  .transform((body) => ({ ...body, maxCost: body.maxCost ?? null, expiresAt: Date.parse(body.expiresAt) }));

const level = z
  .tuple([z.string(), z.string()])
  .or(z.tuple([z.string()]))
  .transform((pair, context) => {
    const at = parseMicros(pair[0]);
    const quantity = parseMicros(pair[1] ?? DEFAULT_SIZE);
    if (at === undefined || at > DOLLAR || quantity === undefined || quantity <= 0) {
      context.addIssue({ code: 'custom', message: 'a price from 0 to 1 and a size above 0' });
      return z.NEVER;
    }
    return { price: at, quantity };
  });
const levels = z.array(level).max(200).default([]);

/** Levels may come in any order. They are sorted best first, and sizes at the same price are added up. */
const bookBody = z.strictObject({ listingId, bids: levels, asks: levels }).transform((body) => ({
  listingId: body.listingId,
  bids: merge(body.bids).sort((one, other) => other.price - one.price),
  asks: merge(body.asks).sort((one, other) => one.price - other.price),
}));

function merge(list: readonly { price: number; quantity: number }[]): { price: number; quantity: number }[] {
  const byPrice = new Map<number, number>();
  for (const { price: at, quantity } of list) {
    byPrice.set(at, (byPrice.get(at) ?? 0) + quantity);
  }
  return [...byPrice].map(([at, quantity]) => ({ price: at, quantity }));
}

const listingBody = z.strictObject({ listingId });
const nextBody = z.strictObject({
  listingId,
  script: z
    .string()
    .refine((text) => parseScript(text) !== undefined, 'not one of fill, reject:REASON, timeout, partial:F, silence'),
});
/** More than a day is not needed, since a book of that age cannot be traded on. */
const ageBody = z.strictObject({ listingId, seconds: z.number().int().min(0).max(86_400) });
const feeBody = z.strictObject({ listingId, bps: z.number().int().min(0).max(10_000).nullable() });
const resolveBody = z
  .strictObject({
    listingId,
    outcome: z.enum(['YES', 'NO', 'VOID', 'SPLIT']),
    yesWorth: micros.nullish(),
  })
  .refine(
    ({ outcome, yesWorth }) =>
      outcome === 'SPLIT' ? yesWorth != null && yesWorth > 0 && yesWorth < DOLLAR : yesWorth == null,
    'a split, and only a split, has a worth of YES, between 0 and 1',
  );
const faultBody = z.strictObject({
  drop: z.number().int().min(0).max(1000).optional(),
  muteMs: z.number().int().min(0).max(60_000).optional(),
  cut: z.boolean().optional(),
});
