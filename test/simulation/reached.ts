/** What a seed came to: seeds are no proof of what none of them reached. */
import type { Sql } from '../../src/db/client.ts';
import type { World } from './world.ts';

/** Counts by name. */
export type Reached = Readonly<Record<string, number>>;

/** What the seeds of a run of the test must have come to, each several times. */
export const MUST_REACH = [
  'rejected',
  'refusedByTheExchange',
  'cancelled',
  'filled',
  'partiallyFilled',
  'neverReceived',
  'unknownThenFound',
  'thirdFills',
  'sold',
  'settled',
  'overruns',
  'sendsRepeatedByTheNetwork',
  'sentToTheSecondExchange',
  'tooManyRequests',
  'lateFees',
  'deaths',
  'restarts',
  'freezes',
  'failovers',
  'leaderships',
  'leasesLost',
  'eventsDelivered',
  'eventsDeliveredAgain',
  'deliveriesRefused',
] as const;

export async function countReached(sql: Sql, world: World): Promise<Reached> {
  const id = world.operatorId;
  const [row] = await sql<Record<string, number>[]>`
    select (select count(*)::int from orders where operator_id = ${id} and status = 'rejected') as rejected,
      (select count(*)::int from orders where operator_id = ${id} and status = 'cancelled') as cancelled,
      (select count(*)::int from orders where operator_id = ${id} and status = 'filled') as filled,
      (select count(*)::int from orders where operator_id = ${id} and status = 'partially_filled') as partially_filled,
      (select count(*)::int from orders where operator_id = ${id} and reject_reason like 'never_received%') as never_received,
      (select count(*)::int from orders where operator_id = ${id} and status = 'rejected' and reject_reason ~ '^(halted|expired)') as refused_by_the_exchange,
      (select count(*)::int from transmissions t join orders r using (operator_id, order_id)
        where operator_id = ${id} and t.lookups > 0 and r.filled_quantity_micros > 0) as unknown_then_found,
      (select count(*)::int from order_fills where operator_id = ${id} and fill_no > 2) as third_fills,
      (select count(*)::int from orders where operator_id = ${id} and action = 'sell' and filled_quantity_micros > 0) as sold,
      (select count(*)::int from journal where operator_id = ${id} and kind = 'position_settled' and not simulated) as settled,
      (select count(*)::int from journal where operator_id = ${id} and kind = 'overrun_posted') as overruns`;
  return { ...row, ...world.reached() };
}

export function addReached(one: Reached, other: Reached): Reached {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
