/** Row `noisy-neighbour`: the median of one tenant's orders while another requests sixty reports and leaves four exports unread. */
import { connect, type Socket } from 'node:net';
import { seedMarket } from '../test/support/market.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import type { World } from './world.ts';

const REPORTS = 60;
const EXPORTS = 4;
const ORDERS_IN_FLIGHT = 4;
const LEAST = 200;

export async function noisyNeighbour(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const quiet = await world.createOperators('quiet', 1, 20);
  const noisy = await world.createOperators('noisy', 1, 60);
  const market = await seedMarket(world.sql, 'bench-noisy', DEEP);
  const api = await world.startApi();
  const count = size(ORDERS / 2, LEAST);
  // the neighbour's books
  await confirmBook(world, market);
  const books = await orderShots(world, api.url, noisy, market.contractId, 'books', count);
  await load(world, { url: api.url, inFlight: IN_FLIGHT, shots: books });
  const key = noisy[0]?.keys[0] ?? '';

  async function median(name: string): Promise<number> {
    await confirmBook(world, market);
    const shots = await orderShots(world, api.url, quiet, market.contractId, name, size(ORDERS / 4, LEAST));
    return (await load(world, { url: api.url, inFlight: ORDERS_IN_FLIGHT, shots })).p50Ms;
  }

  const times = await interleave(
    run,
    async (round) => {
      const stop = makeNoise(api.url, key);
      try {
        return await median(`noise-${round}`);
      } finally {
        await stop();
      }
    },
    (round) => median(`alone-${round}`),
  );
  await api.close();
  return { ...times, unit: 'ms', note: `p50, ${REPORTS} reports in flight, ${EXPORTS} exports unread` };
}

/** @returns a function that ends the noise. */
function makeNoise(url: string, key: string): () => Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  let noisy = true;
  const reports = Array.from({ length: REPORTS }, async () => {
    while (noisy) {
      await fetch(`${url}/api/v1/reconciliation`, { headers }).then((answer) => answer.arrayBuffer());
    }
  });
  const { hostname, port } = new URL(url);
  const exports: Socket[] = Array.from({ length: EXPORTS }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    socket.pause();
    socket.write(
      `GET /api/v1/reconciliation/export?kind=feed&format=jsonl HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n\r\n`,
    );
    return socket;
  });
  return async () => {
    noisy = false;
    for (const socket of exports) {
      socket.destroy();
    }
    await Promise.all(reports);
  };
}
