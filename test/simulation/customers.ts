/** What customers, their operator and people at the service do in a simulated world, each through a real process of the service. */
import assert from 'node:assert/strict';
import { Refusal } from '../../src/core/errors.ts';
import type { Sql } from '../../src/db/client.ts';
import { isDatabaseAway } from '../../src/db/database-errors.ts';
import { pauseMarket, resolveMarket, resumeMarket } from '../../src/markets/decisions.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { resumeTrading } from '../../src/trading/account/venue-findings.ts';
import { createRecordPorts, resolveByPerson } from '../../src/trading/execution/record-execution.ts';
import { listStuck } from '../../src/trading/orders/read-orders.ts';
import type { Trading } from '../../src/trading/trading.ts';
import type { TestMarket } from '../support/market.ts';
import type { Chance } from '../support/random.ts';
import type { Exchange } from './exchange.ts';
import type { ApiParts, Member } from './members.ts';
import { ProcessDied, type SimulatedProcess } from './process.ts';
import { simulatedSql } from './simulated-sql.ts';

const TRIES = 4;
/** So often a look-up finds nothing before a person asks. */
const LOOKED_UP = 20;
const EVERYTHING = { categories: null, eventIds: null };

interface Cast {
  readonly chance: Chance;
  readonly operator: Operator;
  readonly markets: readonly TestMarket[];
  readonly apis: readonly Member<ApiParts>[];
  /** The command line of the service operator. */
  readonly desk: SimulatedProcess;
  /** Markets resolve otherwise after they were paid. */
  readonly revises: boolean;
  readonly failedOver: () => boolean;
}

/** What nobody should ever see; the world ends with it. */
export type Fault = (error: unknown) => void;

export class Customers {
  readonly #cast: Cast;
  readonly #fault: Fault;
  /** The order that each client order id was answered with. */
  readonly answered = new Map<string, string>();
  /** Requests that are under way. */
  waiting = 0;
  readonly #resolutions = new Map<string, 'YES' | 'NO' | 'VOID' | 'SPLIT'>();
  #keys = 0;

  constructor(cast: Cast, fault: Fault) {
    this.#cast = cast;
    this.#fault = fault;
  }

  act(): void {
    const { chance } = this.#cast;
    const weights = [
      [40, () => this.#buy()],
      [20, () => this.#sell()],
      [12, () => this.#confirm()],
      [6, () => this.#cancel()],
      [1, () => this.#resolve()],
      [1, () => this.#pause()],
      [3, () => this.#switch()],
    ] as const;
    let at = chance.below(weights.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, act] of weights) {
      at -= weight;
      if (at < 0) {
        this.#begin(act);
        return;
      }
    }
  }

  /** Opens every gate, so that what was confirmed can go. */
  openGates(): void {
    const { operator } = this.#cast;
    this.#begin(() =>
      this.#asServiceOperator(
        'open the gates',
        (sql) =>
          sql`update operators set trading_paused = false, execution_confirmed = true where operator_id = ${operator.operatorId}`,
      ),
    );
  }

  /** A fail-over that lost an order stops trading at the venue that has it, until a person has looked. */
  resumeVenues(venues: readonly string[]): void {
    // without one, trading must not have stopped, and a seed in which it has does not end
    if (!this.#cast.failedOver()) {
      return;
    }
    for (const venue of venues) {
      this.#begin(() => this.#asServiceOperator('resume the venue', (sql) => resumeTrading(sql, venue)));
    }
  }

  /**
   * At an exchange that never took an order of ours no list shows that it works, and two orders that were lost in opposite directions
   * hide each other in the position: a person asks the exchange, and ends them.
   */
  endLost(exchanges: readonly Exchange[]): void {
    const silent = new Set(exchanges.filter(({ taken }) => taken.size === 0).map(({ name }) => name));
    this.#begin(() =>
      this.#asServiceOperator('end what was lost', async (sql) => {
        for (const order of (await listStuck(sql)).filter(
          ({ venue, lookups }) => silent.has(venue) && lookups !== null && lookups > LOOKED_UP,
        )) {
          await resolveByPerson(createRecordPorts(sql), order, { rejected: true }, 'the exchange has no such order');
        }
      }),
    );
  }

  resumeMarkets(): void {
    for (const { contractId } of this.#cast.markets) {
      this.#begin(() => this.#asServiceOperator('resume', (sql) => resumeMarket(sql, contractId)));
    }
  }

  resolveAll(): void {
    for (const market of this.#cast.markets) {
      this.#begin(() => this.#resolve(market));
    }
  }

  #begin(act: () => Promise<unknown>): void {
    this.waiting += 1;
    act()
      .catch((error: unknown) => {
        const expected =
          error instanceof ProcessDied ||
          isDatabaseAway(error) ||
          (error instanceof Refusal && error.code !== 'internal_error');
        if (!expected) {
          this.#fault(error);
        }
      })
      .finally(() => {
        this.waiting -= 1;
      });
  }

