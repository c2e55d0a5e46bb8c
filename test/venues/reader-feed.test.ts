/** A cell whose reader ends every connection: it asks less and less often, and reads the venue itself when it is time. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock, systemTicks } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log.ts';
import type { Venue, Watch, WatchHandlers } from '../../src/venues/port.ts';
import { followVenueOfCell } from '../../src/venues/reader/followed-venue.ts';
import { PROTOCOL } from '../../src/venues/reader/messages.ts';
import { followReader } from '../../src/venues/reader/reader-feed.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A reader that says hello and ends. @returns its origin, and when it was connected to */
async function startEndingReader(): Promise<{ origin: string; connected: number[] }> {
  const connected: number[] = [];
  const hello = { n: 1, t: 0, type: 'hello', protocol: PROTOCOL, venue: 'kalshi', cell: 'east', sharedAccount: null };
  server = createServer((_, response) => {
    connected.push(performance.now());
    response.end(`${JSON.stringify(hello)}\n`);
  });
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return { origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, connected };
}

const accessTo = (origin: string) => ({ origins: [origin], token: 't', cell: 'west', account: null });

test('a reader that ends each connection is asked less and less often', async () => {
  const { origin, connected } = await startEndingReader();
  let lost = 0;
  const feed = followReader('kalshi', accessTo(origin), systemTicks, {
    hello: () => {},
    message: () => {},
    lost: () => {
      lost += 1;
    },
  });
  await until(
    async () => connected.length,
    (times) => times >= 5,
    60_000,
  );
  await feed.close();
  const [first = 0, , , , fifth = 0] = connected;
  // 0.25, 0.5, 1 and 2 s; without waits that grow it would be 1 s
  expect(fifth - first).toBeGreaterThan(3_500);
  expect(lost).toBeGreaterThanOrEqual(4);
}, 90_000);

test('a reader that comes and goes does not keep the cell from reading the venue itself', async () => {
  const { origin, connected } = await startEndingReader();
  let reading = false;
  const own: Venue = Object.assign(new ScriptedVenue('kalshi'), {
    async watch({ up }: WatchHandlers): Promise<Watch> {
      reading = true;
      up();
      return { connected: true, close: async () => {} };
    },
  });
  const options = { clock: systemClock, ticks: systemTicks, log: createLog('silent'), onSharedAccount: () => {} };
  // longer than any wait between two connections
  const venue = followVenueOfCell(own, { ...options, access: accessTo(origin), takeOverMs: 4_000 });
  const watching = await venue.watch({
    books: () => {},
    changes: () => {},
    confirmed: () => {},
    up: () => {},
    down: () => {},
    invalid: () => {},
  });
  await until(
    async () => reading,
    (own) => own,
    20_000,
  );
  expect(connected.length).toBeGreaterThan(2);
  await watching?.close();
}, 60_000);
