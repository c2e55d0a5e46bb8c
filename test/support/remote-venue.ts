/** A scripted venue over HTTP, so that the processes that send to it can die while its record lives. Plain JSON, bigints as text. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oneBucket } from '../../src/core/request-budget.ts';
import {
  type FoundOrder,
  type OrderToPlace,
  type PlaceAnswer,
  type Venue,
  type VenueFill,
  VenueUnknown,
} from '../../src/venues/port.ts';
import { ScriptedVenue } from './scripted-venue.ts';

const BIGINT = 'bigint:';
const write = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${BIGINT}${one}` : one));
const read = (text: string): unknown =>
  JSON.parse(text, (key, one) =>
    typeof one === 'string' && one.startsWith(BIGINT)
      ? BigInt(one.slice(BIGINT.length))
      : key.endsWith('At') && typeof one === 'string'
        ? new Date(one)
        : one,
  );

export async function serveVenue(venue: ScriptedVenue): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = read(Buffer.concat(chunks).toString('utf8'));
      try {
        const answer =
          request.url === '/place'
            ? await venue.placeOrder(body as OrderToPlace)
            : request.url === '/fills'
              ? await venue.fills(String(body))
              : await venue.findOrder(String(body));
        response.end(write(answer));
      } catch {
        response.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function remoteVenue(url: string): Venue {
  const rules = new ScriptedVenue();
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        body: write(body),
        signal: AbortSignal.timeout(2_000),
      });
      return read(await response.text());
    } catch (cause) {
      throw new VenueUnknown('paper', 'no answer', { cause });
    }
  };
  return {
    name: 'paper',
    account: null,
    limits: oneBucket(2_000),
    lookupIsComplete: true,
    takesCostBound: true,
    quantityStepMicros: rules.quantityStepMicros,
    minimumQuantityMicros: rules.minimumQuantityMicros,
    minimumAmountMinor: rules.minimumAmountMinor,
    placeOrder: (order) => ask('/place', order) as Promise<PlaceAnswer>,
    findOrder: (ourId) => ask('/find', ourId) as Promise<FoundOrder>,
    fills: (ourId) => ask('/fills', ourId) as Promise<readonly VenueFill[]>,
    cancelOrder: async () => ({ outcome: 'not_found' }),
    catalogue: async () => ({ events: [], invalid: [] }),
    book: async () => null,
    watch: async () => ({ connected: true, close: async () => {} }),
    feeSchedule: async () => null,
    close: async () => {},
  };
}
