/** A proxy before an emulated exchange that keeps each answer with the request it belongs to. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../src/emulators/emulator.ts';

export interface Recorded {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent; undefined for nothing. */
  readonly sent: unknown;
  readonly status: number;
  readonly body: unknown;
}

export interface RecordingProxy {
  readonly url: string;
  readonly recorded: readonly Recorded[];
  close(): Promise<void>;
}

/** @param target origin of the exchange. @param prefix of its paths that its document leaves out */
export async function openRecordingProxy(target: string, prefix = ''): Promise<RecordingProxy> {
  const recorded: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || ['host', 'connection', 'content-length'].includes(name) ? [] : [[name, `${value}`]],
    );
    const sent = await buffer(request);
    const answer = await fetch(target + url, { method, headers, ...(sent.length > 0 && { body: sent }) });
    const text = await answer.text();
    const { pathname: path, searchParams } = new URL(url, target);
    recorded.push({
      method,
      path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(headers),
      sent: sent.length === 0 ? undefined : JSON.parse(String(sent)),
      status: answer.status,
      body: text === '' ? undefined : JSON.parse(text),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  return { recorded, ...(await listenOnLoopback(server, 0)) };
}
