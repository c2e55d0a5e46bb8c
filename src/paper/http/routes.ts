/** The paths of the paper venue's HTTP interface, and what each answers: catalogue, books, orders, pictures, control. Browsers are refused. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAccount } from '../orders/account-service.ts';
import type { PaperOrder } from '../orders/order.ts';
import type { OrderBookService } from '../orders/order-book-service.ts';
import { deliver, send, sendPicture } from './answer.ts';
import { control } from './control.ts';
import { renderAccount, renderBook, renderEvent, renderOrder, renderRecord } from './rendering.ts';
import { MAX_BODY, orderBody } from './requests.ts';
import type { Stream } from './stream.ts';

const ACCOUNT_PATH = /^\/v1\/account\/fills\/([A-Za-z0-9_-]{1,64})$/;

const ORDER_PATH = /^\/v1\/orders\/([A-Za-z0-9_-]{1,64})(\/cancel)?$/;

/** Answers one request that was admitted. @throws z.ZodError or SyntaxError if its body is no such request */
export async function answerRequest(
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
