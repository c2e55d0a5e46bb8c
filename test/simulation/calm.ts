/** The end of a simulated world: nothing goes wrong any more, so every order must end and every position is paid. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../src/db/client.ts';
import { readBoardRows } from '../../src/markets/board/board-rows.ts';
import { BoardState } from '../../src/markets/board/board-state.ts';
import { readEvents, readUndelivered } from '../support/events.ts';
import type { Course, CourseParts } from './course.ts';
import type { Customers } from './customers.ts';
import type { ApiParts, Member } from './members.ts';
import { LATE } from './simulated-sql.ts';

/** Each goes on to the next event. A look-up that failed often waits for minutes, and a relay polls ten times a second. */
const MOST_STEPS = 4_000;
/** After so many a person looks at why nothing goes on. */
const STEPS_PER_ROUND = 20;
/** Time goes by quickly, so that what waits is due after few rounds of everything that only looks for work. */
const LEAPS_MS = [0, 20_000, 60_000] as const;
const ORDER_ON_ITS_WAY = ' http POST /v1/orders';
/** A delivery that failed often waits for hours. */
const LONG_LEAPS_MS = [0, 0, 60_000, 3_600_000] as const;

export interface CalmParts extends CourseParts {
  readonly course: Course;
  readonly customers: Customers;
  readonly operatorId: string;
  readonly apis: readonly Member<ApiParts>[];
}

/** @throws AssertionError naming what does not end. */
export async function calmDown(parts: CalmParts): Promise<void> {
  const { course, customers, operatorId, plan, queue, books, chance } = parts;
  course.settle();
  await waitUntil(parts, 'what is under way ends', async () => []);
  // a statement of the past may still run after its caller gave up, and close a gate that was opened meanwhile
  while (queue.awaits(LATE)) {
    await course.passTime(1_000);
    await course.turnAll();
  }
  customers.openGates();
  customers.resumeMarkets();
  await waitUntil(
    parts,
    'every order ends',
    (sql) => sql`
    select order_id as id, status || ' ' || transmission_state as state from orders
    where operator_id = ${operatorId} and (transmission_state = 'unknown' or status = 'pending_venue_execution')`,
  );
  customers.resolveAll();
  await waitUntil(
    parts,
    'every position is paid and no order waits for a reserve',
    (sql) => sql`
    select position_id as id, status as state from positions where operator_id = ${operatorId} and status = 'open'
    union all
    select order_id, status from orders where operator_id = ${operatorId} and status = 'reserve_pending'`,
  );
  // an order that arrives after all had ended must not fill any more
  while (queue.awaits(ORDER_ON_ITS_WAY)) {
    queue.leap(chance.pick(LEAPS_MS));
    await course.passTime();
    await course.turnAll();
  }
  if (plan.ingests) {
    await waitUntil(parts, 'the board shows the books', (sql) => books.differences(sql));
  }
  if (plan.receiver !== null) {
    await deliverAll(parts);
  }
  await waitUntil(parts, 'every API process shows the board of the database', (sql) => boardDifferences(parts, sql));
}

/** @returns the API processes whose board is not what one would be that is read now. */
async function boardDifferences({ apis, queue }: CalmParts, sql: Sql): Promise<object[]> {
  const read = new BoardState();
  read.replace(await readBoardRows(sql, null, new Date(queue.nowMs)));
  return apis.flatMap(({ name, parts }) =>
    isDeepStrictEqual(parts?.board.contracts, read.contracts) && isDeepStrictEqual(parts?.board.events, read.events)
      ? []
      : [{ name, revision: String(parts?.board.revision), readNow: String(read.revision) }],
  );
}

async function deliverAll(parts: CalmParts): Promise<void> {
  const { acknowledged } = parts.receiver;
  await waitUntil(
    parts,
    'every event is delivered',
    async (sql) => {
      const raised = await readEvents(sql, parts.operatorId);
      const unknown = raised.filter(({ eventId }) => !acknowledged.has(eventId)).map(({ eventId }) => ({ eventId }));
      return [...unknown, ...(await readUndelivered(sql, parts.operatorId))];
    },
    LONG_LEAPS_MS,
  );
}

/** @param open reads what is not yet as it should be. */
async function waitUntil(
  { course, customers, plan, network, queue, chance, exchanges }: CalmParts,
  what: string,
  open: (sql: Sql) => PromiseLike<object[]>,
  leapsMs: readonly number[] = LEAPS_MS,
): Promise<void> {
  let left: object[] = [];
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    await course.turnAll();
    left = await open(network.sql);
    if (left.length === 0 && customers.waiting === 0) {
      return;
    }
    for (const exchange of exchanges) {
      exchange.finish();
    }
    if (steps % STEPS_PER_ROUND === STEPS_PER_ROUND - 1) {
      customers.resumeVenues(plan.exchanges.map(({ name }) => name));
      customers.endLost(exchanges);
    }
    queue.leap(chance.pick(leapsMs));
    await course.passTime(chance.pick([1_000, 20_000]));
  }
  assert.fail(
    `${what}, once nothing goes wrong any more; left: ${JSON.stringify(left)}, ${customers.waiting} requests`,
  );
}
