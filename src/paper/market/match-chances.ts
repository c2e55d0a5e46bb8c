/** The chances of a match's contracts from its score and the time left, and which are right in the end. */

import type { LeagueFixture } from '../catalogue/fixture.ts';
import type { PaperEvent, PaperMatch } from '../catalogue/question.ts';
import { normalBelow } from './belief.ts';
import { pointsAScore } from './play-match.ts';

/** Chance of YES of each contract of a match event, from the score and the time left. */
export function matchChances(event: PaperEvent, match: PaperMatch, league: LeagueFixture): number[] {
  const left = Math.max(0.004, 1 - match.played);
  const margin = match.homeScore - match.awayScore + match.edge * left;
  const spread = league.spread * Math.sqrt(left);
  const above = (line: number) => 1 - normalBelow((line - margin) / spread);
  const market = event.model.type === 'match' ? event.model.market : 'moneyline';
  if (market === 'totals') {
    const total = match.homeScore + match.awayScore + league.total * left;
    const wide = Math.max(0.6, Math.sqrt(league.total * 1.3 * pointsAScore(league) * left));
    return event.contracts.map(({ threshold }) => 1 - normalBelow(((threshold ?? 0) - total) / wide));
  }
  if (market === 'spreads') {
    return event.contracts.map(({ threshold, direction }) =>
      direction === 'above' ? above(threshold ?? 0) : 1 - above(threshold ?? 0),
    );
  }
  if (league.draws) {
    const homeWins = above(0.5);
    const notLost = above(-0.5);
    return [homeWins, notLost - homeWins, 1 - notLost];
  }
  return [above(0), 1 - above(0)];
}

/** Which contracts the final score makes right. */
export function matchOutcome(event: PaperEvent, match: PaperMatch, league: LeagueFixture): boolean[] {
  const margin = match.homeScore - match.awayScore;
  const market = event.model.type === 'match' ? event.model.market : 'moneyline';
  if (market === 'totals') {
    return event.contracts.map(({ threshold }) => match.homeScore + match.awayScore > (threshold ?? 0));
  }
  if (market === 'spreads') {
    return event.contracts.map(({ threshold, direction }) =>
      direction === 'above' ? margin > (threshold ?? 0) : margin < (threshold ?? 0),
    );
  }
  return league.draws ? [margin > 0, margin === 0, margin < 0] : [margin > 0, margin < 0];
}
