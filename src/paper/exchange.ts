/**
 * The simulated exchange: what is listed, how it moves, closes, resolves and comes again. It knows no socket; it tells a
 * listener what changed. Orders are the desk's business (desk.ts).
 */
import { chancesOf, drawOutcome, moveBelief } from './belief.ts';
import { makeBook } from './book-making.ts';
import { ASSETS, fiveChance, mintFive, moveSpot, WINDOW_MS } from './five-minutes.ts';
import { type Fixtures, spanMs } from './fixture.ts';
import type { Journal } from './journal.ts';
import { matchChances, matchOutcome, mintMatch, nextKickoffIn, playMatch } from './matches.ts';
import { mintQuestion } from './mint.ts';
import type { Level, PaperContract, PaperEvent, PaperMatch, PaperResolution } from './question.ts';
import { createRandom, type Random, type RandomState, stateOf, unitOf } from './random.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
const CONTRACT = 1_000_000;
const DOLLAR = 1_000_000;
/** How long after the close a venue says how it ended. */
const RESOLVE_AFTER = { five: 1_200, match: 4_000, question: 20_000 };
const KEEP_ENDED = { five: 6 * HOUR, other: 2 * DAY };
/** Ordinary events moved at each step of a quarter of a second. */
const EVENTS_A_STEP = 2;
/** What the second venue lists of the same questions. */
const SHARED_SHARE = 0.4;
const SHARED_SPAN = 20 * DAY;

export interface PaperState {
  venue: string;
  seed: string;
  random: RandomState;
  events: Record<string, PaperEvent>;
  matches: Record<string, PaperMatch>;
  spots: Record<string, number>;
  generations: Record<string, number>;
  steps: number;
  lastStep: number;
}

export interface ExchangeListener {
  book(contract: PaperContract): void;
  event(event: PaperEvent): void;
  market(event: PaperEvent, contract: PaperContract): void;
  match(event: PaperEvent, match: PaperMatch): void;
}

export interface ExchangeOptions {
  readonly fixtures: Fixtures;
  readonly venue: string;
  readonly seed: string;
  readonly journal: Journal;
  readonly now: () => number;
}

export class Exchange {
  readonly venue: string;
  readonly fixtures: Fixtures;
  readonly now: () => number;
  readonly state: PaperState;
  readonly journal: Journal;
  readonly contracts = new Map<string, { event: PaperEvent; contract: PaperContract }>();
  listener: ExchangeListener | undefined;
  readonly #random: Random;
  readonly #thin = new Set<PaperEvent>();
  readonly #traded = new Set<PaperContract>();
  #sequence: number;

  constructor(options: ExchangeOptions) {
    this.venue = options.venue;
    this.fixtures = options.fixtures;
    this.now = options.now;
    this.journal = options.journal;
    const now = options.now();
    this.state = restore(options) ?? {
      venue: options.venue,
      seed: options.seed,
      random: stateOf(`${options.seed}:${options.venue}`),
      events: {},
      matches: {},
      spots: Object.fromEntries(Object.entries(ASSETS).map(([asset, { spot }]) => [asset, spot])),
      generations: {},
      steps: 0,
      lastStep: now,
    };
    this.#random = createRandom(this.state.random);
    // Microseconds, so that sequences rise over restarts without being written at each change.
    this.#sequence = now * 1000;
    for (const event of Object.values(this.state.events)) {
      this.#index(event);
    }
    this.#list(now);
    this.step();
  }

