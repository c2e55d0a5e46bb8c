/**
 * The order's states, row by row, at the emulated exchanges: the transitions of contract 12.2 to 12.15 over real HTTP and
 * WebSocket. The same rows at a scripted venue, and what the table does not allow: `proofs/transitions.test.ts`.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NOTHING_BOOKED, ROWS, record, type StateName } from '../proofs/order-states.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import type { World } from '../support/world.ts';
import { type LiveExchange, startLiveExchange } from './live-exchange.ts';
import { CALM_ASKS, type Reach, type TransitionExchange, type VenueState } from './transition-exchange.ts';
import { openKalshiTransitions } from './transitions-at-kalshi.ts';
import { openPolymarketTransitions } from './transitions-at-polymarket.ts';

const SLOWEST_MS = 60_000;
const EACH = { timeout: 180_000 };
const HELD = { reserveReference: 'held' };
type Settings = Parameters<World['tenant']>[0];

describe.each([
  ['kalshi', openKalshiTransitions],
  ['polymarket', openPolymarketTransitions],
])('a live order at %s', (_, open) => {
  let at: TransitionExchange;
  let live: LiveExchange;
  let sends = 0;
  const count = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    sends += `${request.method} ${request.url}` === at.sends ? 1 : 0;
  };

  beforeAll(async () => {
    at = await open();
    at.calm();
    live = await startLiveExchange(at.venue, at.listingId, at.environment);
    subscribe('http.server.request.start', count);
  }, 120_000);
  afterEach(() => at.calm());
  afterAll(async () => {
    unsubscribe('http.server.request.start', count);
    await live?.close();
    await at?.close();
  });

  /** The worker is notified of a book together with the API, and has a second more. */
  async function bookShows(levels: number): Promise<void> {
    const asks = () => live.service.context.board.contracts.get(live.contractId)?.books[0]?.asks.length;
    if (asks() !== levels) {
      await until(asks, (shown) => shown === levels, SLOWEST_MS);
      await timePasses(1_000);
    }
  }

  /** A new operator whose orders are quoted; `sends` counts from here. */
  async function newTenant(settings: Settings = {}): Promise<Tenant> {
    const tenant = await live.service.tenant(settings);
    await bookShows(CALM_ASKS);
    await until(
      () => tenant.quote('ana'),
      ({ status }) => status === 200,
      SLOWEST_MS,
    );
    sends = 0;
    return tenant;
  }

  const settled = (tenant: Tenant, orderId: string, status: string, transmissionState: string) =>
    until(
      () => tenant.read(orderId),
      (one) => one.status === status && one.transmissionState === transmissionState,
      SLOWEST_MS,
    );

  const lookUpNow = (orderId: string) =>
    live.service.sql`update transmissions set next_lookup_at = now() where order_id = ${orderId}`;

  /** Two more look-ups of an open order are made, so the first of them has been read. */
  async function lookedUp(orderId: string): Promise<void> {
    const made = async () => {
      const [row] = await live.service.sql<{ lookups: number }[]>`
        select lookups from transmissions where order_id = ${orderId}`;
      return row?.lookups ?? 0;
    };
    const before = await made();
    await until(
      async () => {
        await lookUpNow(orderId);
        return made();
      },
      (lookups) => lookups >= before + 2,
      SLOWEST_MS,
    );
  }

  async function confirmed(tenant: Tenant): Promise<string> {
    const orderId = await record(tenant);
    expect((await tenant.confirm(orderId)).status).toBe(200);
    return orderId;
  }

  async function reached(tenant: Tenant, state: VenueState, reach: Exclude<Reach, { cannot: string }>) {
    const before = at.orders();
    reach.arm();
    await bookShows(reach.asks ?? CALM_ASKS);
    const orderId = await confirmed(tenant);
    if (reach.advance !== undefined) {
      await until(
        () => at.orders(),
        (orders) => orders > before,
        SLOWEST_MS,
      );
      await settled(tenant, orderId, 'submitted', 'unknown');
      reach.advance();
      await lookUpNow(orderId);
    }
    const status = state.startsWith('cancelled') ? 'cancelled' : (state.split(',')[0] ?? state);
    await settled(tenant, orderId, status, /silent|working|unknown/.test(state) ? 'unknown' : 'resolved');
    return orderId;
  }

  async function bring(tenant: Tenant, state: StateName): Promise<string> {
    switch (state) {
      case 'reserve_pending':
        return record(tenant);
      case 'cancelled by the operator': {
        const orderId = await record(tenant);
        expect((await tenant.cancel(orderId)).status).toBe(200);
        return orderId;
      }
      case 'pending_venue_execution':
      case 'withdrawn by the service': {
        await tenant.set('execution_confirmed', false);
        const orderId = await confirmed(tenant);
        if (state === 'withdrawn by the service') {
          await tenant.set('trading_paused', true);
          await settled(tenant, orderId, 'cancelled', 'not_transmitted');
        }
        return orderId;
      }
      default: {
        const reach = at.reach[state];
        if ('cannot' in reach) {
          throw new Error(reach.cannot);
        }
        return reached(tenant, state, reach);
      }
    }
  }

  /** The account there and the books here agree on what is held. */
  async function agreed(): Promise<void> {
    const books = async () => {
      const [row] = await live.service.sql<{ quantityMicros: bigint }[]>`
        select coalesce(sum(quantity_micros), 0)::bigint as quantity_micros from positions`;
      return row?.quantityMicros;
    };
    await until(async () => expect(await books()).toBe(at.held()), SLOWEST_MS);
  }

  test.each(ROWS)('$state', EACH, async ({ state, told, events, settlementState, nothing, sends: expected }) => {
    const reach: Reach | undefined = at.reach[state as VenueState];
    if (reach !== undefined && 'cannot' in reach) {
      expect(reach.cannot).toMatch(/\w/);
      return;
    }
    const tenant = await newTenant();
    const orderId = await bring(tenant, state);
    if (reach?.end !== undefined) {
      await lookedUp(orderId);
    }
    expect(await tenant.told(orderId)).toEqual(told);
    // a trade at Polymarket is confirmed after the first answer, so the order is completed later (contract 26.12)
    const later = state === 'filled' && at.venue === 'polymarket' ? ['order.completed'] : [];
    expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', ...events, ...later]);
    const order = await tenant.read(orderId);
    expect(order.settlementState).toBe(settlementState);
    expect(order.operatorMoney.authorizationAmount).toBe('10.00');
    if (nothing) {
      expect(order.operatorMoney).toMatchObject(NOTHING_BOOKED);
    } else {
      expect(order.operatorMoney.actualDebit).not.toBe('0.00');
    }
    expect(sends).toBe(expected);
    expect(await tenant.audit()).toEqual([]);
    at.calm();
    if (reach?.end !== undefined) {
      await lookUpNow(orderId);
      await settled(tenant, orderId, reach.end, 'resolved');
      expect((await tenant.told(orderId)).at(-1)).toBe(`${order.status}>${reach.end}`);
      expect((await tenant.read(orderId)).settlementState).toBe('settled');
      expect(sends).toBe(expected);
      expect(await tenant.audit()).toEqual([]);
    }
    await agreed();
  });

  test('with reserveReference it is confirmed, sent and filled in the same call, or answered later', EACH, async () => {
    const tenant = await newTenant();
    const placed = await tenant.place('ana', HELD);
    expect([201, 409]).toContain(placed.status);
    const orderId: string = placed.body.orderId ?? placed.body.details?.orderId;
    await settled(tenant, orderId, 'filled', 'resolved');
    expect((await tenant.told(orderId)).slice(0, 2)).toEqual([
      '>pending_venue_execution',
      'pending_venue_execution>submitted',
    ]);
    expect(await tenant.audit()).toEqual([]);
    await agreed();
  });

  test('silence is 409, stays submitted, and the authorization stays held', EACH, async () => {
    const tenant = await newTenant();
    const silent = at.reach['submitted, silent'];
    expect(silent).toHaveProperty('arm');
    const before = at.orders();
    const advanced = (reach: Reach) =>
      until(
        () => at.orders(),
        (orders) => orders > before,
        SLOWEST_MS,
      ).then('arm' in reach ? reach.advance : undefined);
    if ('arm' in silent) {
      silent.arm();
    }
    const [refused] = await Promise.all([tenant.place('ana', HELD), advanced(silent)]);
    expect([refused.status, refused.body.error]).toEqual([409, 'reconciliation_required']);
    const order = await tenant.read(refused.body.orderId);
    expect(order).toMatchObject({ status: 'submitted', settlementState: 'pending', transmissionState: 'unknown' });
    expect(order.operatorMoney.authorizationAmount).toBe('10.00');
    expect((await tenant.cancel(refused.body.orderId)).body.error).toBe('order_not_cancellable');
    expect(await tenant.audit()).toEqual([]);
    at.calm();
    await lookUpNow(refused.body.orderId);
    await settled(tenant, refused.body.orderId, 'filled', 'resolved');
    expect(sends).toBe(1);
    await agreed();
  });

  test(
    'with a shut gate it stays where it is, behind either gate; a second confirmation is the first',
    EACH,
    async () => {
      const gated = [await newTenant({ arming: 'manual' }), await newTenant()] as const;
      await gated[1].set('execution_confirmed', false);
      const orders = await Promise.all(gated.map((tenant) => confirmed(tenant)));
      await timePasses(1_000);
      for (const [index, tenant] of gated.entries()) {
        const orderId = orders[index] ?? '';
        expect((await tenant.confirm(orderId)).status).toBe(200);
        const order = await tenant.read(orderId);
        expect(order).toMatchObject({ status: 'pending_venue_execution', transmissionState: 'not_transmitted' });
        expect((await tenant.cancel(orderId)).body).toMatchObject({ actualDebit: '0.00', releaseAmount: '10.00' });
        expect(await tenant.told(orderId)).toHaveLength(3);
        expect(await tenant.audit()).toEqual([]);
      }
      expect(sends).toBe(0);
    },
  );

  test('one whose reserve is not confirmed is never sent, whatever gates are open', EACH, async () => {
    const tenant = await newTenant();
    const orderId = await record(tenant);
    await timePasses(1_000);
    expect((await tenant.read(orderId)).status).toBe('reserve_pending');
    expect(sends).toBe(0);
  });

  test('a cap breach withdraws it while it waits', EACH, async () => {
    const tenant = await newTenant();
    await tenant.set('execution_confirmed', false);
    const orderId = await confirmed(tenant);
    await tenant.set('max_order_minor', 999n);
    await tenant.set('execution_confirmed', true);
    const order = await settled(tenant, orderId, 'cancelled', 'not_transmitted');
    expect(order.intent).toMatchObject({ reason: 'over_order_limit', releaseAmount: '10.00' });
    expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', 'order.cancelled']);
    expect(sends).toBe(0);
    expect(await tenant.audit()).toEqual([]);
  });

  test('a refused one keeps its key: a retry is the same order', EACH, async () => {
    const tenant = await newTenant();
    const { rejected } = at.reach;
    expect(rejected).toHaveProperty('arm');
    if ('arm' in rejected) {
      rejected.arm();
    }
    const quoted = await tenant.quote('ana');
    const body = { quoteId: quoted.body.quoteId, clientOrderId: 'once', ...HELD };
    const first = await tenant.order('ana', body);
    expect(first.body.status, first.text).toBe('rejected');
    at.calm();
    const again = await tenant.order('ana', body);
    expect([again.status, again.body]).toEqual([200, { ...first.body, idempotentReplay: true }]);
    expect(sends).toBe(1);
    expect(await tenant.audit()).toEqual([]);
  });

  test('the comparison with the account is clean after all of that', EACH, async () => {
    const since = new Date();
    const compared = async () =>
      (await live.service.sql`select from venue_accounts where compared_at > ${since}`).length;
    await until(async () => expect(await compared()).toBe(1), SLOWEST_MS);
    const findings = async () => [
      ...(await live.service.sql`select kind, subject, raw from venue_findings where cleared_at is null`),
    ];
    await until(async () => expect(await findings()).toEqual([]), SLOWEST_MS);
  });
});
