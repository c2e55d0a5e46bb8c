/**
 * A long answer of the API as the bytes arrive, over node's own client: half the memory of a web stream where millions of
 * rows pass. Small answers go through ApiClient.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Failure } from './failure.ts';

export interface ApiStream {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: IncomingMessage;
}

/** @throws Failure service_unreachable where nobody answers; the signal's reason where it ended the request. */
export function openApiStream(url: URL, key: string | undefined, signal: AbortSignal): Promise<ApiStream> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      headers: { accept: '*/*', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      signal,
    });
    request.on('error', (error) => {
      reject(signal.aborted ? error : new Failure('service_unreachable', `${url.origin} does not answer.`));
    });
    request.on('response', (body) => {
      resolve({
        status: body.statusCode ?? 0,
        header: (name) => {
          const value = body.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body,
      });
    });
    request.end();
  });
}
