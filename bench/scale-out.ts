/** Row `scale-out`: orders of many operators with two API processes against the same with one; two load processes for both. */
import { seedMarket } from '../test/support/market.ts';
import type { LoadAnswer } from './load-process.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import type { World } from './world.ts';

export async function scaleOut(world: World, { rounds, size }: Run): Promise<Measure> {
  const operators = await world.createOperators('scaled', 50, 4);
  const market = await seedMarket(world.sql, 'bench-scaled', DEEP);
  const apis = [await world.startApi(), await world.startApi()];
  const [one, other] = apis.map(({ url }) => url) as [string, string];
  const count = size(ORDERS, 200);

  async function rate(name: string, urls: readonly [string, string]): Promise<number> {
    await confirmBook(world, market);
    const shots = await orderShots(world, one, operators, market.contractId, name, count);
    const half = Math.ceil(shots.length / 2);
    const start = performance.now();
    const answers = await Promise.all(
      urls.map((url, index) =>
        load(world, { url, inFlight: IN_FLIGHT / 2, shots: shots.slice(index * half, (index + 1) * half) }),
      ),
    );
    const slowest = Math.max(...answers.map(({ seconds }: LoadAnswer) => seconds));
    return shots.length / Math.min(slowest, (performance.now() - start) / 1000);
  }

  const rates = await interleave(
    rounds,
    (round) => rate(`two-${round}`, [one, other]),
    (round) => rate(`one-${round}`, [one, one]),
  );
  for (const api of apis) {
    await api.close();
  }
  return { ...rates, unit: 'per s', note: 'baseline is one process' };
}
