/** The line below a title: kind of market, volume, closing time. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { count, day, dayAndTime } from '../format.ts';
import { named, plural, t } from '../texts/texts.ts';
import { Countdown } from './countdown.tsx';

const DAY_MS = 86_400_000;

export function EventFacts({ event, full = false }: { readonly event: CatalogueEvent; readonly full?: boolean }) {
  const soon = Date.parse(event.closesAt) - Date.now() < 2 * DAY_MS;
  return (
    <p class="facts">
      <span>
        {full
          ? plural('volume', event.volumeContracts, count(event.volumeContracts))
          : plural('volume24h', event.volume24hContracts, count(event.volume24hContracts))}
      </span>
      <span>
        {statusText(event) ?? (
          <Countdown closesAt={event.closesAt}>
            {t('closes', { when: (soon || full ? dayAndTime : day)(event.closesAt) })}
          </Countdown>
        )}
      </span>
    </p>
  );
}

function statusText({ status }: CatalogueEvent): string | null {
  return status === 'open' ? null : t(status);
}

/** The score of a fixture in play. `brief`: both sides in one line. */
export function Score({ event, brief = false }: { readonly event: CatalogueEvent; readonly brief?: boolean }) {
  const match = event.liveMatch;
  if (match === null) {
    return null;
  }
  const [home, away] = sidesOf(event.title);
  return (
    <div class="score" role="group" aria-label={t('live')}>
      <p>
        <span class="live">{t('live')}</span>{' '}
        <span class="quiet">{[match.period, match.clock].filter(Boolean).join(' · ')}</span>
      </p>
      {brief ? (
        <p class="score-line brief">
          <span>{home}</span>{' '}
          <b>
            {match.homeScore ?? '–'} : {match.awayScore ?? '–'}
          </b>{' '}
          <span>{away}</span>
        </p>
      ) : (
        <>
          <p class="score-line">
            {home && <span>{home}</span>} <b>{match.homeScore ?? '–'}</b>
          </p>
          <p class="score-line">
            {away && <span>{away}</span>} <b>{match.awayScore ?? '–'}</b>
          </p>
        </>
      )}
    </div>
  );
}

/** The sides of a fixture in the order of its score; a fixture is titled "home v away" in each language. */
function sidesOf(title: string): readonly [string?, string?] {
  const [fixture = ''] = title.split(':');
  const sides = fixture.split(/\s+(?:v|vs\.?|x|-|–)\s+/);
  return sides.length === 2 ? [sides[0] ?? '', sides[1] ?? ''] : [];
}

export function categoryName(category: string, label: string = category): string {
  return named('cat_', category, label);
}
