/** The small line under a title: what kind of market, how busy, until when. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { count, day, dayAndTime } from '../format.ts';
import { named, t } from '../texts/texts.ts';

const DAY_MS = 86_400_000;

export function EventFacts({ event, full = false }: { readonly event: CatalogueEvent; readonly full?: boolean }) {
  const soon = Date.parse(event.closesAt) - Date.now() < 2 * DAY_MS;
  return (
    <p class="facts">
      {event.liveMatch !== null && !full && <span class="live">{t('live')}</span>}
      <span>
        {full
          ? t('volume', { n: count(event.volumeContracts) })
          : t('volume24h', { n: count(event.volume24hContracts) })}
      </span>
      <span>{standing(event) ?? t('closes', { when: (soon || full ? dayAndTime : day)(event.closesAt) })}</span>
    </p>
  );
}

function standing({ status }: CatalogueEvent): string | null {
  return status === 'open' ? null : t(status);
}

/** A fixture in play. */
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
