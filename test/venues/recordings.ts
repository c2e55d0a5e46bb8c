/** What Polymarket answers, as shapes of recorded payloads with values of our own, and a server that answers with such. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from '../../src/core/environment.ts';

interface ShapedEvent {
  readonly id: string;
  readonly markets: readonly { readonly conditionId: string; readonly clobTokenIds: string }[];
}

interface Payloads {
  /** Outcomes that exclude each other. */
  readonly field: ShapedEvent;
  /** The same, with places that have no name yet. */
  readonly growing: ShapedEvent;
  readonly fiveMinutes: ShapedEvent;
  readonly byDate: ShapedEvent;
  /** Of the markets of `field`. */
  readonly books: readonly object[];
  /** Of both channels of the stream. */
  readonly messages: Readonly<Record<string, object>>;
  readonly documented: readonly object[];
  readonly crypto: readonly object[];
  readonly sports: object;
  /** What a market says on its way to its result. */
  readonly states: readonly object[];
}

export function polymarketPayloads(): Payloads {
  return JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'venues', 'polymarket-payloads.json'), 'utf8'));
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
