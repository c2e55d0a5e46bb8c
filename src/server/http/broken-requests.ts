/** Answers requests that are not HTTP, too large or too slow, before any route is known. */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, refuse } from '../../core/errors.ts';
import { JSON_TYPE } from '../ready/ready-json.ts';

const REFUSALS = new Map<string | undefined, () => Refusal>([
  ['HPE_HEADER_OVERFLOW', () => refuse('headers_too_large')],
  ['ERR_HTTP_REQUEST_TIMEOUT', () => refuse('request_timeout')],
]);

const EXPECTATION_FAILED = 417;

/** Answers a request that expects something else than 100-continue. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { code, message } = refuse('invalid_request', 'The header expect may only ask for 100-continue.');
  const body = JSON.stringify({ error: code, message });
  response
    .writeHead(EXPECTATION_FAILED, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) })
    .end(body);
}

export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const malformed = () => refuse('invalid_request', 'The request is not well-formed HTTP.');
  const { status, code, message } = (REFUSALS.get(error.code) ?? malformed)();
  const body = JSON.stringify({ error: code, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
