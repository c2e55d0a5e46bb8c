/** Recorded and crafted payloads of the real venues, read where they lie; tests of them are skipped where they are absent. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';

const folder = join(projectRoot, '..', 'shared', 'venues', 'data');

export const recorded = existsSync(folder);

/** @param name `kalshi/trades` */
export function recording<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T;
}

export interface Stub {
  readonly url: string;
  readonly asked: string[];
  close(): void;
}

/** Answers by path with what it is given; a path without an answer is 404. */
export async function stub(answers: Readonly<Record<string, unknown>>): Promise<Stub> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => server.close(),
  };
}
