/**
 * The chances of a match's contracts, and which are right in the end. The model that prices a match is the one that plays it
 * (play-match.ts): each side scores at its own rate for the time that is left. Result, total and margin are read from one joint
 * distribution of final scores, so they cannot contradict each other, and every ladder is monotone.
 */

import type { LeagueFixture } from '../catalogue/fixture.ts';
import type { PaperContract, PaperEvent, PaperMatch } from '../catalogue/question.ts';
import { homeShareOf, pointsAScore } from './play-match.ts';

/** A chance of exactly 1 is left to what the score has decided. */
const LEAST = 1e-4;
/** Standard deviations beyond the mean from which points are not counted. */
const FAR = 8;

/** Chance of YES of each contract of a match event, from the score and the time left; exactly 1 for a total that was reached. */
export function matchChances(event: PaperEvent, match: PaperMatch, league: LeagueFixture): number[] {
  const { totals, margins } = finalsOf(match, league);
  const open = (chance: number) => Math.min(1 - LEAST, Math.max(LEAST, chance));
  const marginAbove = (line: number) => chanceAbove(margins, line);
  switch (marketOf(event)) {
    case 'totals':
      return event.contracts.map((contract) =>
        isDecided(contract, match) ? 1 : open(chanceAbove(totals, contract.threshold ?? 0)),
      );
    case 'spreads':
      return event.contracts.map(({ threshold, direction }) => {
        const above = marginAbove(threshold ?? 0);
        return open(direction === 'above' ? above : 1 - above);
      });
    case 'moneyline': {
      const homeWins = marginAbove(0.5);
      const notLost = marginAbove(-0.5);
      return (league.draws ? [homeWins, notLost - homeWins, 1 - notLost] : [homeWins, 1 - homeWins]).map(open);
    }
  }
}

/** The contracts that the score has decided although the match goes on: points are never taken back. */
export function decidedContracts(event: PaperEvent, match: PaperMatch): PaperContract[] {
  return marketOf(event) === 'totals' ? event.contracts.filter((contract) => isDecided(contract, match)) : [];
}

/** Which contracts the final score makes right. */
export function matchOutcome(event: PaperEvent, match: PaperMatch, league: LeagueFixture): boolean[] {
  const margin = match.homeScore - match.awayScore;
  switch (marketOf(event)) {
    case 'totals':
      return event.contracts.map((contract) => isDecided(contract, match));
    case 'spreads':
      return event.contracts.map(({ threshold, direction }) =>
        direction === 'above' ? margin > (threshold ?? 0) : margin < (threshold ?? 0),
      );
    case 'moneyline':
      return league.draws ? [margin > 0, margin === 0, margin < 0] : [margin > 0, margin < 0];
  }
}

function marketOf({ model }: PaperEvent): 'moneyline' | 'totals' | 'spreads' {
  return model.type === 'match' ? model.market : 'moneyline';
}

function isDecided({ threshold }: PaperContract, { homeScore, awayScore }: PaperMatch): boolean {
  return homeScore + awayScore > (threshold ?? 0);
}

/** Chances of whole numbers from `from` upwards. */
interface Distribution {
  readonly from: number;
  readonly chances: Float64Array;
}

/** The final total and the final margin of the home side. Without draws, a tie is decided by one more point of either side. */
function finalsOf(match: PaperMatch, league: LeagueFixture): { totals: Distribution; margins: Distribution } {
  const { homeScore, awayScore } = match;
  const scores = (league.total / pointsAScore(league)) * Math.max(0, 1 - match.played);
  const share = homeShareOf(match, league);
  const home = pointsToCome(scores * share, league.points);
  const away = pointsToCome(scores * (1 - share), league.points);
  const totals = { from: homeScore + awayScore, chances: new Float64Array(home.length + away.length + 1) };
  const margins = {
    from: homeScore - awayScore - away.length,
    chances: new Float64Array(home.length + away.length + 1),
  };
  for (const [homePoints, homeChance] of home.entries()) {
    for (const [awayPoints, awayChance] of away.entries()) {
      const chance = homeChance * awayChance;
      const total = homePoints + awayPoints;
      const margin = homePoints - awayPoints + away.length;
      if (league.draws || margins.from + margin !== 0) {
        totals.chances[total] = (totals.chances[total] ?? 0) + chance;
        margins.chances[margin] = (margins.chances[margin] ?? 0) + chance;
      } else {
        totals.chances[total + 1] = (totals.chances[total + 1] ?? 0) + chance;
        margins.chances[margin + 1] = (margins.chances[margin + 1] ?? 0) + chance / 2;
        margins.chances[margin - 1] = (margins.chances[margin - 1] ?? 0) + chance / 2;
      }
    }
  }
  return { totals, margins };
}

/**
 * Chances of 0, 1, 2, ... further points of a side, by Panjer's recursion for a compound Poisson distribution.
 * @param scores how often it is expected to score; each score is worth one of `points`, with equal chances
 */
function pointsToCome(scores: number, points: readonly number[]): number[] {
  const mean = scores * (points.reduce((sum, worth) => sum + worth, 0) / points.length);
  const variance = scores * (points.reduce((sum, worth) => sum + worth * worth, 0) / points.length);
  const most = Math.ceil(mean + FAR * Math.sqrt(variance)) + 2 * Math.max(...points);
  const chances = [Math.exp(-scores)];
  for (let total = 1; total <= most; total += 1) {
    let sum = 0;
    for (const worth of points) {
      sum += worth * (chances[total - worth] ?? 0);
    }
    chances.push((scores / (total * points.length)) * sum);
  }
  return chances;
}

function chanceAbove({ from, chances }: Distribution, line: number): number {
  let sum = 0;
  for (let index = chances.length - 1; index >= 0 && from + index > line; index -= 1) {
    sum += chances[index] ?? 0;
  }
  return sum;
}
