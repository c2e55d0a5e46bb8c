/** Sends the venue's response in the requested way: once, cut short, malformed, or never. */
import type { ServerResponse } from 'node:http';
import { drawEvent } from '../catalogue/image.ts';
import type { Exchange } from '../exchange.ts';
import type { Delivery } from '../orders/follow-script.ts';

/** How long the caller of a lost response waits before the connection is closed. */
const HANG_MS = 30_000;

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export function deliver(response: ServerResponse, delivery: Delivery, body: object): void {
  switch (delivery) {
    case 'hang': {
      const timer = setTimeout(() => response.destroy(), HANG_MS);
      response.once('close', () => clearTimeout(timer));
      return;
    }
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'error':
      send(response, 500, { error: 'internal_error' });
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"state":"clo');
      return;
    default:
      send(response, 200, body);
  }
}

export function sendPicture(exchange: Exchange, id: string, response: ServerResponse): void {
  const event = exchange.state.events[id];
  if (event === undefined) {
    send(response, 404, { error: 'unknown_event' });
    return;
  }
  const bytes = drawEvent(event.fixture, event.category);
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
  response.end(bytes);
}
