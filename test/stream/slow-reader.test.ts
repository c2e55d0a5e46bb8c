import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Board } from '../../src/markets/board/board.ts';
import type { BoardChange } from '../../src/markets/board/board-state.ts';
import type { BoardContract } from '../../src/markets/event.ts';
import { openPriceStream, type PriceStream } from '../../src/server/stream/price-stream.ts';
import { timePasses, until } from '../support/until.ts';

/** A board in the hands of the test; real sockets on both sides. */
function createBoard() {
  const contracts = new Map<string, BoardContract>();
  const listeners = new Set<(change: BoardChange) => void>();
  const events = new Map([['evt_x', {}]]);
  return {
    board: {
      contracts,
      events,
      onChange: (listener: (change: BoardChange) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as Board,
    set(contractId: string, cents: number) {
      const level = (price: number) => [{ priceMicros: BigInt(price * 10_000), quantityMicros: 1_000_000n }];
      contracts.set(contractId, {
        contractId,
        eventId: 'evt_x',
        status: 'open',
        tradingClosed: false,
        fiveMinute: false,
        closesAt: new Date(Date.now() + 1e9),
        updatedAt: new Date(),
        lastPriceMicros: null,
        sourcePriceMicros: null,
        resolution: null,
        splitYesMicros: null,
        resolvedAt: null,
        routable: false,
        books: [{ bids: level(cents), asks: level(cents + 1), updatedAt: new Date(), feed: 'websocket' }],
      } as unknown as BoardContract);
      for (const listener of listeners) {
        listener({ contracts: new Set([contractId]), events: new Set(['evt_x']) });
      }
    },
  };
}

let stream: PriceStream;
let hand: ReturnType<typeof createBoard>;
let server: ReturnType<typeof createServer>;
let served: Socket[];
const ids = Array.from({ length: 20 }, (_, index) => `ctr_${index}`);

beforeEach(async () => {
  hand = createBoard();
  for (const id of ids) {
    hand.set(id, 10);
  }
  stream = openPriceStream(
    hand.board,
    { now: () => new Date() },
    { connections: 100, addressConnections: 100, sessionConnections: 100, contracts: 50, instruments: 200 },
  );
  served = [];
  server = createServer((socket) => {
    served.push(socket);
    socket.on('error', () => {});
    stream
      .admit({
        contractIds: ids,
        audience: { live: false, key: '', offers: () => true },
        address: '127.0.0.1',
        sessionId: null,
      })
      .start(socket, false, '\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  stream.close();
  for (const socket of served) {
    socket.destroy();
  }
  server.close();
});

const reader = () => {
  const address = server.address();
  return connect({ host: '127.0.0.1', port: typeof address === 'object' && address !== null ? address.port : 0 });
};
const tick = () => new Promise((resolve) => setImmediate(resolve));

// contract 8.8
test('a reader who does not read costs no growing queue, and gets the newest price of each contract when it reads', async () => {
  const slow = reader();
  await once(slow, 'connect');
  slow.pause();
  while (stream.connections === 0) {
    await tick();
  }
  const socket = served[0] as Socket;
  let most = 0;
  // Far more than the kernel takes in for a reader who does not read.
  for (let round = 0; round < 4_000; round += 1) {
    for (const id of ids) {
      hand.set(id, 10 + (round % 50));
    }
    await tick();
    most = Math.max(most, socket.writableLength);
    if (round > 200 && socket.writableLength > 0 && round % 1000 === 0) {
      break;
    }
  }
  for (const id of ids) {
    hand.set(id, 77);
  }
  await tick();
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(20_000);
  let text = '';
  slow.on('data', (bytes) => {
    text += bytes.toString();
  });
  slow.resume();
  const newest = () =>
    new Map(
      text
        .split('\n')
        .filter((line) => line.startsWith('data: {"contractId"') && line.endsWith('}'))
        .map((line) => {
          const view = JSON.parse(line.slice(6));
          return [view.contractId, view.executableYesCents];
        }),
    );
  await until(() => {
    expect(newest().size).toBe(ids.length);
    expect(new Set(newest().values())).toEqual(new Set([78]));
  });
  const seen = text
    .split('\n')
    .filter((line) => line.startsWith('id: '))
    .map((line) => Number(line.slice(4)));
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  slow.destroy();
}, 60_000);

test('what is no longer watched is forgotten', async () => {
  const one = reader();
  await once(one, 'data');
  expect([stream.connections, stream.instruments]).toEqual([1, ids.length]);
  one.destroy();
  while (stream.connections > 0) {
    await tick();
  }
  expect(stream.instruments).toBe(0);
});

test('an unchanged price is not sent again', async () => {
  const one = reader();
  let text = '';
  one.on('data', (bytes) => {
    text += bytes.toString();
  });
  await once(one, 'data');
  for (let round = 0; round < 5; round += 1) {
    hand.set('ctr_0', 42);
    await tick();
  }
  // priceUpdatedAt moves with each book, so a repetition within one millisecond is the only thing left out.
  const frames = () => text.match(/event: price/g) ?? [];
  await until(() => expect(frames().length).toBeGreaterThanOrEqual(1));
  await timePasses(100);
  expect(frames().length).toBeLessThanOrEqual(5);
  one.destroy();
});
