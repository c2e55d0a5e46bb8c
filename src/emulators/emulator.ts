/**
 * The server of every emulated exchange: it listens on loopback, responds in JSON, applies the faults that a tester arms, and carries out
 * the tester's requests to `POST /control`. The service itself uses none of it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { type Fault, Faults } from './faults.ts';
import type { Seeded } from './seeded-ids.ts';

export interface Emulator<State, ControlRequest> {
  /** Origin for the settings of the venue. The stream has the same origin with `ws`. */
  readonly url: string;
  readonly state: State;
  readonly faults: Faults;
  control(request: ControlRequest): void;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

interface Received {
  readonly request: IncomingMessage;
  readonly method: string;
  /** Without the root. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body exactly as it was received. */
  readonly text: string;
  /** The parsed body; undefined if there was none. */
  readonly body: unknown;
  readonly fault: Fault | undefined;
}

interface Stream {
  /** Sends the changes since the last call. */
  publish(): void;
  close(): void;
}

export interface Exchange<State, ControlRequest, OpenStream extends Stream> {
  readonly state: State;
  readonly ids: Pick<Seeded, 'chance'>;
  /** Prefix of every path. */
  readonly root?: string;
  /** Shape of a request to the control route. */
  readonly controlRequest: z.ZodType<ControlRequest>;
  /** The exchange's clock. */
  now(): Date;
  openStream(server: Server): OpenStream;
  /** Carries out a request to the control route, except one about faults. */
  apply(request: ControlRequest, stream: OpenStream): void;
  answer(received: Received): Answer | Promise<Answer>;
  /** A refusal in the exchange's own form. */
  refusal(status: number, message: string): Answer;
}

/** @param port 0 takes a free one */
export async function startEmulator<State, ControlRequest extends { readonly do: string }, OpenStream extends Stream>(
  port: number,
  exchange: Exchange<State, ControlRequest, OpenStream>,
): Promise<Emulator<State, ControlRequest>> {
  const { state, ids, root = '' } = exchange;
  const faults = new Faults();

  function control(request: ControlRequest): void {
    if (!faults.obey(request, ids.chance)) {
      exchange.apply(request, stream);
    }
    stream.publish();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', exchange.now().toUTCString());
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://emulator');
    const method = request.method ?? 'GET';
    const text = await readText(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (pathname === '/control' && method === 'POST') {
      const parsed = exchange.controlRequest.safeParse(body);
      if (parsed.success) {
        control(parsed.data);
      }
      sendJson(response, parsed.success ? ok({}) : exchange.refusal(400, parsed.error.issues[0]?.message ?? 'invalid'));
      return;
    }
    if (!pathname.startsWith(`${root}/`)) {
      sendJson(response, exchange.refusal(404, 'no such path'));
      return;
    }
    const path = pathname.slice(root.length);
    const fault = faults.take(`${method} ${path}`);
    if (endEarly(response, fault, exchange.refusal(400, 'an armed fault'))) {
      return;
    }
    const pace = faults.paceOf(`${method} ${path}`);
    if (pace !== undefined) {
      await sleep(pace.answerMs);
    }
    const answered = await exchange.answer({ request, method, path, query, text, body, fault });
    if (pace === undefined) {
      stream.publish();
    } else {
      setTimeout(() => stream.publish(), pace.streamMs);
    }
    await sendAnswer(response, answered, fault);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => sendJson(response, exchange.refusal(400, error.message)));
  });
  const stream = exchange.openStream(server);
  const listening = await listenOnLoopback(server, port);
  return {
    url: listening.url,
    state,
    faults,
    control,
    close: () => {
      stream.close();
      return listening.close();
    },
  };
}

/**
 * Lets a fault take effect before the exchange has done anything.
 *
 * @param refusal body of a refusal for which the tester gave none
 * @returns whether the request has ended. A dropped request ends without a response, and its connection stays open
 */
function endEarly(response: ServerResponse, fault: Fault | undefined, refusal: object): boolean {
  if (fault?.kind === 'status') {
    sendJson(response, { status: fault.status, body: fault.body ?? refusal }, fault.retryAfter);
    return true;
  }
  return fault?.kind === 'timeout_before_apply';
}

/** Responds to a request that was carried out. A fault may lose the response, replace it, delay it, or send a page instead of JSON. */
async function sendAnswer(response: ServerResponse, answer: Answer, fault: Fault | undefined): Promise<void> {
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
    await sleep(fault.ms);
  }
  sendJson(response, answer);
}

/** Sends a page as a proxy in front of the exchange would. */
function sendPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please wait.</body></html>');
}

function sendJson(response: ServerResponse, { status, body, headers }: Answer, retryAfter?: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      ...headers,
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    })
    .end(JSON.stringify(body));
}

/** @param port 0 takes a free one. @returns the origin, and `close`, which also ends open connections */
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
