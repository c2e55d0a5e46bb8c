/**
 * Database backends killed over and over while customers quote, order, exit and trade live: no wrong row, no dead pool, no
 * dead process, no answer but a success, a specified refusal or 503; an order whose answer was lost is found by its key.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const SECONDS = 5;
const KILL_EVERY_MS = 120;
/** Between two kills, also on a busy machine. */
const ANSWERS = 3;

let live: Live;
let owner: pg.Client;
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  live = await openLive();
  const maintenance = new URL(live.database.ownerUrl);
  maintenance.pathname = '/postgres';
  owner = new pg.Client({ connectionString: maintenance.href });
  await owner.connect();
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  await owner.end();
  await live.close();
});

interface Asked {
  readonly tenant: Tenant;
  readonly user: string;
  readonly body: { readonly quoteId: string; readonly clientOrderId: string };
  /** Undefined where the answer was lost. */
  readonly orderId: string | undefined;
}

test('a load of quotes, orders, exits and live orders under killed backends', { timeout: 120_000 }, async () => {
  const tenants = [
    await live.tenant({ mode: 'sandbox' }),
    await live.tenant({ mode: 'sandbox' }),
    await live.tenant({ collateralMinor: 10_000_000n }),
  ];
  const asked: Asked[] = [];
  const odd: string[] = [];
  const seen = new Map<string, number>();
  let answered = 0;
  let running = true;

  const judge = (what: string, status: number, body: { error?: string }): void => {
    const kind = `${what} ${status} ${body?.error ?? ''}`.trim();
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    answered += status < 300 ? 1 : 0;
    const specified = status === 409 || status === 422;
    if (!(status === 200 || status === 201 || status === 503 || specified)) {
      odd.push(`${kind}: ${JSON.stringify(body)}`);
    }
  };

  const clients = tenants.flatMap((tenant, which) =>
    Array.from({ length: 6 }, async (_, client) => {
      const user = `u${client}`;
      const isLive = which === 2;
      for (let turn = 0; running; turn += 1) {
        const sell = turn % 3 === 2;
        const quoted = await tenant.quote(
          user,
          sell ? { action: 'sell', stake: undefined, contracts: 2 } : { stake: 3 },
        );
        judge('quote', quoted.status, quoted.body);
        if (quoted.status !== 200) {
          continue;
        }
        const clientOrderId = `k${client}-${turn}`;
        const body = {
          quoteId: quoted.body.quoteId as string,
          clientOrderId,
          ...(isLive && { reserveReference: 'r' }),
        };
        const placed = await tenant.order(user, body);
        judge('order', placed.status, placed.body);
        asked.push({ tenant, user, body, orderId: placed.body?.orderId });
      }
    }),
  );
  const name = new URL(live.database.url).pathname.slice(1);
  const end = Date.now() + SECONDS * 1000;
  let killed = 0;
  const enough = () => killed > 10 && (seen.get('order 201') ?? 0) > 30;
  try {
    while (Date.now() < end || !enough()) {
      const before = answered;
      await timePasses(KILL_EVERY_MS);
      await until(() => expect(answered, JSON.stringify([...seen])).toBeGreaterThanOrEqual(before + ANSWERS));
      // one at a time, and now and then all of them
      const all = killed % 8 === 7;
      const { rowCount } = await owner.query(
        `select pg_terminate_backend(pid, 5000) from (select pid from pg_stat_activity where datname = $1 order by random() ${all ? '' : 'limit 3'}) x`,
        [name],
      );
      killed += (rowCount ?? 0) > 0 ? 1 : 0;
    }
  } finally {
    running = false;
  }
  await Promise.all(clients);
  // nothing of a broken connection may be left once the server has been left alone for a moment
  await timePasses(500);

  expect(odd).toEqual([]);
  expect(unhandled).toEqual([]);

  // the pool lives
  const afterwards = await Promise.all(tenants.flatMap((tenant) => ['x', 'y', 'z'].map((user) => tenant.quote(user))));
  expect(afterwards.map((answer) => answer.status)).toEqual(afterwards.map(() => 200));

  // what was asked under a key is found by it: once, and as it was answered
  for (const { tenant, user, body, orderId } of asked) {
    const path = `/api/v1/orders?externalUserId=${user}&clientOrderId=${body.clientOrderId}`;
    const found = await live.request('GET', path, { key: tenant.key });
    expect(found.status).toBe(200);
    const [order] = found.body.orders;
    if (orderId !== undefined && order !== undefined) {
      expect(order.orderId).toBe(orderId);
    }
    if (order === undefined) {
      // provably not done: the same body again is a new order, or refused because the quote ran out or the market moved on
      const again = await tenant.order(user, body);
      expect([201, 409, 422]).toContain(again.status);
    } else {
      expect((await tenant.order(user, body)).status).toBe(200);
    }
  }

  // live orders come to their end, each sent at most once
  await until(
    () =>
      live.sql`select order_id from orders where transmission_state = 'unknown' or status = 'pending_venue_execution'`,
    (open) => open.length === 0,
    20_000,
  );
  expect([...live.venue.received.values()].every((sends) => sends.length === 1)).toBe(true);
  expect(await audit(live.sql)).toEqual([]);
  expect(unhandled).toEqual([]);
});
