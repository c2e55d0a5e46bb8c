/**
 * The simulated exchange: the events it lists, their books and last prices. It records changes and notifies a listener;
 * it knows no socket. step.ts applies the passing of time, manual-control.ts the interventions of a person, and
 * order-book-service.ts handles orders.
 */
import type { Fixtures, LeagueFixture } from './catalogue/fixture.ts';
import { ASSETS, fiveChance } from './catalogue/mint.ts';
import type { Level, PaperContract, PaperEvent, PaperMatch } from './catalogue/question.ts';
import type { Journal } from './journal.ts';
import { makeBook } from './market/book-making.ts';
import { chancesOf, drawOutcome, matchChances, matchOutcome } from './market/chances.ts';
import { createRandom, type Random, type RandomState, stateOf, unitOf } from './market/random.ts';
import { CONTRACT, DOLLAR } from './micros.ts';

export interface ExchangeListener {
  book(contract: PaperContract): void;
  event(event: PaperEvent): void;
  market(event: PaperEvent, contract: PaperContract): void;
  match(event: PaperEvent, match: PaperMatch): void;
  /** The price in dollars of the coin that the event is about. */
  coin(event: PaperEvent, price: number): void;
}

export interface ExchangeOptions {
  readonly fixtures: Fixtures;
  readonly venue: string;
  readonly seed: string;
  readonly journal: Journal;
  readonly now: () => number;
}

export interface Listed {
  readonly event: PaperEvent;
  readonly contract: PaperContract;
}

export class Exchange {
  readonly venue: string;
  readonly fixtures: Fixtures;
  readonly now: () => number;
  readonly state: PaperState;
  readonly journal: Journal;
  readonly random: Random;
  readonly contracts = new Map<string, Listed>();
  listener: ExchangeListener | undefined;
  readonly #thin = new Set<PaperEvent>();
  readonly #traded = new Set<PaperContract>();
  #sequence: number;

  constructor({ fixtures, venue, seed, journal, now }: ExchangeOptions) {
    this.venue = venue;
    this.fixtures = fixtures;
    this.now = now;
    this.journal = journal;
    const at = now();
    this.state = restoreState(journal, venue) ?? firstState(venue, seed, at);
    this.random = createRandom(this.state.random);
    // Microseconds, so that sequences rise across restarts without being written at each change.
    this.#sequence = at * 1000;
    for (const event of Object.values(this.state.events)) {
      this.#index(event);
    }
  }

  #index(event: PaperEvent): void {
    for (const contract of event.contracts) {
      this.contracts.set(contract.id, { event, contract });
    }
  }

  add(event: PaperEvent): void {
    this.state.events[event.id] = event;
    this.#index(event);
    this.refresh(event);
    for (const contract of event.contracts) {
      contract.lastPrice = middleOf(contract);
    }
    this.changed(event);
  }

  drop(event: PaperEvent): void {
    delete this.state.events[event.id];
    for (const contract of event.contracts) {
      this.contracts.delete(contract.id);
    }
    this.journal.append({ dropped: event.id });
  }

  find(id: string): Listed | undefined {
    return this.contracts.get(id);
  }

  /** Records an event whose facts changed, without notifying. */
  keep(event: PaperEvent): void {
    this.journal.append({ event });
  }

  /** Records an event whose facts changed, and notifies. */
  changed(event: PaperEvent): void {
    this.keep(event);
    this.listener?.event(event);
  }

  /** Changes facts of one contract, records them and notifies. */
  amend(id: string, change: (contract: PaperContract, event: PaperEvent) => void): PaperContract | undefined {
    const entry = this.find(id);
    if (entry === undefined) {
      return undefined;
    }
    change(entry.contract, entry.event);
    this.changed(entry.event);
    return entry.contract;
  }

  /** @param asOf the time of the book, if it is not the current time */
  setSides(contract: PaperContract, bids: Level[], asks: Level[], asOf?: number): void {
    this.#sequence += 1;
    contract.book = { bids, asks, sequence: this.#sequence, ...(asOf === undefined ? {} : { asOf }) };
    this.listener?.book(contract);
  }

  /** Makes the books of an event again from the current beliefs, except frozen ones. */
  refresh(event: PaperEvent): void {
    if (event.closedAt !== null) {
      return;
    }
    const chances = chancesNow(this, event);
    for (const [index, contract] of event.contracts.entries()) {
      if (contract.frozen || contract.status !== 'open') {
        continue;
      }
      const sides = makeBook(event, contract, chances[index] ?? 0.5, this.random);
      if (sides !== undefined) {
        this.setSides(contract, sides.bids, sides.asks);
      }
    }
  }

  /** Removes what an order took from the levels, unless the book is frozen. */
  consume({ event, contract }: Listed, bids: Level[], asks: Level[]): void {
    if (contract.frozen) {
      return;
    }
    this.setSides(contract, bids, asks);
    this.#thin.add(event);
  }

  /** Restores what orders took since the last call. */
  refill(): void {
    for (const event of this.#thin) {
      this.refresh(event);
    }
    this.#thin.clear();
  }

  traded(contract: PaperContract, quantity: number, yesPrice: number): void {
    contract.volume += quantity;
    contract.volume24h += quantity;
    contract.lastPrice = yesPrice;
    this.#traded.add(contract);
  }

  /** Trades of other customers: occasionally a last price and a volume. */
  tradeAmongOthers(event: PaperEvent): void {
    const contract = event.contracts[Math.floor(this.random.next() * event.contracts.length)];
    if (contract === undefined || contract.status !== 'open' || this.random.next() < 0.4) {
      return;
    }
    const price = middleOf(contract);
    if (price !== null) {
      const size = Math.ceil(this.random.next() ** 3 * 400) * CONTRACT;
      contract.lastPrice = price;
      contract.volume += size;
      contract.volume24h = Math.round((contract.volume24h / CONTRACT) * 0.9995) * CONTRACT + size;
      this.#traded.add(contract);
    }
  }

  tellTraded(): void {
    for (const contract of this.#traded) {
      const entry = this.find(contract.id);
      if (entry !== undefined) {
        this.listener?.market(entry.event, contract);
      }
    }
    this.#traded.clear();
  }

  tellCoin(event: PaperEvent): void {
    const spot = event.model.type === 'five' ? this.state.spots[event.model.asset] : undefined;
    if (spot !== undefined) {
      this.listener?.coin(event, asPrice(spot));
    }
  }

  /** Writes everything to the snapshot. */
  compact(): void {
    this.journal.compact(this.state);
  }
}

