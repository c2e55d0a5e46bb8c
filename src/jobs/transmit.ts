/** Sends what waits to be sent and asks about what is not final: woken by the API, and by a slow poll. */
import type { Context } from '../context.ts';
import { openListener } from '../db/listener.ts';
import { openBoard } from '../markets/board.ts';
import { openMoves } from '../trading/order-move.ts';
import { resolveUnknown } from '../trading/resolve-unknown.ts';
import { listDue, listWaiting } from '../trading/transmissions.ts';
import { transmitOrder } from '../trading/transmit-order.ts';
import { locateVenues } from '../venues/addresses.ts';
import { openVenues, type Venues } from '../venues/registry.ts';

const POLL_MS = 250;
const TAKE = 256;
const SIDE_BY_SIDE = 128;
/** An order that cannot be judged now steps aside this long, so that many of them do not stand before the rest. */
const ASIDE_MS = 2_000;

/** @param venues only tests hand in their own. */
export async function startTransmission(
  context: Context,
  venues: Venues = openVenues(context.environment.venues, locateVenues(context.sql)),
): Promise<{ close(): Promise<void> }> {
  const { sql, log, clock } = context;
  const board = await openBoard(context);
  const ports = { sql, board, clock, log, venues, move: openMoves(sql) };
  const busy = new Map<string, Promise<void>>();
  /** Until when each order that had to wait is left out. */
  const aside = new Map<string, number>();
  /** Read and not begun: lanes that come free are filled from here, not by reading the table again for each. */
  const queued = new Map<string, () => Promise<void>>();
  let closed = false;
  let looking = false;
  let again = false;

  function take(orderId: string, work: () => Promise<void>): void {
    if (!busy.has(orderId)) {
      queued.set(orderId, work);
    }
  }

  function begin(): void {
    for (const [orderId, work] of queued) {
      if (busy.size >= SIDE_BY_SIDE || closed) {
        return;
      }
      queued.delete(orderId);
      const done = work()
        .catch((error: unknown) =>
          log.error({ err: error, orderId }, 'an order could not be moved on; it is tried again'),
        )
        .finally(() => {
          busy.delete(orderId);
          const last = queued.size > 0;
          begin();
          if (last && queued.size === 0) {
            void look();
          }
        });
      busy.set(orderId, done);
    }
  }

  async function look(): Promise<void> {
    if (looking || closed) {
      again = true;
      return;
    }
    looking = true;
    try {
      do {
        again = false;
        for (const [orderId, until] of aside) {
          if (until <= Date.now()) {
            aside.delete(orderId);
          }
        }
        const [waiting, due] = await Promise.all([listWaiting(sql, TAKE, [...aside.keys()]), listDue(sql, TAKE)]);
        for (const order of waiting) {
          take(order.order_id, async () => {
            if (!(await transmitOrder(ports, order))) {
              aside.set(order.order_id, Date.now() + ASIDE_MS);
            }
          });
        }
        for (const attempt of due) {
          take(attempt.order_id, () => resolveUnknown(ports, attempt, clock.now()));
        }
        begin();
      } while (again && !closed);
    } catch (error) {
      log.warn({ err: error }, 'the orders to be sent cannot be read');
    } finally {
      looking = false;
    }
  }

  const listener = openListener({
    url: context.databaseUrl,
    applicationName: 'inlay-transmit-listener',
    channels: ['transmit'],
    onNotification: () => void look(),
    onConnected: () => void look(),
  });
  const poll = setInterval(() => void look(), POLL_MS);
  return {
    close: async () => {
      closed = true;
      clearInterval(poll);
      await listener.close();
      await Promise.allSettled(busy.values());
      await venues.close();
      await board.close();
    },
  };
}
