/**
 * One seed of simulated trading: customers, workers that crash at any call and a venue that tells what it likes, taken turn by
 * turn; then calm workers end what is left, and what was booked is held against what happened at the venue.
 */
import { expect } from 'vitest';
import { systemTicks } from '../../src/core/clock.ts';
import { Refusal } from '../../src/core/errors.ts';
import type { Sql } from '../../src/db/client.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { confirmReserve } from '../../src/trading/confirm-reserve.ts';
import { issueQuote, type Trader } from '../../src/trading/issue-quote.ts';
import { openOrderBasis } from '../../src/trading/order-basis.ts';
import type { MoveOrder } from '../../src/trading/order-move.ts';
import { openOrders } from '../../src/trading/orders.ts';
import { placeOrder } from '../../src/trading/place-order.ts';
import { openHoldingVenues } from '../../src/trading/positions.ts';
import { openQuoteMemory } from '../../src/trading/quote-memory.ts';
import { openQuotes } from '../../src/trading/quotes.ts';
import { openRecording, recordExecution } from '../../src/trading/record-execution.ts';
import { resolveUnknown } from '../../src/trading/resolve-unknown.ts';
import { type Attempt, listWaiting } from '../../src/trading/transmissions.ts';
import { transmitOrder } from '../../src/trading/transmit-order.ts';
import { cancelOrder } from '../../src/trading/withdraw-order.ts';
import { dueAt } from '../support/due-attempt.ts';
import type { TestMarket } from '../support/market.ts';
import { type Chance, openChance } from '../support/random.ts';
import { OPEN_GATE, onlyVenue, ScriptedVenue } from '../support/scripted-venue.ts';
import type { TestService } from '../support/service.ts';
import { SimulatedVenue } from '../support/simulated-venue.ts';
import { type Gate, Turns } from '../support/turns.ts';

/** What every process of the simulation shares: the database, the board and the parts over them. */
export function openShared({ context }: TestService) {
  const { sql, board, clock, log } = context;
  return {
    board,
    clock,
    gate: OPEN_GATE,
    ticks: systemTicks,
    log,
    issue: openQuotes(sql),
    holdingVenues: openHoldingVenues(sql),
    gather: openOrderBasis(sql),
    place: openOrders(sql),
    memory: openQuoteMemory(),
    ...openRecording(sql),
  };
}

export type Shared = ReturnType<typeof openShared>;

const EVERYTHING = { categories: null, eventIds: null };

/** The process is gone: what it had in memory with it. */
class Crash extends Error {}

export class Simulation {
  readonly shared: Shared;
  readonly markets: readonly TestMarket[];
  readonly chance: Chance;
  readonly turns: Turns;
  readonly venue: SimulatedVenue;
  readonly operator: Operator;
  readonly trader: (user: string) => Trader;
  readonly orders: string[] = [];
  keys = 0;

  constructor(seed: number, operator: Operator, shared: Shared, markets: readonly TestMarket[]) {
    this.shared = shared;
    this.markets = markets;
    this.chance = openChance(seed);
    this.turns = new Turns(this.chance);
    this.venue = new SimulatedVenue(this.chance);
    this.operator = operator;
    this.trader = (externalUserId) => ({ operator, externalUserId, offering: EVERYTHING });
  }

  /** What one process sees of the world: each call is a turn, and it may die before or after it. */
  world(gate: Gate, crashes: number) {
    const { chance, venue } = this;
    const through = async <T>(call: () => PromiseLike<T> | T): Promise<T> => {
      await gate();
      if (chance.happens(crashes)) {
        throw new Crash();
      }
      const answer = await call();
      if (chance.happens(crashes)) {
        throw new Crash();
      }
      return answer;
    };
    const sql = new Proxy(this.shared.sql, {
      apply: (target, self, args) => through(() => Reflect.apply(target, self, args) as PromiseLike<unknown>),
    }) as Sql;
    const rules = new ScriptedVenue();
    const port = Object.assign(rules, {
      placeOrder: (order: Parameters<SimulatedVenue['place']>[0]) =>
        through(() => {
          if (chance.happens(0.08)) {
            return venue.silence();
          }
          const answer = venue.place(order);
          return chance.happens(0.2) ? venue.silence() : answer;
        }),
      fills: (ourId: string) =>
        through(() =>
          chance.happens(0.15) ? venue.silence() : (venue.truths.get(ourId)?.history.at(-1)?.fills ?? []),
        ),
      findOrder: (ourId: string) => through(() => (chance.happens(0.15) ? venue.silence() : venue.find(ourId))),
    });
    const move: MoveOrder = (one) => through(() => this.shared.move(one));
    return { ...this.shared, sql, move, venues: onlyVenue(port) };
  }

