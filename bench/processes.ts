/** Row `processes`: processor time of an order with four API processes, 64 requests in flight at each, against one with 64. */
import { seedMarket } from '../test/support/market.ts';
import { interleave, type Measure, median, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import { cpuSeconds } from './process-facts.ts';
import type { Served, World } from './world.ts';

const PROCESSES = 4;

export async function processes(world: World, run: Run): Promise<Measure> {
  const operators = await world.createOperators('many', 50, 4);
  const market = await seedMarket(world.sql, 'bench-processes', DEEP);
  const apis: Served[] = [];
  for (let number = 0; number < PROCESSES; number += 1) {
    apis.push(await world.startApi());
  }
  const urls = apis.map(({ url }) => url);
  const count = run.size(ORDERS, IN_FLIGHT * PROCESSES);
  const spent = () => apis.reduce((sum, { pid }) => sum + cpuSeconds(pid), world.databaseCpu());

  /** @returns µs of processor time of an order */
  async function send(name: string, among: number, rates: number[]): Promise<number> {
    await confirmBook(world, market);
    const shots = await orderShots(world, urls[0] ?? '', operators, market.contractId, name, count);
    const share = Math.ceil(shots.length / among);
    const before = spent();
    const answers = await Promise.all(
      urls
        .slice(0, among)
        .map((url, index) =>
          load(world, { url, inFlight: IN_FLIGHT, shots: shots.slice(index * share, (index + 1) * share) }),
        ),
    );
    const micros = ((spent() - before) * 1_000_000) / count;
    rates.push(count / Math.max(...answers.map(({ seconds }) => seconds)));
    return micros;
  }

  const [ofMany, ofOne]: [number[], number[]] = [[], []];
  const times = await interleave(
    run,
    (round) => send(`many-${round}`, PROCESSES, ofMany),
    (round) => send(`one-${round}`, 1, ofOne),
  );
  for (const api of apis) {
    await api.close();
  }
  const rate = (rates: readonly number[]) => median(rates.slice(1)).toFixed(0);
  return {
    ...times,
    unit: 'µs',
    note: `processor time of an order, ${IN_FLIGHT} in flight at each process; a second: 1 → ${rate(ofOne)}, ${PROCESSES} → ${rate(ofMany)}`,
  };
}
