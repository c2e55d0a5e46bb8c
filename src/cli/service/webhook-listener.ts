/** A receiver of webhooks on this machine: it checks each signature, answers, and passes each delivery to a callback. It stores nothing. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookRejected } from '../../client/verify-webhook.ts';

const MOST_BYTES = 1024 * 1024;
const FORWARD_TIMEOUT_MS = 8_000;
const SIGNATURE_HEADERS = ['service-signature', 'x-webhook-signature'] as const;
const FORWARDED_HEADERS = [...SIGNATURE_HEADERS, 'content-type', 'service-event-type', 'user-agent'] as const;

export interface ReceivedWebhook {
  readonly receivedAt: string;
  readonly verified: boolean;
  /** The reason, if it is not verified. */
  readonly reason: WebhookRejected['reason'] | 'no_secret' | 'no_signature' | null;
  /** HTTP status of our answer. */
  readonly status: number;
  /** The envelope; null if the body is not JSON. */
  readonly event: unknown;
  /** HTTP status of the target's answer; null if nothing was forwarded. */
  readonly forward: Forwarded | null;
}

interface ListenerOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Undefined until the secret is known; until then every delivery is refused. */
  readonly secret: () => string | undefined;
  readonly forwardTo: string | undefined;
  readonly onWebhook: (webhook: ReceivedWebhook) => void;
}

/** Answers 200 to a good signature and 401 otherwise. A delivery that is not verified is never forwarded. */
export async function startWebhookListener(
  options: ListenerOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    receive(request, response, options).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage, response: ServerResponse, options: ListenerOptions): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const receivedAt = new Date();
  const reason = judge(request, body, options.secret(), receivedAt);
  const forward =
    reason === null && options.forwardTo !== undefined ? await forwardDelivery(request, body, options.forwardTo) : null;
  const status = reason === null ? 200 : 401;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reason === null ? { received: true } : { error: reason }));
  options.onWebhook({
    receivedAt: receivedAt.toISOString(),
    verified: reason === null,
    reason,
    status,
    event: parse(body),
    forward,
  });
}

function judge(
  request: IncomingMessage,
  body: Buffer,
  secret: string | undefined,
  now: Date,
): ReceivedWebhook['reason'] {
  const header = SIGNATURE_HEADERS.map((name) => request.headers[name]).find((value) => typeof value === 'string');
  if (typeof header !== 'string') {
    return 'no_signature';
  }
  if (secret === undefined) {
    return 'no_secret';
  }
  try {
    verifyWebhook({ body, signature: header, secret, now });
    return null;
  } catch (error) {
    if (error instanceof WebhookRejected) {
      return error.reason;
    }
    throw error;
  }
}

/** Forwards the raw bytes and the signature, so that the target can verify them as a direct delivery. */
async function forwardDelivery(request: IncomingMessage, body: Buffer, url: string): Promise<Forwarded> {
  const headers = FORWARDED_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return forwardBody(url, Object.fromEntries(headers), body);
}

/** What a target answered to a forwarded event. */
export interface Forwarded {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly error: string | null;
}

/** Sends an event on. It never rejects: a failure is part of the result. */
export async function forwardBody(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
): Promise<Forwarded> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: null, error: cause instanceof Error ? cause.message : String(cause) };
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
