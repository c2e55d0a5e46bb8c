/**
 * Events as JSON text, rendered when it is first needed, once per version of an event and locale. The board replaces
 * only objects that changed, so after a change of one book one outcome is rendered again and joined with the others.
 */
import { LRUCache } from 'lru-cache';
import type { HaltedVenues } from '../board/board-state.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import type { RenderLocale } from './event-query.ts';
import { listedOutcomes, renderEventHead, renderOutcome } from './render-event.ts';

export interface RenderedEvents {
  /** An event as a list shows it, without its `trending` block. */
  listed(event: BoardEvent, locale: RenderLocale, now: Date): Text;
  /** An event with all its outcomes. */
  whole(event: BoardEvent, locale: RenderLocale, now: Date): Text;
}

/** JSON text that is valid until a close passes, at a time in milliseconds since 1970. */
interface Text {
  readonly json: string;
  readonly until: number;
}

/** A client that reads every event in every language fills no more than this. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** @param halted venues that take no orders now, for live operators; null for all others */
export function createRenderedEvents(halted: HaltedVenues | null): RenderedEvents {
  /** Each with the version of the event or contract that it shows, which it does not keep alive. */
  const texts = new LRUCache<string, Text & { readonly of: WeakRef<BoardEvent | BoardContract> }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ json }, key) => (json.length + key.length) * 2 + 256,
  });

  function remember(name: string, of: BoardEvent | BoardContract, now: Date, make: () => Text): Text {
    const known = texts.get(name);
    if (known !== undefined && known.of.deref() === of && now.getTime() < known.until) {
      return known;
    }
    const made = { ...make(), of: new WeakRef(of) };
    texts.set(name, made);
    return made;
  }

  function outcome(contract: BoardContract, locale: RenderLocale, now: Date): Text {
    return remember(`outcome ${locale} ${contract.contractId}`, contract, now, () => ({
      json: JSON.stringify(renderOutcome(contract, locale, now, halted)),
      until: contract.closesAt > now ? contract.closesAt.getTime() : Number.POSITIVE_INFINITY,
    }));
  }

  function join(event: BoardEvent, contracts: readonly BoardContract[], locale: RenderLocale, now: Date): Text {
    const head = JSON.stringify(renderEventHead(event, locale));
    const parts = contracts.map((contract) => outcome(contract, locale, now));
    return {
      json: `${head.slice(0, -1)},"outcomes":[${parts.map(({ json }) => json).join(',')}]}`,
      until: Math.min(...parts.map(({ until }) => until)),
    };
  }

  return {
    listed: (event, locale, now) =>
      remember(`listed ${locale} ${event.eventId}`, event, now, () => join(event, listedOutcomes(event), locale, now)),
    whole: (event, locale, now) =>
      remember(`whole ${locale} ${event.eventId}`, event, now, () => join(event, event.contracts, locale, now)),
  };
}
