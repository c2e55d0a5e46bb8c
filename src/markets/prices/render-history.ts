/** Recorded prices of an event as a chart reads them, with the present reference at the end. */
import { MICROS } from '../../money/units.ts';
import type { PriceHistory } from '../../wire/price-history.ts';
import type { RenderLocale } from '../catalogue/event-query.ts';
import { listedOutcomes } from '../catalogue/render-event.ts';
import type { BoardContract } from '../contract.ts';
import type { BoardEvent } from '../event.ts';
import type { HistoryPoint, HistoryRange } from './price-history.ts';
import { publishedPrice } from './price-rules.ts';

const CHARTED_OUTCOMES = 6;

/** The requested contracts of the event, or its most traded ones. */
export function chartedContracts(event: BoardEvent, wanted: readonly string[] | undefined): readonly BoardContract[] {
  if (wanted === undefined) {
    return listedOutcomes(event).slice(0, CHARTED_OUTCOMES);
  }
  return event.contracts.filter(({ contractId }) => wanted.includes(contractId));
}

export function renderHistory(
  event: BoardEvent,
  contracts: readonly BoardContract[],
  range: HistoryRange,
  recorded: ReadonlyMap<string, readonly HistoryPoint[]>,
  locale: RenderLocale,
  now: Date,
): PriceHistory {
  const series = contracts.map((contract) => {
    const points = (recorded.get(contract.contractId) ?? []).map(({ at, priceMicros }) =>
      pointOf(at, Number(priceMicros) / MICROS),
    );
    const { probability, priceBasis } = publishedPrice(contract, now);
    if (probability !== null && priceBasis !== 'none') {
      points.push(pointOf(now, probability));
    }
    const label = locale === 'en' ? undefined : contract.translations[locale]?.label;
    return { contractId: contract.contractId, label: label ?? contract.label, points };
  });
  return { data: { eventId: event.eventId, range, series } };
}

function pointOf(at: Date, probability: number): [seconds: number, probability: number, at: string] {
  const seconds = Math.floor(at.getTime() / 1000);
  return [seconds, probability, new Date(seconds * 1000).toISOString()];
}
