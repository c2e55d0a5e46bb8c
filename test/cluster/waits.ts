/** What the run waits for after each event. */
import { until } from '../support/until.ts';
import type { Cluster } from './cluster.ts';
import type { Load, Trader } from './load.ts';

const WHOLE_WITHIN_MS = 180_000;

/** Until the nodes of every group follow one leader. */
export async function whole({ groups }: Cluster): Promise<void> {
  const look = async () => {
    for (const group of groups) {
      if (!(await group.isWhole())) {
        throw new Error(`the cluster is not whole: ${JSON.stringify(await group.members())}`);
      }
    }
  };
  await until(look, WHOLE_WITHIN_MS);
}

/** Until every sandbox operator has had an order acknowledged. @param at milliseconds of `performance.now()` */
export async function acknowledgedAfter({ acknowledged }: Load, traders: readonly Trader[], at: number): Promise<void> {
  const operators = new Set(traders.filter(({ live }) => !live).map(({ operator }) => operator));
  const waiting = () =>
    [...operators].filter((one) => {
      const last = acknowledged.findLast(({ operator }) => operator === one);
      return last === undefined || last.at <= at;
    });
  await until(waiting, (some) => some.length === 0, WHOLE_WITHIN_MS);
}
