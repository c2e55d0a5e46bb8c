/** The line below a title: kind of market, volume, closing time. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { count, day, dayAndTime } from '../format.ts';
import { sidesOf } from '../games.ts';
import { named, plural, t } from '../texts/texts.ts';
import { Countdown } from './countdown.tsx';
import { TeamMark } from './marks.tsx';

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

/** That a game is in play, and how far it is; nothing before it. */
export function LiveClock({ event: { liveMatch } }: { readonly event: CatalogueEvent }) {
  return liveMatch === null ? null : (
    <span>
      <span class="live">{t('live')}</span>{' '}
      <span class="quiet">{[liveMatch.period, liveMatch.clock].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/** The score of a fixture in play, in one line. `large`: as a scoreboard, with the crests of the sides if the event has them. */
export function Score({ event, large = false }: { readonly event: CatalogueEvent; readonly large?: boolean }) {
  const match = event.liveMatch;
  if (match === null) {
    return null;
  }
  const [home, away] = sidesOf(event.title);
  const crestOf = (side: string | undefined) => large && event.outcomes.find(({ label }) => label === side);
  const [homeTeam, awayTeam] = [crestOf(home), crestOf(away)];
  return (
    <div class={large ? 'score large' : 'score'} role="group" aria-label={t('live')}>
      <p>
        <LiveClock event={event} />
      </p>
      <p class="score-line">
        <span>
          {homeTeam && <TeamMark outcome={homeTeam} />}
          {home}
        </span>{' '}
        <b>
          {match.homeScore ?? '–'} : {match.awayScore ?? '–'}
        </b>{' '}
        <span>
          {awayTeam && <TeamMark outcome={awayTeam} />}
          {away}
        </span>
      </p>
    </div>
  );
}

export function categoryName(category: string, label: string = category): string {
  return named('cat_', category, label);
}
