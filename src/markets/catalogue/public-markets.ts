/**
 * Single contracts as the public website shows them (not part of the partner interface, contract chapter 37): everything that can be traded now, the most traded first. It knows no operator.
 */
import type { Clock } from '../../core/time.ts';
import type { Market } from '../../wire/catalogue.ts';
import type { Board } from '../board/board.ts';
import type { BoardContract } from '../contract.ts';
import type { BoardEvent } from '../event.ts';
import { publishedPrice } from '../prices/price-rules.ts';
import { isListed } from './event-summary.ts';
import { renderOutcome, renderPrice } from './render-event.ts';
import { type ReadyJson, readyJson } from './rendered-events.ts';

export interface PublicMarkets {
  /** @param limit 1 to 200. */
  list(limit: number): ReadyJson;
  find(contractId: string): Market | undefined;
  /** Prices to display, not to trade on. Ids that do not exist are listed separately. */
  prices(contractIds: readonly string[]): ReadyJson;
}

/** The order of all contracts is computed again after this time, whatever changed meanwhile. */
const ORDER_MS = 1_000;

export function createPublicMarkets(board: Board, clock: Clock): PublicMarkets {
  let order: readonly BoardContract[] = [];
  let orderedAt = Number.NEGATIVE_INFINITY;

  function ordered(now: Date): readonly BoardContract[] {
    if (performance.now() - orderedAt < ORDER_MS) {
      return order;
    }
    orderedAt = performance.now();
    order = [...board.events.values()]
      .filter((event) => isListed(event, now))
      .flatMap(({ contracts }) => contracts.filter(({ status }) => status === 'open'))
      .sort((a, b) => Number(b.volume24hMicros - a.volume24hMicros) || (a.contractId < b.contractId ? -1 : 1));
    return order;
  }

  function market(contract: BoardContract, now: Date): Market | undefined {
    const event: BoardEvent | undefined = board.events.get(contract.eventId);
    if (event === undefined) {
      return undefined;
    }
    const { eventId, slug, title, category } = event;
    return { ...renderOutcome(contract, 'en', now), event: { id: eventId, slug, title, category } };
  }

  return {
    list(limit) {
      const now = clock.now();
      const all = ordered(now);
      const data = all.slice(0, limit).flatMap(({ contractId }) => {
        const contract = board.contracts.get(contractId);
        return (contract && market(contract, now)) ?? [];
      });
      return readyJson(JSON.stringify({ data, total: all.length }));
    },
    find(contractId) {
      const contract = board.contracts.get(contractId);
      return contract && market(contract, clock.now());
    },
    prices(contractIds) {
      const now = clock.now();
      const found = contractIds.flatMap((id) => board.contracts.get(id) ?? []);
      const data = found.map((contract) => renderPrice(contract.contractId, publishedPrice(contract, now)));
      const unknown = contractIds.filter((id) => !board.contracts.has(id));
      return readyJson(JSON.stringify({ data, unknown }));
    },
  };
}
