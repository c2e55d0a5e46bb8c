/** The facts about an event that lists and pages show: its volume, its closing time with a countdown, and the score of a game. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { count, day, dayAndTime } from '../format.ts';
import { serviceNow } from '../service.ts';
import { named, plural, t } from '../texts/texts.ts';
import { sidesOf } from './games.ts';
import { TeamMark } from './pictures.tsx';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface FactsProps {
  readonly event: CatalogueEvent;
  readonly full?: boolean;
  /** Whether the view has a clock of its own, so that the closing time is left out. */
  readonly hasClock?: boolean;
}

export function EventFacts({ event, full = false, hasClock = false }: FactsProps) {
  const soon = Date.parse(event.closesAt) - Date.now() < 2 * DAY_MS;
  return (
    <p class="facts">
      <span>
        {full
          ? plural('volume', event.volumeContracts, count(event.volumeContracts))
          : plural('volume24h', event.volume24hContracts, count(event.volume24hContracts))}
      </span>
      {!hasClock && (
        <span>
          {statusText(event) ?? (
            <Countdown closesAt={event.closesAt}>
              {t('closes', { when: (soon || full ? dayAndTime : day)(event.closesAt) })}
            </Countdown>
          )}
        </span>
      )}
    </p>
  );
}

function statusText({ status }: CatalogueEvent): string | null {
  return status === 'open' ? null : t(status);
}

/** Below this time left, seconds are shown. */
const SECONDS_BELOW_MS = 10 * MINUTE_MS;

interface CountdownProps {
  readonly closesAt: string;
  /** Shown if the market closes later than in a day, or has closed. */
  readonly children: ComponentChildren;
}

/** "Closes in 2 h 14 min" for a market that closes within a day. It changes each minute, and each second in the last ten minutes. */
function Countdown({ closesAt, children }: CountdownProps) {
  const closes = Date.parse(closesAt);
  const [, setTurn] = useState(0);
  const leftMs = closes - serviceNow();
  const counts = leftMs > 0 && leftMs < DAY_MS;
  useEffect(() => {
    if (!counts) {
      return;
    }
    const stepMs = leftMs <= SECONDS_BELOW_MS ? SECOND_MS : MINUTE_MS;
    const timer = window.setTimeout(() => setTurn((turn) => turn + 1), (leftMs % stepMs) + 1);
    return () => window.clearTimeout(timer);
  });
  return counts ? (
    <time dateTime={closesAt}>{t('closesIn', { left: timeLeft(leftMs) })}</time>
  ) : (
    <span>{children}</span>
  );
}

/** @param leftMs above 0; units are rounded down */
function timeLeft(leftMs: number): string {
  const seconds = Math.floor(leftMs / SECOND_MS);
  const minutes = Math.floor(seconds / 60);
  if (leftMs < SECONDS_BELOW_MS) {
    return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** States that a game is in play, and its period and clock. Empty before the game. */
export function LiveClock({ event: { liveMatch } }: { readonly event: CatalogueEvent }) {
  return liveMatch === null ? null : (
    <span>
      <span class="live">{t('live')}</span>{' '}
      <span class="quiet">{[liveMatch.period, liveMatch.clock].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/**
 * The score of a fixture in play, in one line.
 * @param large as a scoreboard, with the crests of the sides if the event has them
 */
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
        <b>{t('scoreLine', { home: match.homeScore ?? '–', away: match.awayScore ?? '–' })}</b>{' '}
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