  /** Lists every fixture that is not listed yet: all of them at the first start, new ones after an upgrade. */
  #list(now: number): void {
    for (const fixture of this.fixtures.questions) {
      if (this.#lists(fixture.id, spanMs(fixture.closes)) && this.state.generations[fixture.id] === undefined) {
        this.#mintQuestion(fixture.id, 0, now);
      }
    }
    if (this.venue === 'paper') {
      for (const [index, fixture] of this.fixtures.matches.entries()) {
        if (this.state.generations[`match:${index}`] === undefined) {
          this.#mintMatch(index, 0, now, spanMs(fixture.kickoff));
        }
      }
    }
  }

  #lists(fixture: string, span: number): boolean {
    return this.venue === 'paper' || (span >= SHARED_SPAN && unitOf(`shared:${fixture}`) < SHARED_SHARE);
  }

  #mintQuestion(id: string, generation: number, now: number): void {
    const fixture = this.fixtures.questions.find((one) => one.id === id);
    if (fixture !== undefined) {
      this.state.generations[id] = generation;
      this.#add(mintQuestion(fixture, this.venue, generation, now));
    }
  }

  #mintMatch(index: number, generation: number, now: number, kickoffIn: number): void {
    this.state.generations[`match:${index}`] = generation;
    const { match, events } = mintMatch(this.fixtures, index, this.venue, generation, now, kickoffIn);
    this.state.matches[match.id] = match;
    this.journal.append({ match });
    this.#play(match, now);
    for (const event of events) {
      this.#add(event);
    }
  }

  #add(event: PaperEvent): void {
    this.state.events[event.id] = event;
    this.#index(event);
    this.refresh(event);
    for (const contract of event.contracts) {
      contract.lastPrice = middleOf(contract);
    }
    this.#keep(event);
    this.listener?.event(event);
  }

  #index(event: PaperEvent): void {
    for (const contract of event.contracts) {
      this.contracts.set(contract.id, { event, contract });
    }
  }

  /** Writes down an event whose facts changed. */
  #keep(event: PaperEvent): void {
    this.journal.append({ event });
  }

  /** One quarter of a second of the venue's life. */
  step(): void {
    const now = this.now();
    const seconds = Math.min(60, Math.max(0, (now - this.state.lastStep) / 1000));
    this.state.lastStep = now;
    this.state.steps += 1;
    if (this.venue === 'paper') {
      for (const asset of Object.keys(ASSETS)) {
        this.state.spots[asset] = moveSpot(asset, this.state.spots[asset] ?? 1, seconds, this.#random);
      }
      this.#mintFives(now);
    }
    this.#live(now);
    this.#move(now);
  }

  #mintFives(now: number): void {
    const current = Math.floor(now / WINDOW_MS) * WINDOW_MS;
    for (const asset of Object.keys(ASSETS)) {
      for (const from of [current, current + WINDOW_MS]) {
        const event = mintFive(asset, this.venue, from);
        if (this.state.events[event.id] === undefined) {
          this.#add(event);
        }
      }
    }
  }

  /** Closes what is over, resolves what closed, lists it again, drops what ended long ago. */
  #live(now: number): void {
    for (const event of Object.values(this.state.events)) {
      if (event.model.type === 'five' && event.model.strike === null && now >= event.closesAt - WINDOW_MS) {
        const spot = this.state.spots[event.model.asset] ?? 1;
        event.model.strike = Number(spot.toPrecision(7));
        for (const contract of event.contracts) {
          contract.threshold = event.model.strike;
        }
        this.#changed(event);
      }
      if (event.closedAt === null && now >= this.#closingTime(event)) {
        this.#closeEvent(event, now);
      }
      if (event.closedAt !== null && event.endedAt === null && now >= event.closedAt + resolveAfter(event)) {
        this.#endEvent(event, now);
      }
      const keep = event.fiveMinute ? KEEP_ENDED.five : KEEP_ENDED.other;
      if (event.endedAt !== null && now >= event.endedAt + keep) {
        delete this.state.events[event.id];
        for (const contract of event.contracts) {
          this.contracts.delete(contract.id);
        }
        this.journal.append({ dropped: event.id });
      }
    }
    for (const match of Object.values(this.state.matches)) {
      if (match.ended && now > match.endsAt + KEEP_ENDED.other) {
        delete this.state.matches[match.id];
      }
    }
  }

  #closingTime(event: PaperEvent): number {
    if (event.model.type !== 'match') {
      return event.closesAt;
    }
    const endsAt = this.state.matches[event.model.match]?.endsAt ?? event.closesAt;
    // A match event that was opened again goes by its own new date.
    return event.closesAt > endsAt + HOUR / 2 ? event.closesAt : endsAt;
  }

  #closeEvent(event: PaperEvent, now: number): void {
    event.closedAt = now;
    for (const contract of event.contracts) {
      if (contract.status === 'open' || contract.status === 'paused') {
        contract.status = 'closed';
        if (!contract.frozen) {
          this.#setSides(contract, [], []);
        }
      }
    }
    this.#changed(event);
    this.#listAgain(event, now);
  }

  #listAgain(event: PaperEvent, now: number): void {
    if (event.model.type === 'match') {
      const match = this.state.matches[event.model.match];
      const fixture = match === undefined ? undefined : this.fixtures.matches[match.fixture];
      if (match !== undefined && fixture !== undefined) {
        this.#play(match, now);
        if (this.state.generations[`match:${match.fixture}`] === match.generation) {
          this.#mintMatch(match.fixture, match.generation + 1, now, nextKickoffIn(fixture));
        }
      }
    } else if (event.model.type !== 'five' && this.state.generations[event.fixture] === event.generation) {
      this.#mintQuestion(event.fixture, event.generation + 1, now);
    }
  }

  #endEvent(event: PaperEvent, now: number): void {
    event.endedAt = now;
    const right = this.#outcomeOf(event);
    for (const [index, contract] of event.contracts.entries()) {
      if (contract.resolution === null) {
        contract.status = 'resolved';
        contract.resolution = { outcome: right[index] === true ? 'YES' : 'NO', yesWorth: null, at: now };
      }
    }
    this.#changed(event);
  }

  #outcomeOf(event: PaperEvent): boolean[] {
    if (event.model.type === 'five') {
      const spot = this.state.spots[event.model.asset] ?? 0;
      return [spot >= (event.model.strike ?? spot)];
    }
    if (event.model.type === 'match') {
      const match = this.state.matches[event.model.match];
      const league = match === undefined ? undefined : this.fixtures.leagues.get(match.league);
      return match === undefined || league === undefined ? [] : matchOutcome(event, match, league);
    }
    return drawOutcome(event, unitOf(`${this.state.seed}:${event.groupKey}:end`));
  }

  #move(now: number): void {
    const steps = this.state.steps;
    const ordinary: PaperEvent[] = [];
    const playing = new Set<string>();
    if (steps % 8 === 0) {
      for (const match of Object.values(this.state.matches)) {
        const before = match.played;
        this.#play(match, now);
        if (match.played !== before) {
          playing.add(match.id);
        }
      }
    }
    for (const event of Object.values(this.state.events)) {
      if (event.closedAt !== null) continue;
      if (event.model.type === 'five') {
        if (steps % 2 === 0) this.refresh(event);
      } else if (event.model.type === 'match' && playing.has(event.model.match)) {
        const match = this.state.matches[event.model.match];
        this.refresh(event);
        if (match !== undefined && steps % 40 === 0) this.listener?.match(event, match);
      } else {
        ordinary.push(event);
      }
    }
    for (let count = 0; count < EVENTS_A_STEP && ordinary.length > 0; count += 1) {
      const event = ordinary[Math.floor(this.#random.next() * ordinary.length)];
      if (event !== undefined) {
        moveBelief(event, this.#random);
        this.refresh(event);
        this.#trade(event);
      }
    }
    if (steps % 4 === 2) {
      for (const event of this.#thin) this.refresh(event);
      this.#thin.clear();
    }
    if (steps % 40 === 0) {
      this.#tellTraded();
    }
  }

  #play(match: PaperMatch, now: number): void {
    const league = this.fixtures.leagues.get(match.league);
    if (league !== undefined && playMatch(match, league, now, this.#random)) {
      this.journal.append({ match });
      for (const event of Object.values(this.state.events)) {
        if (event.model.type === 'match' && event.model.match === match.id) {
          this.listener?.match(event, match);
        }
      }
    }
  }

  /** Makes the books of an event anew from what is believed now, save frozen ones. */
  refresh(event: PaperEvent): void {
    if (event.closedAt !== null) {
      return;
    }
    const chances = this.#chancesOf(event);
    for (const [index, contract] of event.contracts.entries()) {
      if (contract.frozen || contract.status !== 'open') continue;
      const sides = makeBook(event, contract, chances[index] ?? 0.5, this.#random);
      if (sides !== undefined) this.#setSides(contract, sides.bids, sides.asks);
    }
  }

  #chancesOf(event: PaperEvent): number[] {
    if (event.model.type === 'five') {
      return [fiveChance(event, this.state.spots[event.model.asset] ?? 1, this.now())];
    }
    if (event.model.type === 'match') {
      const match = this.state.matches[event.model.match];
      const league = match === undefined ? undefined : this.fixtures.leagues.get(match.league);
      return match === undefined || league === undefined ? [] : matchChances(event, match, league);
    }
    return chancesOf(event) ?? [];
  }

  #setSides(contract: PaperContract, bids: Level[], asks: Level[]): void {
    this.#sequence += 1;
    contract.book = { bids, asks, sequence: this.#sequence };
    this.listener?.book(contract);
  }

  /** Other people's trades: a last price and a volume, now and then. */
  #trade(event: PaperEvent): void {
    const contract = event.contracts[Math.floor(this.#random.next() * event.contracts.length)];
    if (contract === undefined || contract.status !== 'open' || this.#random.next() < 0.4) {
      return;
    }
    const price = middleOf(contract);
    if (price !== null) {
      const size = Math.ceil(this.#random.next() ** 3 * 400) * CONTRACT;
      contract.lastPrice = price;
      contract.volume += size;
      contract.volume24h = Math.round((contract.volume24h / CONTRACT) * 0.9995) * CONTRACT + size;
      this.#traded.add(contract);
    }
  }

  #tellTraded(): void {
    for (const contract of this.#traded) {
      const entry = this.contracts.get(contract.id);
      if (entry !== undefined) this.listener?.market(entry.event, contract);
    }
    this.#traded.clear();
  }

  #changed(event: PaperEvent): void {
    this.#keep(event);
    this.listener?.event(event);
  }

  // What the desk and the control endpoints do.

  find(id: string): { event: PaperEvent; contract: PaperContract } | undefined {
    return this.contracts.get(id);
  }

  /** Holds the book of a contract exactly as given until `thaw`. */
  freeze(id: string, bids: Level[], asks: Level[]): PaperContract | undefined {
    const entry = this.contracts.get(id);
    if (entry === undefined) return undefined;
    entry.contract.frozen = true;
    this.#setSides(entry.contract, bids, asks);
    this.#keep(entry.event);
    return entry.contract;
  }

  thaw(id: string): PaperContract | undefined {
    const entry = this.contracts.get(id);
    if (entry === undefined) return undefined;
    entry.contract.frozen = false;
    this.#setSides(entry.contract, [], []);
    this.refresh(entry.event);
    this.#keep(entry.event);
    return entry.contract;
  }

  /** Takes away what an order took from the levels, unless the book is frozen. */
  consume(contract: PaperContract, event: PaperEvent, bids: Level[], asks: Level[]): void {
    if (contract.frozen) return;
    this.#setSides(contract, bids, asks);
    this.#thin.add(event);
  }

  traded(contract: PaperContract, quantity: number, yesPrice: number): void {
    contract.volume += quantity;
    contract.volume24h += quantity;
    contract.lastPrice = yesPrice;
    this.#traded.add(contract);
  }

  /** Changes facts of one contract, writes them down and tells. */
  amend(id: string, change: (contract: PaperContract, event: PaperEvent) => void): PaperContract | undefined {
    const entry = this.contracts.get(id);
    if (entry === undefined) return undefined;
    change(entry.contract, entry.event);
    this.#changed(entry.event);
    return entry.contract;
  }

  resolve(id: string, outcome: PaperResolution['outcome'], yesWorth: number | null): PaperContract | undefined {
    return this.amend(id, (contract) => {
      contract.status = outcome === 'VOID' ? 'voided' : 'resolved';
      contract.resolution = { outcome, yesWorth, at: this.now() };
    });
  }

  reopen(id: string): PaperContract | undefined {
    const reopened = this.amend(id, (contract, event) => {
      contract.status = 'open';
      contract.resolution = null;
      if (event.closedAt !== null) {
        event.closedAt = null;
        event.endedAt = null;
        event.closesAt = Math.max(event.closesAt, this.now() + HOUR);
      }
    });
    const entry = this.contracts.get(id);
    if (entry !== undefined) this.refresh(entry.event);
    return reopened;
  }

  /** Everything, for the snapshot. */
  compact(): void {
    this.journal.compact(this.state);
  }
}

function middleOf(contract: PaperContract): number | null {
  const bid = contract.book.bids[0]?.price;
  const ask = contract.book.asks[0]?.price;
  const price = bid !== undefined && ask !== undefined ? Math.round((bid + ask) / 2) : (bid ?? ask);
  return price === undefined || price <= 0 || price >= DOLLAR ? null : price;
}

function resolveAfter(event: PaperEvent): number {
  if (event.fiveMinute) return RESOLVE_AFTER.five;
  return event.model.type === 'match' ? RESOLVE_AFTER.match : RESOLVE_AFTER.question;
}

function restore({ journal, venue }: ExchangeOptions): PaperState | undefined {
  const state = journal.snapshot as PaperState | undefined;
  if (state === undefined || state.venue !== venue) {
    return undefined;
  }
  for (const line of journal.lines as { event?: PaperEvent; match?: PaperMatch; dropped?: string }[]) {
    if (line.event !== undefined) state.events[line.event.id] = line.event;
    if (line.match !== undefined) state.matches[line.match.id] = line.match;
    if (line.dropped !== undefined) delete state.events[line.dropped];
  }
  for (const event of Object.values(state.events)) {
    const known = state.generations[event.fixture] ?? -1;
    if (event.model.type !== 'five' && event.model.type !== 'match' && event.generation > known) {
      state.generations[event.fixture] = event.generation;
    }
  }
  for (const match of Object.values(state.matches)) {
    const key = `match:${match.fixture}`;
    state.generations[key] = Math.max(state.generations[key] ?? 0, match.generation);
  }
  return state;
}
