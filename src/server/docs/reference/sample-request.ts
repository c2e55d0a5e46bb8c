/** A request that a sample shows, and the parts of it that are the same in every language. */
import { needsKey, type Operation } from './described-api.ts';

export const BASE = 'http://127.0.0.1:8080';
export const USER = 'player-1';

export interface SampleRequest {
  readonly operation: Operation;
  /** What the path names, if it names something. */
  readonly id: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly hasUser: boolean;
  readonly isEmbed: boolean;
  readonly answer: Answer;
}

/** How a client reads the answer: at once as JSON, line by line for as long as it lasts, or as a file. */
export type Answer = 'json' | 'lines' | 'file';

/** @param key the key or token, as the language writes it. */
export function headersOf({ hasUser, isEmbed, body, operation }: SampleRequest, key: string): [string, string][] {
  const headers: [string, string][] = [];
  if (isEmbed) {
    headers.push(['Authorization', `Embed ${key}`]);
  } else if (needsKey(operation)) {
    headers.push(['Authorization', `Bearer ${key}`]);
  }
  if (hasUser) {
    headers.push(['X-Service-User', USER]);
  }
  if (body !== undefined) {
    headers.push(['Content-Type', 'application/json']);
  }
  return headers;
}

/** Path and query. */
export function addressOf({ path, query }: SampleRequest): string {
  const text = new URLSearchParams(query).toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}
