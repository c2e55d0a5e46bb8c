/**
 * The simulated exchange: the events it lists, their books and last prices. It records changes and notifies a listener;
 * it knows no socket. step.ts applies the passing of time, manual-control.ts the interventions of a person, and
 * order-book-service.ts handles orders.
 */

import type { Fixtures } from './catalogue/fixture.ts';
import type { Level, PaperContract, PaperEvent, PaperMatch } from './catalogue/question.ts';
import { firstState, type PaperState, restoreState } from './exchange-state.ts';
import type { Journal } from './journal.ts';
import { makeBook } from './market/book-making.ts';
import { chancesNow } from './market/event-model.ts';
import { createRandom, type Random } from './market/random.ts';
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