  /** Asks any API process that answers; as a partner does, again where one did not. */
  async #ask<T>(what: string, work: (trading: Trading) => Promise<T>): Promise<T> {
    const { chance, apis } = this.#cast;
    for (let tries = 1; ; tries += 1) {
      const ready = apis.filter(({ parts, process }) => parts !== undefined && !process.dead);
      if (ready.length === 0) {
        throw new ProcessDied('every API process');
      }
      const api = chance.pick(ready);
      try {
        return await api.process.ask(what, () => work((api.parts as ApiParts).trading));
      } catch (error) {
        if (tries === TRIES || !(error instanceof ProcessDied || isDatabaseAway(error))) {
          throw error;
        }
      }
    }
  }

  #asServiceOperator<T>(what: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const { desk } = this.#cast;
    return desk.ask(what, async () => work(simulatedSql(desk)));
  }

  async #buy(): Promise<void> {
    const { chance, markets } = this.#cast;
    await this.#trade(chance.pick(['ana', 'ben', 'cleo']), {
      contractId: chance.pick(markets).contractId,
      side: chance.pick(['YES', 'NO'] as const),
      action: 'buy' as const,
      size: chance.pick([2, 3.33, 7.01, 10, 25.5]),
    });
  }

  async #sell(): Promise<void> {
    const { chance, operator } = this.#cast;
    const which = chance.below(1000);
    const share = chance.pick([1, 1, 0.5, 0.31]);
    const rows = await this.#asServiceOperator(
      'read positions',
      (sql) => sql<{ externalUserId: string; contractId: string; side: 'YES' | 'NO'; free: bigint }[]>`
        select external_user_id, contract_id, side, quantity_micros - held_quantity_micros as free from positions
        where operator_id = ${operator.operatorId} and status = 'open' and quantity_micros > held_quantity_micros order by position_id`,
    );
    const held = rows[which % Math.max(1, rows.length)];
    if (held !== undefined) {
      await this.#trade(held.externalUserId, {
        contractId: held.contractId,
        side: held.side,
        action: 'sell',
        size: Math.max(1, Math.floor(Number(held.free) * share)) / 1e6,
      });
    }
  }

  async #trade(
    externalUserId: string,
    request: { contractId: string; side: 'YES' | 'NO'; action: 'buy' | 'sell'; size: number },
  ): Promise<void> {
    const { chance, operator } = this.#cast;
    const trader = { operator, externalUserId, offering: EVERYTHING };
    this.#keys += 1;
    const clientOrderId = `k${this.#keys}`;
    const reserveReference = chance.happens(0.8) ? 'r' : null;
    const again = chance.happens(0.15);
    const quote = await this.#ask('quote', (trading) => trading.issueQuote(trader, request));
    const order = {
      quoteId: quote.quoteId,
      clientOrderId,
      intent: 'record_intent' as const,
      reserveReference,
      slippageMicros: 0n,
    };
    const place = async () => {
      try {
        const { order: made } = await this.#ask('order', (trading) => trading.placeOrder(trader, order));
        this.#note(clientOrderId, made.orderId);
      } catch (error) {
        if (error instanceof Refusal && typeof error.extra['orderId'] === 'string') {
          this.#note(clientOrderId, error.extra['orderId']);
        }
        throw error;
      }
    };
    await place();
    if (again) {
      await place();
    }
  }

  /** One key is one order, whoever answers and however often. */
  #note(clientOrderId: string, orderId: string): void {
    const before = this.answered.get(clientOrderId) ?? orderId;
    this.answered.set(clientOrderId, before);
    if (this.#cast.failedOver()) {
      // an order that the database lost may be placed again under its key
      return;
    }
    assert.equal(orderId, before, `two orders of the key ${clientOrderId}`);
  }

  async #confirm(): Promise<void> {
    const { chance, operator } = this.#cast;
    if (this.answered.size > 0) {
      const orderId = chance.pick([...this.answered.values()]);
      await this.#ask('confirm', (trading) => trading.confirmReserve(operator, orderId, 'later'));
    }
  }

  async #cancel(): Promise<void> {
    const { chance, operator } = this.#cast;
    if (this.answered.size > 0) {
      const orderId = chance.pick([...this.answered.values()]);
      await this.#ask('cancel', (trading) => trading.cancelOrder(operator, orderId));
    }
  }

  /** A market resolves once, and otherwise later only where the plan says so. */
  async #resolve(market: TestMarket = this.#cast.chance.pick(this.#cast.markets)): Promise<void> {
    const { chance, revises } = this.#cast;
    const drawn = chance.pick(['YES', 'NO', 'VOID', 'SPLIT'] as const);
    const resolution = revises ? drawn : (this.#resolutions.get(market.contractId) ?? drawn);
    this.#resolutions.set(market.contractId, resolution);
    const splitYesMicros = resolution === 'SPLIT' ? 400_000n : null;
    await this.#asServiceOperator('resolve', (sql) =>
      resolveMarket(sql, market.contractId, { resolution, splitYesMicros }),
    );
  }

  async #pause(): Promise<void> {
    const { chance, markets } = this.#cast;
    const { contractId } = chance.pick(markets);
    const act = chance.pick([pauseMarket, resumeMarket, resumeMarket]);
    await this.#asServiceOperator('pause', (sql) => act(sql, contractId));
  }

  async #switch(): Promise<void> {
    const { chance, operator } = this.#cast;
    const [column, value] = chance.pick([
      ['trading_paused', true],
      ['trading_paused', false],
      ['trading_paused', false],
      ['execution_confirmed', false],
      ['execution_confirmed', true],
      ['execution_confirmed', true],
      ['player_orders', 3],
      ['player_orders', null],
      ['total_exposure_minor', 3_000n],
      ['total_exposure_minor', null],
    ] as const);
    await this.#asServiceOperator(
      `set ${column}`,
      (sql) =>
        sql`update operators set ${sql({ [column]: value } as never)} where operator_id = ${operator.operatorId}`,
    );
  }
}