  start(name: string, work: (world: ReturnType<Simulation['world']>) => Promise<unknown>, crashes = 0): void {
    this.turns.start(name, async (gate) => {
      try {
        await work(this.world(gate, crashes));
      } catch (error) {
        if (!(error instanceof Crash || error instanceof Refusal)) {
          throw error;
        }
        if (error instanceof Refusal && error.code === 'internal_error') {
          throw error;
        }
      }
    });
  }

  buy(): void {
    const { chance } = this;
    const user = chance.pick(['ana', 'ben']);
    const request = {
      contractId: chance.pick(this.markets).contractId,
      side: chance.pick(['YES', 'NO'] as const),
      action: 'buy' as const,
      size: chance.pick([2, 3.33, 7.01, 10, 25.5]),
    };
    this.keys += 1;
    const clientOrderId = `k${this.keys}`;
    const reserveReference = chance.happens(0.6) ? 'r' : null;
    const again = chance.happens(0.15);
    this.start('buy', async (world) => {
      const quote = await issueQuote(world, this.trader(user), request);
      const order = liveOrder(quote.quoteId, clientOrderId, reserveReference);
      const placed = await placeOrder(world, this.trader(user), order);
      this.orders.push(placed.order.order_id);
      if (again) {
        const replayed = await placeOrder(world, this.trader(user), order);
        expect([replayed.replay, replayed.order.order_id]).toEqual([true, placed.order.order_id]);
      }
    });
  }

  sell(): void {
    const { chance, operator } = this;
    const share = chance.pick([1, 1, 0.5, 0.31]);
    this.keys += 1;
    const clientOrderId = `k${this.keys}`;
    const reserveReference = chance.happens(0.7) ? 'r' : null;
    const which = chance.below(1000);
    this.start('sell', async (world) => {
      const rows = await this.shared.sql<
        { external_user_id: string; contract_id: string; side: 'YES' | 'NO'; free: bigint }[]
      >`
        select external_user_id, contract_id, side, quantity - held_quantity as free from positions
        where operator_id = ${operator.operatorId} and status = 'open' and quantity > held_quantity order by position_id`;
      const held = rows[which % Math.max(1, rows.length)];
      if (held === undefined) {
        return;
      }
      const size = Math.max(1, Math.floor(Number(held.free) * share)) / 1e6;
      const trader = this.trader(held.external_user_id);
      const quote = await issueQuote(world, trader, {
        contractId: held.contract_id,
        side: held.side,
        action: 'sell',
        size,
      });
      const order = liveOrder(quote.quoteId, clientOrderId, reserveReference);
      this.orders.push((await placeOrder(world, trader, order)).order.order_id);
    });
  }

  onOrder(name: 'confirm' | 'cancel'): void {
    if (this.orders.length === 0) {
      return;
    }
    const orderId = this.chance.pick(this.orders);
    this.start(
      name,
      (world) =>
        name === 'confirm'
          ? confirmReserve(world, this.operator, orderId, 'later')
          : cancelOrder(world, this.operator, orderId),
      0.05,
    );
  }

  /** One worker takes what waits; another may do so at the same time. */
  transmit(crashes = 0.08): void {
    this.start(
      'transmit',
      async (world) => {
        const waiting = await listWaiting(this.shared.sql, 5000);
        for (const order of waiting.filter((one) => one.operator_id === this.operator.operatorId).slice(0, 3)) {
          await transmitOrder(world, order);
        }
      },
      crashes,
    );
  }

  async attempts(): Promise<Attempt[]> {
    return this.shared.sql<Attempt[]>`
      select * from transmissions where operator_id = ${this.operator.operatorId} and state <> 'done' order by order_id`;
  }

  resolve(crashes = 0.08): void {
    const which = this.chance.below(1000);
    this.start(
      'resolve',
      async (world) => {
        const open = await this.attempts();
        const attempt = open[which % Math.max(1, open.length)];
        if (attempt !== undefined) {
          await resolveUnknown(world, dueAt(attempt, new Date(Date.now() + this.venue.jumped)));
        }
      },
      crashes,
    );
  }

  /** The venue's word arrives once more by another way, new or old. */
  deliver(): void {
    const ids = [...this.venue.truths.keys()];
    if (ids.length === 0) {
      return;
    }
    const ourId = this.chance.pick(ids);
    const order = this.venue.tell(ourId);
    this.start('deliver', async (world) => {
      const [row] = await this.shared.sql<
        { order_id: string }[]
      >`select order_id from transmissions where our_id = ${ourId}`;
      if (row !== undefined && order !== undefined) {
        await recordExecution(world, this.operator.operatorId, row.order_id, this.operator.mode, {
          from: 'venue',
          order,
        });
      }
    });
  }

