/** The line below a title: kind of market, volume, closing time. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { count, day, dayAndTime } from '../format.ts';
import { serviceNow } from '../service.ts';
import { named, plural, t } from '../texts/texts.ts';
import { TeamMark } from './parts.tsx';

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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const LONGEST_COUNTDOWN_MS = 24 * 60 * MINUTE_MS;
/** From here on seconds are shown. */
const SECONDS_BELOW_MS = 10 * MINUTE_MS;

interface CountdownProps {
  readonly closesAt: string;
  /** What is shown if the market closes later than in a day, or has closed. */
  readonly children: ComponentChildren;
}

/**
 * "Closes in 2 h 14 min" for what closes within a day: it moves each minute, and each second in the last ten minutes.
 */
function Countdown({ closesAt, children }: CountdownProps) {
  const closes = Date.parse(closesAt);
  const [, setTurn] = useState(0);
  const leftMs = closes - serviceNow();
  const counts = leftMs > 0 && leftMs < LONGEST_COUNTDOWN_MS;
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

/** @param leftMs positive; units are rounded down. */
function timeLeft(leftMs: number): string {
  const seconds = Math.floor(leftMs / SECOND_MS);
  const minutes = Math.floor(seconds / 60);
  if (leftMs < SECONDS_BELOW_MS) {
    return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

// The events of one game. An exchange lists its result, its total and its margin apart; a sportsbook shows them
// together. Pure.

export interface Game {
  /** The event that decides the game, or the only event of whatever is no game. */
  readonly main: CatalogueEvent;
  readonly others: readonly CatalogueEvent[];
}

/** In the order of the first event of each game. */
export function groupGames(events: readonly CatalogueEvent[]): Game[] {
  const groups = Map.groupBy(events, (event) => (event.eventType === 'game' ? gameOf(event) : event.id));
  return [...groups.values()].flatMap((game) => {
    const main = game.find(({ title }) => marketName(title) === null) ?? game[0];
    return main === undefined ? [] : [{ main, others: game.filter(({ id }) => id !== main.id) }];
  });
}

/** The same text for all events of a game: they have the league, the sides and the closing time in common. */
export function gameOf({ league, title, closesAt }: CatalogueEvent): string {
  return [league, fixtureName(title), closesAt].join(' ');
}

/** What is asked about a game: `total goals` of `Arsenal v Chelsea: total goals`; null for its result. */
export function marketName(title: string): string | null {
  const [, name] = /:\s*(.+)$/.exec(title) ?? [];
  return name ?? null;
}

/** The sides of a fixture in the order of its score; a fixture is titled "home v away" in each language. */
function sidesOf(title: string): readonly [string?, string?] {
  const sides = fixtureName(title).split(/\s+(?:v|vs\.?|x|-|–)\s+/);
  return sides.length === 2 ? [sides[0] ?? '', sides[1] ?? ''] : [];
}

/** The outcomes of a fixture in the order of its score: home, whatever is between, away. Null if the event is none. */
export function bySides({ eventType, title, outcomes }: CatalogueEvent): Outcome[] | null {
  const [home, away] = sidesOf(title).map((side) => outcomes.find(({ label }) => label === side));
  if (eventType !== 'game' || home === undefined || away === undefined) {
    return null;
  }
  return [home, ...outcomes.filter((outcome) => outcome !== home && outcome !== away), away];
}

/** The points of a side of a game in play; null for a draw, and before the game. */
export function pointsOf({ liveMatch, title }: CatalogueEvent, { label }: Outcome): number | null {
  const [home, away] = sidesOf(title);
  const points = label === home ? liveMatch?.homeScore : label === away ? liveMatch?.awayScore : null;
  return points ?? null;
}

function fixtureName(title: string): string {
  return title.split(':')[0] ?? title;
}
