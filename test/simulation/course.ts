/** How time goes by in one simulated world: one event after the other, and while it is unsettled, deaths, freezes and a fail-over. */
import assert from 'node:assert/strict';
import type { Chance } from '../support/random.ts';
import type { Books } from './books.ts';
import { type Exchange, SOUND_EXCHANGE } from './exchange.ts';
import { confirmBooks } from './markets.ts';
import type { Member } from './members.ts';
import type { Network } from './network.ts';
import type { Plan } from './plan.ts';
import type { Queue } from './queue.ts';
import { type Receiver, SOUND_RECEIVER } from './receiver.ts';
import { SOUND_DATABASE } from './simulated-sql.ts';
import { NO_FAULTS } from './wire.ts';

const MOST_TURNS = 100_000;
const FREEZES_MS = [500, 3_000, 9_000, 40_000, 110_000] as const;
const RESTART_MS = 1_500;
/** Books are confirmed this often at most: every confirmation is read by every board. */
const CONFIRM_MS = 2_500;

export interface CourseParts {
  readonly chance: Chance;
  readonly queue: Queue;
  readonly plan: Plan;
  readonly network: Network;
  readonly exchanges: readonly Exchange[];
  readonly receiver: Receiver;
  readonly books: Books;
}

export class Course {
  readonly members: Member<unknown>[] = [];
  /** Milliseconds by which the clock of each exchange is ahead, by its name. */
  readonly aheadMs: Map<string, number>;
  deaths = 0;
  freezes = 0;
  /** What nobody should ever see; the world ends with it. */
  failure: unknown;
  readonly #parts: CourseParts;
  readonly #snapshotStep: number;
  readonly #failOverStep: number;
  #steps = 0;
  #confirmedMs = 0;
  #turns = 0;

  constructor(parts: CourseParts) {
    this.#parts = parts;
    const { plan, chance } = parts;
    this.aheadMs = new Map(plan.exchanges.map(({ name, aheadMs }) => [name, aheadMs]));
    this.#snapshotStep = plan.failsOver ? 20 + chance.below(200) : 0;
    this.#failOverStep = plan.failsOver ? this.#snapshotStep + 5 + chance.below(80) : 0;
  }

  unsettle(): void {
    const { plan, network, exchanges, receiver } = this.#parts;
    network.databaseFaults = plan.database;
    network.httpFaults = plan.http;
    network.refusedConnections = plan.refusedConnections;
    network.slowConnections = plan.refusedConnections;
    network.lostNotifications = plan.lostNotifications;
    for (const exchange of exchanges) {
      exchange.faults = plan.exchange;
    }
    receiver.faults = plan.receiver ?? SOUND_RECEIVER;
  }

  settle(): void {
    const { network, exchanges, receiver } = this.#parts;
    network.databaseFaults = SOUND_DATABASE;
    network.httpFaults = NO_FAULTS;
    network.refusedConnections = 0;
    network.slowConnections = 0;
    network.lostNotifications = 0;
    for (const exchange of exchanges) {
      exchange.faults = SOUND_EXCHANGE;
    }
    receiver.faults = SOUND_RECEIVER;
    // clocks are set right, as nothing may be sent where they differ
    this.aheadMs.clear();
    for (const { process } of this.members) {
      process.thaw();
      process.machine.aheadMs = 0;
    }
  }

  /** One event in the unsettled world. */
  async step(): Promise<void> {
    const { chance, queue, exchanges, plan } = this.#parts;
    await this.#moveDatabase();
    if (chance.happens(plan.deaths)) {
      this.#kill(chance.pick(this.members));
    }
    if (chance.happens(plan.freezes)) {
      this.freezes += 1;
      chance.pick(this.members).process.freeze(chance.pick(FREEZES_MS));
    }
    const exchange = chance.pick(exchanges);
    if (chance.happens(0.03) && exchange.taken.size > 0) {
      exchange.move(chance.pick([...exchange.taken.keys()]));
    }
    if (!queue.busy || chance.happens(0.02)) {
      await this.passTime();
    } else {
      await this.turn();
    }
  }

  async passTime(longestMs?: number): Promise<void> {
    const { queue, plan, chance, books, network } = this.#parts;
    queue.passTime(longestMs);
    this.#revive();
    if (plan.ingests) {
      if (chance.happens(0.3)) {
        books.move(chance);
      }
    } else if (queue.nowMs >= this.#confirmedMs + CONFIRM_MS && chance.happens(0.8)) {
      this.#confirmedMs = queue.nowMs;
      await confirmBooks(network);
    }
  }

  /** @returns false where nothing was due. */
  async turn(): Promise<boolean> {
    this.#turns += 1;
    assert.ok(this.#turns < MOST_TURNS, 'it never ends');
    const turned = await this.#parts.queue.turn();
    if (this.failure !== undefined) {
      throw this.failure;
    }
    return turned;
  }

  /** Until nothing is due any more. */
  async turnAll(): Promise<void> {
    while (await this.turn()) {
      // the next one
    }
  }

  async until(done: () => boolean, what: string): Promise<void> {
    for (let steps = 0; !done(); steps += 1) {
      assert.ok(steps < 3_000, `${what} within a while`);
      if (!(await this.turn())) {
        await this.passTime(1_000);
      }
    }
  }

  /** Where the plan says so, the database goes back to an earlier state once, as a standby that lagged takes over. */
  async #moveDatabase(): Promise<void> {
    const { network, queue } = this.#parts;
    this.#steps += 1;
    if (this.#steps === this.#snapshotStep) {
      await network.snapshot();
    }
    if (this.#steps === this.#failOverStep) {
      queue.note('fail-over');
      await network.failOver();
    }
  }

  #kill(member: Member<unknown>): void {
    this.deaths += 1;
    member.process.die();
    this.#parts.queue.post(`${member.name} starts again`, null, RESTART_MS, () => this.#revive());
  }

  #revive(): void {
    for (const member of this.members) {
      if (member.process.dead) {
        member.start();
      }
    }
  }
}
