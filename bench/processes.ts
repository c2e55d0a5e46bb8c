/** Row `processes`: processor time of an order with two and four API processes against one; the rate as a bound. */
import { seedMarket } from '../test/support/market.ts';
import { type Measure, median, mediansOf, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import { cpuSeconds } from './process-facts.ts';
import type { Served, World } from './world.ts';

const COUNTS = [1, 2, 4] as const;
/** One process may be this much faster than several. */
const RATE_BOUND = 1 / 0.95;

export async function processes(world: World, { rounds, size, auditor }: Run): Promise<Measure> {
  const operators = await world.createOperators('many', 50, 4);
  const market = await seedMarket(world.sql, 'bench-processes', DEEP);
  const apis: Served[] = [];
  for (let number = 0; number < Math.max(...COUNTS); number += 1) {
    apis.push(await world.startApi());
  }
  const urls = apis.map(({ url }) => url);
  const count = size(ORDERS, 200);
  const spent = () => apis.reduce((sum, { pid }) => sum + cpuSeconds(pid), world.databaseCpu());

  async function send(name: string, among: number): Promise<{ cpu: number; rate: number }> {
    await confirmBook(world, market);
    const shots = await orderShots(world, urls[0] ?? '', operators, market.contractId, name, count);
    const share = Math.ceil(shots.length / among);
    const before = spent();
    const answers = await Promise.all(
      urls.slice(0, among).map((url, index) =>
        load(world, {
          url,
          inFlight: IN_FLIGHT / among,
          shots: shots.slice(index * share, (index + 1) * share),
        }),
      ),
    );
    const cpu = ((spent() - before) * 1_000_000) / count;
    return { cpu, rate: count / Math.max(...answers.map(({ seconds }) => seconds)) };
  }

  const figures = new Map(COUNTS.map((among) => [among, { cpu: [] as number[], rate: [] as number[] }]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const among of COUNTS) {
      await auditor.rest();
      const { cpu, rate } = await auditor.during(() => send(`n${round}-${among}`, among));
      if (round > 0) {
        figures.get(among)?.cpu.push(cpu);
        figures.get(among)?.rate.push(rate);
      }
    }
  }
  for (const api of apis) {
    await api.close();
  }
  const of = (among: 1 | 2 | 4) => figures.get(among) ?? { cpu: [], rate: [] };
  const costlier = median(of(2).cpu) >= median(of(4).cpu) ? of(2) : of(4);
  return {
    ...mediansOf(costlier.cpu, of(1).cpu),
    unit: 'µs',
    bounds: ([2, 4] as const).map((among) => ({
      what: `rate with one process against ${among}`,
      value: median(of(1).rate) / median(of(among).rate),
      unit: 'times',
      atMost: RATE_BOUND,
    })),
    note: `processor time of an order; a second: ${COUNTS.map((among) => `${among} → ${median(of(among).rate).toFixed(0)}`).join(', ')}`,
  };
}
