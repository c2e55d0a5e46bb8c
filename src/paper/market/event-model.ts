/**
 * The price model of an event, with the same interface for all kinds: the chance of each contract now, and which are
 * right in the end.
 */

import { fiveChance } from '../catalogue/five-minutes.ts';
import type { Fixtures, LeagueFixture } from '../catalogue/fixture.ts';
import type { PaperEvent, PaperMatch } from '../catalogue/question.ts';
import type { PaperState } from '../exchange-state.ts';
import { chancesOf, drawOutcome } from './belief.ts';
import { matchChances, matchOutcome } from './match-chances.ts';
import { unitOf } from './random.ts';

/** What a model needs beside its event. */
export interface Surroundings {
  readonly state: PaperState;
  readonly fixtures: Fixtures;
  readonly now: () => number;
}

/** Chance of YES of each contract, in order. */
export function chancesNow(around: Surroundings, event: PaperEvent): number[] {
  if (event.model.type === 'five') {
    return [fiveChance(event, around.state.spots[event.model.asset] ?? 1, around.now())];
  }
  if (event.model.type === 'match') {
    const played = matchOf(around, event.model.match);
    return played === undefined ? [] : matchChances(event, played.match, played.league);
  }
  return chancesOf(event) ?? [];
}

/** Which contracts are right, in order. */
export function outcomeOf(around: Surroundings, event: PaperEvent): boolean[] {
  if (event.model.type === 'five') {
    const spot = around.state.spots[event.model.asset] ?? 0;
    return [spot >= (event.model.strike ?? spot)];
  }
  if (event.model.type === 'match') {
    const played = matchOf(around, event.model.match);
    return played === undefined ? [] : matchOutcome(event, played.match, played.league);
  }
  return drawOutcome(event, unitOf(`${around.state.seed}:${event.groupKey}:end`));
}

export function matchOf(
  { state, fixtures }: Pick<Surroundings, 'state' | 'fixtures'>,
  id: string,
): { match: PaperMatch; league: LeagueFixture } | undefined {
  const match = state.matches[id];
  const league = match === undefined ? undefined : fixtures.leagues.get(match.league);
  return match === undefined || league === undefined ? undefined : { match, league };
}
