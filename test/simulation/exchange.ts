/**
 * The exchange of a simulated world, spoken to in the paper venue's own words over HTTP. Orders fill in parts, learn their
 * fees late and close when chance has it; what it reports may be old, repeated, out of order, or no answer at all. It keeps
 * the whole truth: every order that it ever took and how often each was sent.
 */
import type { Chance } from '../support/random.ts';
import { answerAccount } from './exchange-account.ts';
import type { HttpAnswer, HttpRequest } from './network.ts';
import { cancelled, finished, moved, type Placed, placed, type TrueOrder } from './true-order.ts';
import { jsonAnswer, worded } from './wording.ts';

export interface ExchangeFaults {
  /** Shares of answers: too many requests, an error before and after it was done, an answer that is no JSON. */
  readonly tooMany: number;
  readonly failed: number;
  readonly garbage: number;
  /** Share of reports that are an earlier state of the order. */
  readonly old: number;
  /** Share of orders that it refuses. */
  readonly refuses: number;
}

export const SOUND_EXCHANGE: ExchangeFaults = { tooMany: 0, failed: 0, garbage: 0, old: 0, refuses: 0 };

/** What a 429 says of the time to wait; null where it says nothing, which counts as a minute. */
const RETRY_SECONDS = ['0', '1', '1', '2', '5', null] as const;

/** As the adapters of the paper venues have them, in millionths. */
const QUANTITY_STEPS: Readonly<Record<string, bigint>> = { paper: 10_000n, 'paper-2': 1_000_000n };

interface Taken {
  readonly sent: Placed;
  /** Every state it was ever in, the present one last. */
  readonly history: TrueOrder[];
  changedMs: number;
}

export class Exchange {
  readonly name: string;
  readonly taken = new Map<string, Taken>();
  /** Messages that asked for each order, by our id; one that the network repeats is one. */
  readonly sends = new Map<string, Set<HttpRequest>>();
  /** How often a request for each order arrived. */
  readonly arrivals = new Map<string, number>();
  /** Requests that it answered with 429. */
  tooMany = 0;
  /** Fees that became known after their fill had been reported. */
  lateFees = 0;
  faults: ExchangeFaults = SOUND_EXCHANGE;
  /** Whether each request is one too many. A 429 says that it was not processed, so that holds for its repetitions. */
  readonly #limited = new WeakMap<HttpRequest, boolean>();
  readonly #chance: Chance;
  readonly #nowMs: () => number;
  readonly #step: bigint;

  /** @param nowMs the exchange's own clock. */
  constructor(name: string, chance: Chance, nowMs: () => number) {
    this.name = name;
    this.#step = QUANTITY_STEPS[name] ?? 1n;
    this.#chance = chance;
    this.#nowMs = nowMs;
  }

  get origin(): string {
    return `http://${this.name}.simulated`;
  }

  /** The orders as they are. */
  get truths(): ReadonlyMap<string, TrueOrder> {
    return new Map([...this.taken].map(([ourId, { history }]) => [ourId, history.at(-1) as TrueOrder]));
  }

  answer(request: HttpRequest): HttpAnswer | null {
    const { faults } = this;
    const limited = this.#limited.get(request) ?? this.#chance.happens(faults.tooMany);
    this.#limited.set(request, limited);
    if (limited) {
      this.tooMany += 1;
      const seconds = this.#chance.pick(RETRY_SECONDS);
      return jsonAnswer(429, { error: 'too_many_requests' }, seconds === null ? {} : { 'retry-after': seconds });
    }
    if (this.#chance.happens(faults.failed)) {
      return jsonAnswer(503, { error: 'unavailable' });
    }
    const answer = this.#handle(request);
    if (this.#chance.happens(faults.failed)) {
      return jsonAnswer(500, { error: 'internal' });
    }
    return this.#chance.happens(faults.garbage) ? { status: 200, body: '{"half": ' } : answer;
  }

