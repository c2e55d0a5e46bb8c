/**
 * The facts about an event that a list needs before it renders the event: whether it is listed, whether it can be traded, and whether a
 * change of the board matters for its place.
 */
import type { HaltedVenues } from '../board/board-state.ts';
import type { BoardEvent } from '../event.ts';
import { publishedPrice } from '../prices/price-rules.ts';

export interface EventSummary {
  readonly event: BoardEvent;
  readonly listed: boolean;
  /** Whether any outcome has an executable side. */
  readonly tradable: boolean;
  /** When this may change next without a change of the board, in milliseconds since 1970. */
  readonly changesAt: number;
}

/** @param halted venues whose markets are not tradable for the audience now */
export function summarize(event: BoardEvent, now: Date, halted: HaltedVenues | null = null): EventSummary {
  const time = now.getTime();
  let changesAt = Number.POSITIVE_INFINITY;
  let tradable = false;
  for (const { closesAt } of [event, ...event.contracts]) {
    const close = closesAt.getTime();
    if (close > time && close < changesAt) {
      changesAt = close;
    }
  }
  const listed = isListed(event, now);
  for (const contract of listed ? event.contracts : []) {
    if (publishedPrice(contract, now, halted).tradable) {
      tradable = true;
      break;
    }
  }
  return { event, listed, tradable, changesAt };
}

/**
 * Events are listed until their close, while they are open or paused. A game in play is listed after its close too
 * (contract chapter 7).
 */
export function isListed(event: BoardEvent, now: Date): boolean {
  if (isInPlay(event)) {
    return true;
  }
  return event.closesAt > now && (event.status === 'open' || event.status === 'paused');
}

/** Whether the event is a game that is being played and has no result yet. */
function isInPlay(event: BoardEvent): boolean {
  return (
    event.sport !== null &&
    event.eventType === 'game' &&
    event.liveMatch !== null &&
    event.status !== 'resolved' &&
    event.status !== 'voided'
  );
}

/**
 * Whether a list with the older summary still shows the same event at the same place, except for prices and volumes.
 */
export function isUnchanged(older: EventSummary, newer: EventSummary): boolean {
  const a = older.event;
  const b = newer.event;
  return (
    older.listed === newer.listed &&
    a.closesAt.getTime() === b.closesAt.getTime() &&
    a.opensAt.getTime() === b.opensAt.getTime() &&
    a.category === b.category &&
    a.sport === b.sport &&
    a.league === b.league &&
    a.title === b.title &&
    a.subtitle === b.subtitle &&
    sameValue(a.categories, b.categories) &&
    sameValue(a.translations, b.translations) &&
    a.contracts.length === b.contracts.length &&
    a.contracts.every((contract, index) => {
      const other = b.contracts[index];
      return (
        other !== undefined &&
        contract.contractId === other.contractId &&
        contract.label === other.label &&
        sameValue(contract.translations, other.translations)
      );
    })
  );
}

/** The board keeps objects that did not change, so this is usually one comparison of references. */
function sameValue(a: object, b: object): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
