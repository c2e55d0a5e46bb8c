/**
 * The simulated exchange: the events that it lists, their books and last prices, and the state that its snapshot contains. It records
 * changes and notifies a listener. Time passes in `step.ts`, testers intervene in `manual-control.ts`, and orders are handled in
 * `order-book-service.ts`.
 */

import type { Level, PaperContract, PaperEvent, PaperMatch } from '../catalogue/event.ts';
import type { Fixtures, LeagueFixture } from '../catalogue/fixture.ts';
import { ASSETS } from '../catalogue/mint.ts';
import type { Journal } from '../journal.ts';
import { CONTRACT, DOLLAR } from '../micros.ts';
import { createRandom, type Random, type RandomState, stateOf, unitOf } from '../random.ts';
import { makeBook } from './book-making.ts';
import { chancesOf, drawOutcome, fiveChance } from './chances.ts';
import { matchChances, matchOutcome } from './match.ts';

interface ExchangeListener {
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

interface Listed {
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
    // Microseconds since 1970, so that sequences rise across restarts although they are not stored.
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

  /** Records an event that changed, without notifying the listener. */
  keep(event: PaperEvent): void {
    this.journal.append({ event });
  }

  /** Records an event that changed, and notifies the listener. */
  changed(event: PaperEvent): void {
    this.keep(event);
    this.listener?.event(event);
  }

  /**
   * Changes one contract, records it and notifies the listener.
   *
   * @returns undefined if the contract does not exist
   */
  amend(id: string, change: (contract: PaperContract, event: PaperEvent) => void): PaperContract | undefined {
    const entry = this.find(id);
    if (entry === undefined) {
      return undefined;
    }
    change(entry.contract, entry.event);
    this.changed(entry.event);
    return entry.contract;
  }

  /** @param asOf the time of the book in milliseconds since 1970, if it is not the current time */
  setSides(contract: PaperContract, bids: Level[], asks: Level[], asOf?: number): void {
    this.#sequence += 1;
    contract.book = { bids, asks, sequence: this.#sequence, ...(asOf === undefined ? {} : { asOf }) };
    this.listener?.book(contract);
  }

  /** Makes the books of an event again from the current chances, except frozen ones. */
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

  /** Replaces the sides of a book by the rest that an order left, unless the book is frozen. */
  consume({ event, contract }: Listed, bids: Level[], asks: Level[]): void {
    if (contract.frozen) {
      return;
    }
    this.setSides(contract, bids, asks);
    this.#thin.add(event);
  }

  /** Restores the books from which orders took something since the last call. */
  refill(): void {
    for (const event of this.#thin) {
      this.refresh(event);
    }
    this.#thin.clear();
  }

  /** Counts a trade of our account. */
  traded(contract: PaperContract, quantity: number, yesPrice: number): void {
    contract.volume += quantity;
    contract.volume24h += quantity;
    contract.lastPrice = yesPrice;
    this.#traded.add(contract);
  }

  /** Invents a trade of other customers now and then, which changes the last price and the volume. */
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

  /** Notifies the listener of the contracts that were traded since the last call. */
  tellTraded(): void {
    for (const contract of this.#traded) {
      const entry = this.find(contract.id);
      if (entry !== undefined) {
        this.listener?.market(entry.event, contract);
      }
    }
    this.#traded.clear();
  }

  /** Notifies the listener of the price of the coin that the event is about, if there is one. */
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

/** The price as the venue publishes it, with seven digits. */
export function asPrice(spot: number): number {
  return Number(spot.toPrecision(7));
}

function middleOf(contract: PaperContract): number | null {
  const bid = contract.book.bids[0]?.price;
  const ask = contract.book.asks[0]?.price;
  const price = bid !== undefined && ask !== undefined ? Math.round((bid + ask) / 2) : (bid ?? ask);
  return price === undefined || price <= 0 || price >= DOLLAR ? null : price;
}

/**
 * The state of the venue as the plain data of its snapshot: created at the first start, restored at every later one.
 */
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

/** The data beside the event from which its chances and its outcome follow. */
interface Surroundings {
  readonly state: PaperState;
  readonly fixtures: Fixtures;
  readonly now: () => number;
}

/** The chance of YES of each contract of an event of any kind, in order. */
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

/** Whether each contract of an event of any kind resolves to YES, in order. */
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

/** @returns undefined if the match was dropped or its league is no longer in the fixtures */
export function matchOf(
  { state, fixtures }: Pick<Surroundings, 'state' | 'fixtures'>,
  id: string,
): { match: PaperMatch; league: LeagueFixture } | undefined {
  const match = state.matches[id];
  const league = match === undefined ? undefined : fixtures.leagues.get(match.league);
  return match === undefined || league === undefined ? undefined : { match, league };
}