  #handle(request: HttpRequest): HttpAnswer {
    const { method, path } = request;
    const [, , what = '', ourId = '', verb = ''] = path.split('/');
    const orders = [...this.taken.values()].map(({ history, changedMs }) => ({
      order: history.at(-1) as TrueOrder,
      changedMs,
    }));
    const account = answerAccount(path, orders, this.#nowMs());
    if (account !== null) {
      return account;
    }
    if (method === 'POST' && path === '/v1/orders') {
      return this.#place(request);
    }
    if (what === 'orders' && ourId !== '') {
      if (verb === 'cancel') {
        this.#append(ourId, cancelled);
      }
      const order = this.#report(ourId);
      return order === undefined ? UNKNOWN_ORDER : jsonAnswer(200, worded(order));
    }
    if (what === 'account' && ourId === 'fills') {
      const order = this.taken.get(verb)?.history.at(-1);
      return order === undefined
        ? UNKNOWN_ORDER
        : jsonAnswer(200, { ourId: order.ourId, listingId: order.listingId, fills: worded(order).fills });
    }
    return jsonAnswer(404, { error: 'not_found' });
  }

  #place(request: HttpRequest): HttpAnswer {
    const order = placed(JSON.parse(request.body));
    const sends = this.sends.get(order.ourId) ?? new Set();
    this.sends.set(order.ourId, sends.add(request));
    this.arrivals.set(order.ourId, (this.arrivals.get(order.ourId) ?? 0) + 1);
    if (!this.taken.has(order.ourId)) {
      const reason =
        order.expiresAtMs <= this.#nowMs() ? 'expired' : this.#chance.happens(this.faults.refuses) ? 'halted' : null;
      const received = new Date(this.#nowMs()).toISOString();
      const first: TrueOrder = {
        ...order,
        state: reason === null ? 'working' : 'rejected',
        reason,
        fills: [],
        received,
      };
      this.taken.set(order.ourId, { sent: order, history: [first], changedMs: this.#nowMs() });
      for (let moves = this.#chance.below(5); moves > 0 && reason === null; moves -= 1) {
        this.move(order.ourId);
      }
    }
    const now = this.#report(order.ourId) as TrueOrder;
    return now.state === 'rejected' && this.#chance.happens(0.5)
      ? jsonAnswer(422, { error: now.reason ?? 'rejected' })
      : jsonAnswer(201, worded(now));
  }

  /** As it is, or as it was a while ago; fills in any order, some twice. */
  #report(ourId: string): TrueOrder | undefined {
    const history = this.taken.get(ourId)?.history;
    if (history === undefined) {
      return undefined;
    }
    const order = this.#chance.happens(this.faults.old) ? this.#chance.pick(history) : (history.at(-1) as TrueOrder);
    if (order.state !== 'working') {
      return order;
    }
    const fills = this.#chance.happens(this.faults.old) ? order.fills.toReversed() : order.fills;
    return { ...order, fills: this.#chance.happens(this.faults.old) ? [...fills, ...fills] : fills };
  }

  /** One thing happens to an order: a fill, a fee, or its end. */
  move(ourId: string): void {
    this.#append(ourId, (order) => moved(order, this.#chance, this.#nowMs(), this.#step));
  }

  /** Everything comes to its end and every fee is known; nothing is reported that was true earlier. */
  finish(): void {
    for (const taken of this.taken.values()) {
      const { history } = taken;
      const before = history.at(-1) as TrueOrder;
      const end = finished(before, this.#chance);
      history.splice(0, history.length, end);
      taken.changedMs = end === before ? taken.changedMs : this.#nowMs();
    }
  }

  #append(ourId: string, change: (order: TrueOrder) => TrueOrder): void {
    const taken = this.taken.get(ourId);
    const now = taken?.history.at(-1);
    if (taken !== undefined && now !== undefined) {
      const next = change(now);
      if (next !== now) {
        this.lateFees += unreadFees(now) > unreadFees(next) ? 1 : 0;
        taken.history.push(next);
        taken.changedMs = this.#nowMs();
      }
    }
  }
}

const UNKNOWN_ORDER: HttpAnswer = jsonAnswer(404, { error: 'unknown_order' });

function unreadFees({ fills }: TrueOrder): number {
  return fills.filter(({ fee }) => fee === null).length;
}