  settle(): void {
    const which = this.chance.below(1000);
    const resolution = this.chance.pick(['YES', 'NO', 'VOID', 'SPLIT'] as const);
    this.start('settle', async (world) => {
      const rows = await this.shared.sql<{ operator_id: string; position_id: string }[]>`
        select operator_id, position_id from positions where operator_id = ${this.operator.operatorId} and status = 'open' order by position_id`;
      const position = rows[which % Math.max(1, rows.length)];
      if (position !== undefined) {
        await payPosition(world.sql, position, resolution, resolution === 'SPLIT' ? 400_000n : null);
      }
    });
  }

  switch(): void {
    const [column, value] = this.chance.pick([
      ['trading_paused', true],
      ['trading_paused', false],
      ['execution_confirmed', false],
      ['execution_confirmed', true],
      ['player_orders', 3],
      ['player_orders', null],
      ['total_exposure_minor', 3_000n],
      ['total_exposure_minor', null],
    ] as const);
    this.start(`set ${column}`, (world) => this.set(world.sql, column, value));
  }

  async set(sql: Sql, column: string, value: unknown): Promise<void> {
    await sql`update operators set ${this.shared.sql({ [column]: value } as never)} where operator_id = ${this.operator.operatorId}`;
  }

  async run(): Promise<void> {
    const { chance, turns, venue } = this;
    const actions: readonly (readonly [weight: number, act: () => void])[] = [
      [14, () => this.buy()],
      [8, () => this.sell()],
      [7, () => this.onOrder('confirm')],
      [5, () => this.onOrder('cancel')],
      [18, () => this.transmit()],
      [18, () => this.resolve()],
      [8, () => this.deliver()],
      [6, () => this.settle()],
      [2, () => this.switch()],
      [14, () => venue.truths.size > 0 && venue.move(chance.pick([...venue.truths.keys()]))],
      [
        2,
        () => {
          venue.jumped += 100_000;
        },
      ],
    ];
    const bag = actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    for (let left = 14 + chance.below(22); left > 0; left -= 1) {
      chance.pick(bag)();
      while (turns.waiting > 0 && (turns.waiting > 3 || chance.happens(0.6))) {
        await turns.turn();
      }
    }
    await turns.finish();
    await this.drain();
  }

  /** The gates are opened, the venue ends everything, and calm workers do what is left. */
  async drain(): Promise<void> {
    const { venue } = this;
    await this.set(this.shared.sql, 'trading_paused', false);
    await this.set(this.shared.sql, 'execution_confirmed', true);
    venue.finish();
    for (let round = 0; round < 60; round += 1) {
      this.transmit(0);
      await this.turns.finish();
      venue.finish();
      if (round === 5) {
        venue.jumped += 200_000;
      }
      for (const attempt of await this.attempts()) {
        this.start('resolve', (world) => resolveUnknown(world, dueAt(attempt, new Date(Date.now() + venue.jumped))));
      }
      await this.turns.finish();
      const [left] = await this.shared.sql`
        select count(*)::int as open from orders where operator_id = ${this.operator.operatorId}
          and (transmission_state = 'unknown' or status = 'pending_venue_execution')`;
      if (left?.['open'] === 0) {
        await this.settleAll();
        return;
      }
    }
    expect.fail('orders that never end');
  }

  /** With nothing open any more every position settles, but for those that an unconfirmed sell holds. */
  async settleAll(): Promise<void> {
    const rows = await this.shared.sql<{ operator_id: string; position_id: string }[]>`
      select operator_id, position_id from positions
      where operator_id = ${this.operator.operatorId} and status = 'open' and held_quantity = 0 order by position_id`;
    const split = this.chance.happens(0.3);
    const resolution = split ? ('SPLIT' as const) : this.chance.pick(['YES', 'NO', 'VOID'] as const);
    for (const expected of [1, 0]) {
      for (const row of rows) {
        expect(await payPosition(this.shared.sql, row, resolution, split ? 123_456n : null)).toBe(expected);
      }
    }
  }
}

/** Pays one position as a settlement does, while its market goes on. @returns how many were settled. */
async function payPosition(
  sql: Sql,
  position: { readonly operator_id: string; readonly position_id: string },
  resolution: 'YES' | 'NO' | 'VOID' | 'SPLIT',
  yesWorth: bigint | null,
): Promise<number> {
  const rows = await sql`
    select y.position_id
    from (select k.operator_id, p.position_id from positions p join customers k using (operator_id, external_user_id)
      where p.operator_id = ${position.operator_id} and p.position_id = ${position.position_id} for no key update of k) k
      cross join lateral pay_positions(k.operator_id, array[k.position_id::text], ${resolution}, ${yesWorth}, false) y`;
  return rows.length;
}

function liveOrder(quoteId: string, clientOrderId: string, reserveReference: string | null) {
  return { quoteId, clientOrderId, intent: 'record_intent' as const, reserveReference, slippageMicros: 0n };
}
