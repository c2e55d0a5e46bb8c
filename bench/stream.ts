/**
 * Row `stream`: prices of 25 contracts to 5,000 readers, against bare node:http that writes one shared Buffer. One contract
 * changes at a time, so that a frame is a write on both sides, and never more than two changes are on their way.
 */
import { seedMarket, setBook, type TestMarket } from '../test/support/market.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { StreamOrder, StreamWord } from './stream-load-process.ts';
import type { Helper, World } from './world.ts';

const CONNECTIONS = 5_000;
const CONTRACTS = 25;
const ON_THE_WAY = 2;
const MARK = '\ndata: ';

export async function stream(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const markets: TestMarket[] = [];
  for (let index = 0; index < CONTRACTS; index += 1) {
    markets.push(await seedMarket(world.sql, `bench-stream-${index}`));
  }
  const api = await world.startApi();
  const connections = size(CONNECTIONS, 100);
  const changes = size(100, 20);
  const path = `/api/v1/stream/prices?contracts=${markets.map(({ contractId }) => contractId).join()}`;
  const order: StreamOrder = { url: api.url, paths: [path], connections, neverRead: 0, mark: MARK };

  let turn = 0;
  const change = async () => {
    const market = markets[turn % CONTRACTS] as TestMarket;
    const cents = 40 + (Math.floor(turn / CONTRACTS) % 20);
    turn += 1;
    await setBook(world.sql, market, { bids: [[`0.${cents}`, '1000']], asks: [[`0.${cents + 2}`, '1000']] });
  };

  const readers = await world.start('./stream-load-process.ts', order);
  await change();
  const { sample } = (await readers.next()) as { sample: string };
  const bare = await world.start('./bare-stream-process.ts', { frame: sample });
  const { url } = bare.first as { url: string };
  const bareReaders = await world.start('./stream-load-process.ts', { ...order, url, paths: ['/'] });
  const seen = { ours: 1, bare: 0 };

  const rates = await interleave(
    run,
    async () => {
      const rate = await framesPerSecond(readers, change, changes, connections, seen.ours);
      seen.ours += changes;
      return rate;
    },
    async () => {
      const rate = await framesPerSecond(bareReaders, async () => bare.tell('tick'), changes, connections, seen.bare);
      seen.bare += changes;
      return rate;
    },
  );
  for (const one of [readers, bareReaders, bare]) {
    await one.close();
  }
  await api.close();
  return { ...rates, unit: 'per s', note: `${connections} readers, ${sample.length} bytes a frame` };
}

/** @param before frames that every reader has had already. */
async function framesPerSecond(
  readers: Helper,
  change: () => Promise<void>,
  changes: number,
  connections: number,
  before: number,
): Promise<number> {
  const start = performance.now();
  let passed = before;
  let made = 0;
  while (passed < before + changes) {
    while (made < changes && made - (passed - before) < ON_THE_WAY) {
      made += 1;
      await change();
    }
    const word = (await readers.next()) as StreamWord;
    passed = 'passed' in word ? word.passed : passed;
  }
  return (changes * connections * 1000) / (performance.now() - start);
}
