/**
 * A worker that dies at a step of its path: node crashing-worker.ts DATABASE_URL VENUE_URL ORDER_ID transmit|resolve STEP
 * Each query and each call of the venue is two steps, before it and after its answer. At the step it is killed with SIGKILL
 * from within, so nothing is cleaned up. A step of 0 never comes: it prints how many there are.
 */
import { openContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { systemTicks } from '../../src/core/time.ts';
import type { Sql } from '../../src/db/client.ts';
import { openBoard } from '../../src/markets/board/board.ts';
import { type Attempt, type DueAttempt, findAttempt, listWaiting } from '../../src/trading/execution/attempts.ts';
import { lookUpAttempt } from '../../src/trading/execution/look-up.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { transmitOrder } from '../../src/trading/execution/transmit-order.ts';
import { remoteVenue } from './remote-venue.ts';
import { OPEN_GATE, onlyVenues } from './scripted-venue.ts';

const [databaseUrl = '', venueUrl = '', orderId = '', path = '', last = '0'] = process.argv.slice(2);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === Number(last)) {
    process.kill(process.pid, 'SIGKILL');
    // the signal is not delivered before the next turn; nothing of ours may run until then
    for (;;) {}
  }
}

async function around<T>(call: () => PromiseLike<T>): Promise<T> {
  step();
  const answer = await call();
  step();
  return answer;
}

const context = openContext(readEnvironment({ LOG_LEVEL: 'silent' }), databaseUrl, 'worker');
const board = await openBoard(context);
const sql = new Proxy(context.sql, {
  apply(target, self, args) {
    const query = Reflect.apply(target, self, args) as PromiseLike<unknown>;
    // a part of another query is never awaited, and is no step
    if (query instanceof Promise) {
      const run = query.then.bind(query);
      // biome-ignore lint/suspicious/noThenProperty: it is a promise, and being awaited is what is watched
      query.then = (fulfilled, rejected) =>
        around(() => new Promise((resolve, reject) => run(resolve, reject))).then(fulfilled as never, rejected);
    }
    return query;
  },
}) as Sql;
const remote = remoteVenue(venueUrl);
const venues = onlyVenues({
  ...remote,
  placeOrder: (order, mayWrite) => around(() => remote.placeOrder(order, mayWrite)),
  findOrder: (ourId) => around(() => remote.findOrder(ourId)),
  fills: (ourId) => around(() => remote.fills(ourId)),
});
const ports = {
  ...createRecordPorts(sql),
  board,
  clock: context.clock,
  gate: OPEN_GATE,
  ticks: systemTicks,
  log: context.log,
  venues,
};

if (path === 'transmit') {
  const order = (await listWaiting(context.sql, 1000)).find((one) => one.orderId === orderId);
  if (order !== undefined) {
    await transmitOrder(ports, order);
  }
} else {
  const [row] = await context.sql<
    { operatorId: string }[]
  >`select operator_id from transmissions where order_id = ${orderId}`;
  const attempt = await findAttempt(context.sql, row?.operatorId ?? '', orderId);
  if (attempt !== undefined) {
    await lookUpAttempt(ports, dueNow(attempt));
  }
}
process.stdout.write(`steps ${steps}\n`);
process.exit(0);

/** The attempt as the claim would hand it out now. */
function dueNow(attempt: Attempt): DueAttempt {
  const past = context.clock.now().getTime() - attempt.expiresAt.getTime();
  return { ...attempt, expiredLong: past > 60_000, overdue: past > 10_000 };
}