/** A coin is quoted with seven digits. */
export function asPrice(spot: number): number {
  return Number(spot.toPrecision(7));
}

function middleOf(contract: PaperContract): number | null {
  const bid = contract.book.bids[0]?.price;
  const ask = contract.book.asks[0]?.price;
  const price = bid !== undefined && ask !== undefined ? Math.round((bid + ask) / 2) : (bid ?? ask);
  return price === undefined || price <= 0 || price >= DOLLAR ? null : price;
}

// The state of the venue as the plain data of its snapshot: created at the first start, restored at every other one.

interface PaperState {
  venue: string;
  seed: string;
  random: RandomState;
  events: Record<string, PaperEvent>;
  matches: Record<string, PaperMatch>;
  spots: Record<string, number>;
  /** How often a fixture was listed again, by fixture; for matches by `matchKey`. */
  generations: Record<string, number>;
  steps: number;
  lastStep: number;
}

function firstState(venue: string, seed: string, now: number): PaperState {
  return {
    venue,
    seed,
    random: stateOf(`${seed}:${venue}`),
    events: {},
    matches: {},
    spots: Object.fromEntries(Object.entries(ASSETS).map(([asset, { spot }]) => [asset, spot])),
    generations: {},
    steps: 0,
    lastStep: now,
  };
}

/** @returns undefined if the journal is empty or belongs to another venue */
function restoreState(journal: Journal, venue: string): PaperState | undefined {
  const state = journal.snapshot as PaperState | undefined;
  if (state === undefined || state.venue !== venue) {
    return undefined;
  }
  for (const line of journal.lines as { event?: PaperEvent; match?: PaperMatch; dropped?: string }[]) {
    if (line.event !== undefined) {
      state.events[line.event.id] = line.event;
    }
    if (line.match !== undefined) {
      state.matches[line.match.id] = line.match;
    }
    if (line.dropped !== undefined) {
      delete state.events[line.dropped];
    }
  }
  for (const event of Object.values(state.events)) {
    const known = state.generations[event.fixture] ?? -1;
    if (event.model.type !== 'five' && event.model.type !== 'match' && event.generation > known) {
      state.generations[event.fixture] = event.generation;
    }
  }
  for (const match of Object.values(state.matches)) {
    const key = matchKey(match.fixture);
    state.generations[key] = Math.max(state.generations[key] ?? 0, match.generation);
  }
  return state;
}

/** @param fixture its index among the match fixtures */
export function matchKey(fixture: number): string {
  return `match:${fixture}`;
}

// The price model of an event, with the same interface for all kinds: the chance of each contract now, and which are
// right in the end.

/** What a model needs beside its event. */
export interface Surroundings {
  readonly state: PaperState;
  readonly fixtures: Fixtures;
  readonly now: () => number;
}

/** Chance of YES of each contract, in order. */
function chancesNow(around: Surroundings, event: PaperEvent): number[] {
  if (event.model.type === 'five') {
    return [fiveChance(event, around.state.spots[event.model.asset] ?? 1, around.now())];
  }
  if (event.model.type === 'match') {
    const played = matchOf(around, event.model.match);
    return played === undefined ? [] : matchChances(event, played.match, played.league);
  }
  return chancesOf(event) ?? [];
}

/** Which contracts are right, in order. */
export function outcomeOf(around: Surroundings, event: PaperEvent): boolean[] {
  if (event.model.type === 'five') {
    const spot = around.state.spots[event.model.asset] ?? 0;
    return [spot >= (event.model.strike ?? spot)];
  }
  if (event.model.type === 'match') {
    const played = matchOf(around, event.model.match);
    return played === undefined ? [] : matchOutcome(event, played.match, played.league);
  }
  return drawOutcome(event, unitOf(`${around.state.seed}:${event.groupKey}:end`));
}

export function matchOf(
  { state, fixtures }: Pick<Surroundings, 'state' | 'fixtures'>,
  id: string,
): { match: PaperMatch; league: LeagueFixture } | undefined {
  const match = state.matches[id];
  const league = match === undefined ? undefined : fixtures.leagues.get(match.league);
  return match === undefined || league === undefined ? undefined : { match, league };
}
