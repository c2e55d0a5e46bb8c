/** The line below a title: kind of market, volume, closing time. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { count, day, dayAndTime } from '../format.ts';
import { named, plural, t } from '../texts/texts.ts';

const DAY_MS = 86_400_000;

export function EventFacts({ event, full = false }: { readonly event: CatalogueEvent; readonly full?: boolean }) {
  const soon = Date.parse(event.closesAt) - Date.now() < 2 * DAY_MS;
  return (
    <p class="facts">
      {event.liveMatch !== null && !full && <span class="live">{t('live')}</span>}
      <span>
        {full
          ? plural('volume', event.volumeContracts, count(event.volumeContracts))
          : plural('volume24h', event.volume24hContracts, count(event.volume24hContracts))}
      </span>
      <span>{statusText(event) ?? t('closes', { when: (soon || full ? dayAndTime : day)(event.closesAt) })}</span>
    </p>
  );
}

function statusText({ status }: CatalogueEvent): string | null {
  return status === 'open' ? null : t(status);
}

/** The score of a fixture in play. */
export function Score({ event }: { readonly event: CatalogueEvent }) {
  const match = event.liveMatch;
  if (match === null) {
    return null;
  }
  return (
    <p class="score">
      <span class="live">{t('live')}</span>
      <b>
        {match.homeScore ?? '–'} : {match.awayScore ?? '–'}
      </b>
      <span class="quiet">{[match.period, match.clock].filter(Boolean).join(' · ')}</span>
    </p>
  );
}

export function categoryName(category: string, label: string = category): string {
  return named('cat_', category, label);
}
