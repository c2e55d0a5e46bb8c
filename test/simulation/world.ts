/** One seed from its first event to its last: a deployment in which things go wrong, and then a calm in which all must end well. */
import assert from 'node:assert/strict';
import type { Sql } from '../../src/db/client.ts';
import { moveCollateral } from '../../src/ledger/move-collateral.ts';
import { createOperator } from '../../src/operators/create-operator.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { type Chance, openChance } from '../support/random.ts';
import { checkBooks } from './checks.ts';
import { Customers } from './customers.ts';
import { Exchange, SOUND_EXCHANGE } from './exchange.ts';
import { booksOfExchange, confirmBooks, openMarkets } from './markets.ts';
import { type Member, openApi, openWorker } from './members.ts';
import { Network } from './network.ts';
import { drawPlan, type Plan } from './plan.ts';
import { type Machine, SimulatedProcess } from './process.ts';
import { Queue } from './queue.ts';
import type { Reached } from './reached.ts';
import { Receiver, SOUND_RECEIVER } from './receiver.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { LATE, SOUND_DATABASE, simulatedSql } from './simulated-sql.ts';
import { NO_FAULTS } from './wire.ts';

const MOST_TURNS = 100_000;
/** Each goes on to the next event. A look-up that failed often waits for minutes, and a relay polls ten times a second. */
const CALM_STEPS = 4_000;
const FREEZES_MS = [500, 3_000, 9_000, 40_000, 110_000] as const;
/** A delivery that failed often waits for hours. */
const LEAPS_MS = [0, 0, 60_000, 3_600_000] as const;
const RESTART_MS = 1_500;
/** Share of steps that are followed by another one before the next action. */
const STEPS_ON = 0.97;
/** Steps after the last action, in which things still go wrong. */
const STORM_STEPS = 150;

export class World {
  /** The operator's id, once there is one. */
  operatorId = '';
  readonly chance: Chance;
  readonly queue: Queue;
  readonly plan: Plan;
  readonly network: Network;
  readonly exchange: Exchange;
  readonly receiver: Receiver;
  readonly books = booksOfExchange();
  #venueAheadMs = 0;
  #snapshotStep = 0;
  #failOverStep = 0;
  #steps = 0;
  #turns = 0;
  #deaths = 0;
  #freezes = 0;
  #failure: unknown;
  #members: Member<unknown>[] = [];

  constructor(seed: number, database: SimulatedDatabase, startMs: number) {
    this.chance = openChance(seed);
    this.plan = drawPlan(this.chance);
    this.#venueAheadMs = this.plan.venueAheadMs;
    if (this.plan.failsOver) {
      this.#snapshotStep = 20 + this.chance.below(200);
      this.#failOverStep = this.#snapshotStep + 5 + this.chance.below(80);
    }
    this.queue = new Queue(this.chance, startMs);
    this.network = new Network(this.queue, database);
    this.exchange = new Exchange('paper', this.chance, () => this.queue.nowMs + this.#venueAheadMs);
    this.receiver = new Receiver(this.chance);
    this.network.hosts.set(this.exchange.origin, (request) => this.exchange.answer(request));
    this.network.hosts.set(this.receiver.origin, (request) => this.receiver.answer(request));
  }

  /** @throws what the seed shows to be wrong. */
  async run(): Promise<void> {
    const { plan, network } = this;
    await network.setTime();
    const desk = new SimulatedProcess('desk', network, { aheadMs: 0, drift: 0, disk: new Map() });
    const operator = await this.#first(desk, (sql) => this.#openOperator(sql));
    const markets = await this.#first(desk, openMarkets);
    const apis = this.#open('api', plan.apis, openApi);
    const workers = this.#open('worker', plan.workers, (...where) =>
      openWorker(...where, { webhooks: plan.receiver !== null, books: plan.ingests ? this.books : null }),
    );
    const customers = new Customers(
      {
        chance: this.chance,
        operator,
        markets,
        apis,
        desk,
        revises: plan.revises,
        failedOver: () => network.epoch > 0,
      },
      (error) => {
        this.#failure ??= error;
      },
    );
    await this.#until(() => apis.every(({ parts }) => parts !== undefined), 'every API process starts');
    if (plan.warmsUp) {
      await this.#until(() => workers.every(({ parts }) => parts !== undefined), 'every worker starts');
      await this.#turnAll();
    }
    this.#unsettle();
    await this.#trade(customers);
    this.#settleDown();
    await this.#end(customers);
    await checkBooks(network.sql, operator.operatorId, this.exchange, network.epoch > 0);
  }

