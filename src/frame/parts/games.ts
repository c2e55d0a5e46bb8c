/** The events of one game: an exchange lists its result, its total and its margin apart, and a sportsbook shows them together. Pure. */
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';

export interface Game {
  /** The event about the result of the game. An event that is not about a game stands alone. */
  readonly main: CatalogueEvent;
  readonly others: readonly CatalogueEvent[];
}

/** @returns games in the order of the first event of each */
export function groupGames(events: readonly CatalogueEvent[]): Game[] {
  const groups = Map.groupBy(events, (event) => (event.eventType === 'game' ? gameOf(event) : event.id));
  return [...groups.values()].flatMap((game) => {
    const main = game.find(({ title }) => marketName(title) === null) ?? game[0];
    return main === undefined ? [] : [{ main, others: game.filter(({ id }) => id !== main.id) }];
  });
}

/** A key that is the same for all events of a game, which share the league, the sides and the closing time. */
export function gameOf({ league, title, closesAt }: CatalogueEvent): string {
  return [league, fixtureName(title), closesAt].join(' ');
}

/** The question about a game: `total goals` of `Arsenal v Chelsea: total goals`. Null for its result. */
export function marketName(title: string): string | null {
  const [, name] = /:\s*(.+)$/.exec(title) ?? [];
  return name ?? null;
}

/** The sides of a fixture in the order of its score. Its title is "home v away" in every language. Empty if it is not a fixture. */
export function sidesOf(title: string): readonly [string?, string?] {
  const sides = fixtureName(title).split(/\s+(?:v|vs\.?|x|-|–)\s+/);
  return sides.length === 2 ? [sides[0] ?? '', sides[1] ?? ''] : [];
}

/** Home, a draw, and away. */
const MOST_SIDES = 3;

/** The outcomes of a fixture in the order of its score: home, a draw if there is one, away. Null if the event is not a fixture. */
export function bySides({ eventType, title, outcomes }: CatalogueEvent): Outcome[] | null {
  const [home, away] = sidesOf(title).map((side) => outcomes.find(({ label }) => label === side));
  if (eventType !== 'game' || home === undefined || away === undefined || outcomes.length > MOST_SIDES) {
    return null;
  }
  return [home, ...outcomes.filter((outcome) => outcome !== home && outcome !== away), away];
}

/** The points of a side of a game in play. Null for a draw, and before the game. */
export function pointsOf({ liveMatch, title }: CatalogueEvent, { label }: Outcome): number | null {
  const [home, away] = sidesOf(title);
  const points = label === home ? liveMatch?.homeScore : label === away ? liveMatch?.awayScore : null;
  return points ?? null;
}

function fixtureName(title: string): string {
  return title.split(':')[0] ?? title;
}
