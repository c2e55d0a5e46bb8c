/** One seed from its first event to its last: a deployment in which things go wrong, and then a calm in which all must end well. */
import type { Sql } from '../../src/db/client.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { createOperator } from '../../src/operators/operators.ts';
import { type Chance, openChance } from '../support/random.ts';
import { calmDown } from './calm.ts';
import { checkBooks } from './checks.ts';
import { Course, type CourseParts } from './course.ts';
import { Customers } from './customers.ts';
import { Exchange } from './exchange.ts';
import { booksOfExchanges, openMarkets } from './markets.ts';
import { type Member, openApi, openWorker } from './members.ts';
import { Network } from './network.ts';
import { drawPlan } from './plan.ts';
import { type Machine, SimulatedProcess } from './process.ts';
import { Queue } from './queue.ts';
import type { Reached } from './reached.ts';
import { Receiver } from './receiver.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { simulatedSql } from './simulated-sql.ts';

/** Share of steps that are followed by another one before the next action. */
const STEPS_ON = 0.96;
/** Steps after the last action, in which things still go wrong. */
const STORM_STEPS = 120;

export class World {
  /** The operator's id, once there is one. */
  operatorId = '';
  readonly queue: Queue;
  readonly #parts: CourseParts;
  readonly #course: Course;
  readonly #venues: readonly string[];

  constructor(seed: number, database: SimulatedDatabase, startMs: number) {
    const chance: Chance = openChance(seed);
    const plan = drawPlan(chance);
    this.#venues = plan.exchanges.map(({ name }) => name);
    const queue = new Queue(chance, startMs);
    const network = new Network(queue, database);
    const receiver = new Receiver(chance);
    const exchanges = this.#venues.map(
      (name) => new Exchange(name, chance, () => queue.nowMs + (this.#course.aheadMs.get(name) ?? 0)),
    );
    for (const exchange of exchanges) {
      network.hosts.set(exchange.origin, (request) => exchange.answer(request));
    }
    network.hosts.set(receiver.origin, (request) => receiver.answer(request));
    this.queue = queue;
    this.#parts = { chance, plan, queue, network, receiver, exchanges, books: booksOfExchanges(this.#venues) };
    this.#course = new Course(this.#parts);
  }

  /** @throws what the seed shows to be wrong. */
  async run(): Promise<void> {
    const { plan, network, chance, books, exchanges } = this.#parts;
    const course = this.#course;
    await network.setTime();
    const desk = new SimulatedProcess('desk', network, { aheadMs: 0, drift: 0, disk: new Map() });
    const operator = await this.#first(desk, (sql) => this.#openOperator(sql));
    const { operatorId } = operator;
    const markets = await this.#first(desk, (sql) => openMarkets(sql, this.#venues));
    const apis = this.#open('api', plan.apis, openApi);
    const workers = this.#open('worker', plan.workers, (...where) =>
      openWorker(...where, {
        venues: this.#venues,
        webhooks: plan.receiver !== null,
        books: plan.ingests ? books : null,
      }),
    );
    const failedOver = () => network.epoch > 0;
    const cast = { chance, operator, markets, apis, desk, revises: plan.revises, failedOver };
    const customers = new Customers(cast, (error) => {
      course.failure ??= error;
    });
    await course.until(() => apis.every(({ parts }) => parts !== undefined), 'every API process starts');
    if (plan.warmsUp) {
      await course.until(() => workers.every(({ parts }) => parts !== undefined), 'every worker starts');
      await course.turnAll();
    }
    course.unsettle();
    await this.#trade(customers);
    await calmDown({ ...this.#parts, course, customers, operatorId, apis });
    await checkBooks(network.sql, operatorId, exchanges, failedOver());
  }

  reached(): Reached {
    const { exchanges, network, books, receiver } = this.#parts;
    const { members, deaths, freezes } = this.#course;
    const again = (counts: Iterable<number>) => [...counts].filter((count) => count > 1).length;
    return {
      failovers: network.epoch,
      deaths,
      restarts: members.reduce((sum, { starts }) => sum + starts - 1, 0),
      freezes,
      tooManyRequests: exchanges.reduce((sum, { tooMany }) => sum + tooMany, 0),
      lateFees: exchanges.reduce((sum, { lateFees }) => sum + lateFees, 0),
      sendsRepeatedByTheNetwork: again(exchanges.flatMap(({ arrivals }) => [...arrivals.values()])),
      sentToTheSecondExchange: exchanges[1]?.taken.size ?? 0,
      leaderships: books.leaderships,
      leasesLost: books.lost,
      boardWritesRefused: books.refused,
      eventsDelivered: receiver.acknowledged.size,
      eventsDeliveredAgain: again(receiver.acknowledged.values()),
      deliveriesRefused: receiver.refused,
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
    await this.#course.until(() => done, 'what comes first is done');
    return result;
  }

  async #openOperator(sql: Sql): Promise<Operator> {
    const { plan, chance, receiver } = this.#parts;
    const operator = await createOperator(sql, {
      slug: 'operator',
      mode: plan.mode,
      platformFeeBps: chance.pick([0, 200, 777]),
      executionConfirmed: true,
    });
    if (plan.mode === 'live') {
      await moveCollateral(sql, operator.operatorId, 'deposit', chance.pick([3_000n, 20_000n]));
    }
    this.operatorId = operator.operatorId;
    if (plan.receiver !== null) {
      await receiver.register(sql, operator.operatorId);
    }
    return operator;
  }

  #open<T>(
    kind: string,
    count: number,
    open: (name: string, network: Network, machine: Machine) => Member<T>,
  ): Member<T>[] {
    const { network, plan } = this.#parts;
    const opened = Array.from({ length: count }, (_, index) => open(`${kind}${index + 1}`, network, plan.machines()));
    this.#course.members.push(...opened);
    return opened;
  }

  async #trade(customers: Customers): Promise<void> {
    const { chance, queue, plan } = this.#parts;
    for (let actions = plan.actions; actions > 0; actions -= 1) {
      customers.act();
      while (customers.waiting > 3 || (queue.waiting > 0 && chance.happens(STEPS_ON))) {
        await this.#course.step();
      }
    }
    for (let steps = STORM_STEPS; steps > 0; steps -= 1) {
      await this.#course.step();
    }
  }
}