  reached(): Reached {
    const repeated = [...this.exchange.arrivals.values()].filter((count) => count > 1).length;
    return {
      failovers: this.network.epoch,
      deaths: this.#deaths,
      restarts: this.#members.reduce((sum, { starts }) => sum + starts - 1, 0),
      freezes: this.#freezes,
      too_many_requests: this.exchange.tooMany,
      late_fees: this.exchange.lateFees,
      sends_repeated_by_the_network: repeated,
      leaderships: this.books.leaderships,
      leases_lost: this.books.lost,
      board_writes_refused: this.books.refused,
      events_delivered: this.receiver.acknowledged.size,
      events_delivered_again: [...this.receiver.acknowledged.values()].filter((count) => count > 1).length,
      deliveries_refused: this.receiver.refused,
    };
  }

  /** Does what comes before everything else. */
  async #first<T>(desk: SimulatedProcess, work: (sql: Sql) => Promise<T>): Promise<T> {
    let done = false;
    const result = desk
      .ask('prepare', () => work(simulatedSql(desk)))
      .finally(() => {
        done = true;
      });
    result.catch(() => {});
    await this.#until(() => done, 'what comes first is done');
    return result;
  }

  async #openOperator(sql: Sql): Promise<Operator> {
    const operator = await createOperator(sql, {
      slug: 'operator',
      mode: this.plan.mode,
      platformFeeBps: this.chance.pick([0, 200, 777]),
      executionConfirmed: true,
    });
    if (this.plan.mode === 'live') {
      await moveCollateral(sql, operator.operatorId, 'deposit', this.chance.pick([3_000n, 20_000n]));
    }
    this.operatorId = operator.operatorId;
    if (this.plan.receiver !== null) {
      await this.receiver.register(sql, operator.operatorId);
    }
    return operator;
  }

  #open<T>(
    kind: string,
    count: number,
    open: (name: string, network: Network, machine: Machine) => Member<T>,
  ): Member<T>[] {
    const opened = Array.from({ length: count }, (_, index) =>
      open(`${kind}${index + 1}`, this.network, this.plan.machines()),
    );
    this.#members.push(...opened);
    return opened;
  }

  #unsettle(): void {
    const { plan, network, exchange } = this;
    network.databaseFaults = plan.database;
    network.httpFaults = plan.http;
    network.refusedConnections = plan.refusedConnections;
    network.slowConnections = plan.refusedConnections;
    network.lostNotifications = plan.lostNotifications;
    exchange.faults = plan.exchange;
    this.receiver.faults = plan.receiver ?? SOUND_RECEIVER;
  }

  async #trade(customers: Customers): Promise<void> {
    const { chance, queue, plan } = this;
    for (let actions = plan.actions; actions > 0; actions -= 1) {
      customers.act();
      while (customers.waiting > 3 || (queue.waiting > 0 && chance.happens(STEPS_ON))) {
        await this.#step();
      }
    }
    for (let steps = STORM_STEPS; steps > 0; steps -= 1) {
      await this.#step();
    }
  }

  async #step(): Promise<void> {
    const { chance, queue, exchange, plan } = this;
    await this.#moveDatabase();
    if (chance.happens(plan.deaths)) {
      this.#kill(chance.pick(this.#members));
    }
    if (chance.happens(plan.freezes)) {
      this.#freezes += 1;
      chance.pick(this.#members).process.freeze(chance.pick(FREEZES_MS));
    }
    if (chance.happens(0.03) && exchange.taken.size > 0) {
      exchange.move(chance.pick([...exchange.taken.keys()]));
    }
    if (!queue.busy || chance.happens(0.02)) {
      await this.#passTime();
    } else {
      await this.#turn();
    }
  }

  /** Where the plan says so, the database goes back to an earlier state once, as a standby that lagged takes over. */
  async #moveDatabase(): Promise<void> {
    this.#steps += 1;
    if (this.#steps === this.#snapshotStep) {
      await this.network.snapshot();
    }
    if (this.#steps === this.#failOverStep) {
      this.queue.note('fail-over');
      await this.network.failOver();
    }
  }

  #kill(member: Member<unknown>): void {
    this.#deaths += 1;
    member.process.die();
    this.queue.post(`${member.name} starts again`, null, RESTART_MS, () => this.#revive());
  }

  #revive(): void {
    for (const member of this.#members) {
      if (member.process.dead) {
        member.start();
      }
    }
  }

  async #passTime(longestMs?: number): Promise<void> {
    this.queue.passTime(longestMs);
    this.#revive();
    if (this.plan.ingests) {
      if (this.chance.happens(0.3)) {
        this.books.move(this.chance);
      }
    } else if (this.chance.happens(0.7)) {
      await confirmBooks(this.network);
    }
  }

  async #turn(): Promise<boolean> {
    this.#turns += 1;
    assert.ok(this.#turns < MOST_TURNS, 'it never ends');
    const turned = await this.queue.turn();
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    return turned;
  }

  /** Until nothing is due any more. */
  async #turnAll(): Promise<void> {
    while (await this.#turn()) {
      // the next one
    }
  }

  async #until(done: () => boolean, what: string): Promise<void> {
    for (let steps = 0; !done(); steps += 1) {
      assert.ok(steps < 3_000, `${what} within a while`);
      if (!(await this.#turn())) {
        await this.#passTime(1_000);
      }
    }
  }

  #settleDown(): void {
    const { network, exchange } = this;
    network.databaseFaults = SOUND_DATABASE;
    network.httpFaults = NO_FAULTS;
    network.refusedConnections = 0;
    network.slowConnections = 0;
    network.lostNotifications = 0;
    exchange.faults = SOUND_EXCHANGE;
    this.receiver.faults = SOUND_RECEIVER;
    // clocks are set right, as nothing may be sent where they differ
    this.#venueAheadMs = 0;
    for (const { process } of this.#members) {
      process.thaw();
      process.machine.aheadMs = 0;
    }
  }

  /** Nothing goes wrong any more: every order must end, every market resolves and every position is paid. */
  async #end(customers: Customers): Promise<void> {
    await this.#calm(customers, 'what is under way ends', async () => []);
    // a statement of the past may still run after its caller gave up, and close a gate that was opened meanwhile
    while (this.queue.awaits(LATE)) {
      await this.#passTime(1_000);
      await this.#turn();
    }
    customers.openGates();
    customers.resumeMarkets();
    await this.#calm(
      customers,
      'every order ends',
      (sql) => sql`
      select order_id as id, status || ' ' || transmission_state as state from orders
      where operator_id = ${this.operatorId} and (transmission_state = 'unknown' or status = 'pending_venue_execution')`,
    );
    customers.resolveAll();
    await this.#calm(
      customers,
      'every position is paid and no order waits for a reserve',
      (sql) => sql`
      select position_id as id, status as state from positions where operator_id = ${this.operatorId} and status = 'open'
      union all
      select order_id, status from orders where operator_id = ${this.operatorId} and status = 'reserve_pending'`,
    );
    if (this.plan.ingests) {
      await this.#calm(customers, 'the board shows the books', (sql) => this.books.differences(sql));
    }
    if (this.plan.receiver !== null) {
      await this.#deliverAll(customers);
    }
  }

  async #deliverAll(customers: Customers): Promise<void> {
    const { acknowledged } = this.receiver;
    await this.#calm(
      customers,
      'every event is delivered',
      (sql) => sql`
      select o.event_id as id, coalesce(d.status, 'not queued') as state from outbox_events o
        left join webhook_deliveries d using (operator_id, event_id)
      where operator_id = ${this.operatorId} and (d.status is distinct from 'delivered' or event_id <> all (${[...acknowledged.keys()]}::text[]))`,
      LEAPS_MS,
    );
  }

  /** @param open reads what is not yet as it should be. */
  async #calm(
    customers: Customers,
    what: string,
    open: (sql: Sql) => PromiseLike<object[]>,
    leapsMs: readonly number[] = [0],
  ): Promise<void> {
    let left: object[] = [];
    for (let steps = 0; steps < CALM_STEPS; steps += 1) {
      await this.#turnAll();
      left = await open(this.network.sql);
      if (left.length === 0 && customers.waiting === 0) {
        return;
      }
      this.exchange.finish();
      this.queue.leap(this.chance.pick(leapsMs));
      await this.#passTime(this.chance.pick([1_000, 20_000]));
    }
    assert.fail(
      `${what}, once nothing goes wrong any more; left: ${JSON.stringify(left)}, ${customers.waiting} requests`,
    );
  }
}
