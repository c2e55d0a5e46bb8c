/**
 * A long answer of the API as its bytes arrive, over node's own client: half the memory of a web stream for millions of
 * rows. Small answers go through the client.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Destination, type Outgoing, ServiceUnreachable, urlOf } from '../../client/create-client.ts';

export interface ApiStream {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: IncomingMessage;
}

/** @throws ServiceUnreachable if there is no answer; the signal's reason if it ended the request. */
export function openApiStream(
  { baseUrl, apiKey }: Destination,
  path: string,
  query: Outgoing['query'],
  signal: AbortSignal,
): Promise<ApiStream> {
  const url = urlOf(baseUrl, path, query);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      headers: { accept: '*/*', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal,
    });
    request.on('error', (error) => {
      reject(signal.aborted ? error : new ServiceUnreachable(`${baseUrl} does not answer.`));
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
