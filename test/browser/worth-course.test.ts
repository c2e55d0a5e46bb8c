/** The line of the frame's portfolio: open positions at the prices of each time, with what was paid out, without what was staked. */
import { expect, test } from 'vitest';
import { type Chances, courseOf } from '../../src/frame/trading/worth-course.ts';
import type { Order } from '../../src/wire/order.ts';
import type { Settlement } from '../../src/wire/reconciliation.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const buy = (seconds: number, contractId: string, contracts: number, debit: string, side = 'YES') =>
  ({
    createdAt: at(seconds),
    contractId,
    side,
    action: 'buy',
    filledQuantity: contracts,
    operatorMoney: { actualDebit: debit },
    operatorExitMoney: null,
  }) as Order;
const sell = (seconds: number, contractId: string, contracts: number, proceeds: string) =>
  ({
    ...buy(seconds, contractId, contracts, '0.00'),
    action: 'sell',
    operatorMoney: null,
    operatorExitMoney: { sellProceeds: proceeds },
  }) as Order;
const settle = (seconds: number, contractId: string, contracts: number, credit: string) =>
  ({
    settledAt: at(seconds),
    contractId,
    side: 'YES',
    contracts,
    operatorMoney: { settlementCredit: credit, voidCredit: '0.00' },
  }) as Settlement;

const chances = new Map<string, Chances>([
  [
    'rain',
    [
      [1000, 0.5],
      [2000, 0.7],
      [3000, 0.2],
    ],
  ],
  ['snow', [[1000, 0.4]]],
]);

function profits(orders: readonly Order[], settlements: readonly Settlement[], now: number) {
  const course = courseOf(orders, settlements, chances, now);
  return (moment: number) => Math.round((course.findLast(([then]) => then <= moment)?.[1] ?? Number.NaN) * 100) / 100;
}

test('a position follows the prices of each time, and a NO the other way', () => {
  const yes = profits([buy(1000, 'rain', 20, '10.00')], [], 3000);
  expect([yes(1000), yes(2000), yes(3000)]).toEqual([0, 4, -6]);
  const no = profits([buy(1000, 'rain', 20, '10.00', 'NO')], [], 3000);
  expect([no(1000), no(2000), no(3000)]).toEqual([0, -4, 6]);
});

test('what was sold or paid out stays, whatever the price does later', () => {
  const sold = profits([sell(2500, 'rain', 20, '14.00'), buy(1000, 'rain', 20, '10.00')], [], 4000);
  expect([sold(2500), sold(4000)]).toEqual([4, 4]);
  const won = profits([buy(1000, 'snow', 25, '10.00')], [settle(2000, 'snow', 25, '25.00')], 4000);
  expect([won(1500), won(2000), won(4000)]).toEqual([0, 15, 15]);
});

test('without a recorded price a position counts as what was paid for it', () => {
  const unknown = profits([buy(1000, 'wind', 20, '10.00'), sell(2000, 'wind', 5, '4.00')], [], 3000);
  expect([unknown(1000), unknown(3000)]).toEqual([0, 1.5]);
});

test('begins with the first order and ends now; what was never filled draws nothing', () => {
  const course = courseOf([buy(1000, 'rain', 20, '10.00')], [], chances, 3000);
  expect([course[0]?.[0], course.at(-1)?.[0]]).toEqual([1000, 3000]);
  expect(courseOf([buy(1000, 'rain', 0, '0.00')], [], chances, 3000)).toEqual([]);
});
