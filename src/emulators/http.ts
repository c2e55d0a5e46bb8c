/** What every emulated exchange does over HTTP: it listens on loopback, answers in JSON, and lets armed faults take effect. */
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from './faults.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** @param port 0 takes a free one. @returns the origin, and how to stop at once, whatever is still open */
export async function listenOnLoopback(
  server: Server,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Lets a fault take effect before the exchange has done anything.
 * @param refusal the body of a refusal for which the tester gave none
 * @returns whether the request has ended with it; a dropped one keeps its connection open without an answer
 */
export function endEarly(response: ServerResponse, fault: Fault | undefined, refusal: object): boolean {
  if (fault?.kind === 'status') {
    sendJson(response, { status: fault.status, body: fault.body ?? refusal }, fault.retryAfter);
    return true;
  }
  return fault?.kind === 'timeout_before_apply';
}

/** Answers a request that was worked on; a fault may lose the answer, replace it, delay it or make it no JSON. */
export async function sendAnswer(response: ServerResponse, answer: Answer, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'timeout_after_apply') {
    return;
  }
  if (fault?.kind === 'html') {
    sendPage(response);
    return;
  }
  if (fault?.kind === 'answer') {
    sendJson(response, fault);
    return;
  }
  if (fault?.kind === 'late') {
    await new Promise((resolve) => setTimeout(resolve, fault.ms));
  }
  sendJson(response, answer);
}

/** A page as a proxy in front of the exchange would send it. */
export function sendPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please wait.</body></html>');
}

export function sendJson(response: ServerResponse, { status, body, headers }: Answer, retryAfter?: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...headers,
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    })
    .end(JSON.stringify(body));
}
