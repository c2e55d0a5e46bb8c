/**
 * The profit of a customer at each moment: the positions at the market's chance of that moment, plus payouts, less stakes. It is
 * only drawn, so amounts are dollars as numbers. Apart from the views, and pure, because its test loads no browser.
 */
import type { Order } from '../../wire/order.ts';
import type { Settlement } from '../../wire/reconciliation.ts';

/** Unix seconds and the probability of the contract then, oldest first. */
export type Chances = readonly (readonly [number, number, ...unknown[]])[];

/** Unix seconds and dollars. */
export type CoursePoint = readonly [number, number];

const STEPS = 120;

interface Flow {
  readonly at: number;
  readonly position: string;
  /** Contracts that were bought, or below zero contracts that were sold or settled. */
  readonly contracts: number;
  /** The amount that was paid out, or below zero the amount that was staked. */
  readonly dollars: number;
}

/**
 * @param chances by contract. Before the first price, or without any, a position counts with its cost
 * @param now Unix seconds
 * @returns the course from the first order until now, or an empty one if nothing was ever filled
 */
export function courseOf(
  orders: readonly Order[],
  settlements: readonly Settlement[],
  chances: ReadonlyMap<string, Chances>,
  now: number,
): CoursePoint[] {
  const flows = [...orders.flatMap(flowOfOrder), ...settlements.map(flowOfSettlement)].sort((a, b) => a.at - b.at);
  const [first] = flows;
  if (first === undefined) {
    return [];
  }
  const step = (now - first.at) / STEPS;
  const moments = [...flows.map(({ at }) => at), ...Array.from({ length: STEPS }, (_, place) => now - place * step)];
  return [...new Set(moments)].sort((a, b) => a - b).map((at) => [at, profitAt(at, flows, chances)]);
}

function profitAt(at: number, flows: readonly Flow[], chances: ReadonlyMap<string, Chances>): number {
  const positions = Map.groupBy(
    flows.filter((flow) => flow.at <= at),
    ({ position }) => position,
  );
  let total = 0;
  for (const [position, done] of positions) {
    const held = sum(done.map(({ contracts }) => contracts));
    const [contractId = '', side] = position.split(' ');
    const chance = chances.get(contractId)?.findLast(([then]) => then <= at)?.[1];
    const worth = chance === undefined ? costOf(done) : held * (side === 'NO' ? 1 - chance : chance);
    total += worth + sum(done.map(({ dollars }) => dollars));
  }
  return total;
}

/** The cost of the contracts that are left, at the average price of all that were bought. */
function costOf(done: readonly Flow[]): number {
  const bought = done.filter(({ contracts }) => contracts > 0);
  const contracts = sum(bought.map((flow) => flow.contracts));
  const held = sum(done.map((flow) => flow.contracts));
  return contracts === 0 ? 0 : (-sum(bought.map(({ dollars }) => dollars)) * held) / contracts;
}

function flowOfOrder(order: Order): Flow[] {
  const { createdAt, contractId, side, action, filledQuantity, operatorMoney, operatorExitMoney } = order;
  if (filledQuantity === 0) {
    return [];
  }
  const isBuy = action === 'buy';
  return [
    {
      at: Date.parse(createdAt) / 1000,
      position: `${contractId} ${side}`,
      contracts: isBuy ? filledQuantity : -filledQuantity,
      dollars: isBuy ? -Number(operatorMoney?.actualDebit ?? 0) : Number(operatorExitMoney?.sellProceeds ?? 0),
    },
  ];
}

function flowOfSettlement({ settledAt, contractId, side, contracts, operatorMoney }: Settlement): Flow {
  return {
    at: Date.parse(settledAt) / 1000,
    position: `${contractId} ${side}`,
    contracts: -contracts,
    dollars: Number(operatorMoney.settlementCredit) + Number(operatorMoney.voidCredit),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
