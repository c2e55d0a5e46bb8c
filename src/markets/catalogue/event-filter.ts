/** Whether a list shows an event: the conditions of its query, and the caller's audience. Pure. */
import { refuse } from '../../core/errors.ts';
import type { BoardEvent } from '../event.ts';
import type { EventFilter } from './event-query.ts';
import type { EventSummary } from './event-summary.ts';
import { matchesSearch } from './search.ts';
import { rollsUpInto } from './sports.ts';

/** Which events are offered to a caller. */
export interface Audience {
  /** Equal for two audiences exactly if both are offered the same events. */
  readonly key: string;
  /** Whether its customers trade at venues: what no venue may trade now is not tradable for it. */
  readonly live: boolean;
  offers(event: BoardEvent): boolean;
}

export function passesFilter(filter: EventFilter, audience: Audience, { event, tradable }: EventSummary): boolean {
  if (filter.category !== null && !event.categories.includes(filter.category)) {
    return false;
  }
  if (filter.sport !== null && (event.sport === null || !rollsUpInto(event.sport, filter.sport))) {
    return false;
  }
  if (filter.league !== null && event.league !== filter.league) {
    return false;
  }
  if (filter.tradable && !tradable) {
    return false;
  }
  const closesAt = event.closesAt.getTime();
  if (filter.closesAfter !== null && closesAt < filter.closesAfter) {
    return false;
  }
  if (filter.closesBefore !== null && closesAt > filter.closesBefore) {
    return false;
  }
  return audience.offers(event) && matchesSearch(event, filter.words);
}

/** @throws invalid_sport, with the sports that the audience is offered, if no offered event is of this sport. */
export function requireSport(summaries: Iterable<EventSummary>, sport: string, audience: Audience): void {
  const sports = new Set<string>();
  for (const { event } of summaries) {
    if (event.sport !== null && audience.offers(event)) {
      if (rollsUpInto(event.sport, sport)) {
        return;
      }
      sports.add(event.sport);
    }
  }
  throw refuse('invalid_sport', undefined, { sports: [...sports].sort() });
}
