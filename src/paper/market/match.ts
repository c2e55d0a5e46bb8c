/**
 * A match in play, and the chances of the contracts on it. The model that plays a match is the one that prices it: each
 * side scores at its own rate for the time that is left. Result, total and margin come from one joint distribution of
 * final scores, so they cannot contradict each other, and every ladder is monotone.
 */
import type { LiveMatch, PaperContract, PaperEvent, PaperMatch } from '../catalogue/event.ts';
import type { LeagueFixture } from '../catalogue/fixture.ts';
import type { Random } from '../random.ts';

/** Chances stay this far from 0 and 1, because only a contract that the score has decided is certain. */
const LEAST = 1e-4;
/** Standard deviations beyond the mean from which points are not counted. */
const FAR = 8;

/**
 * Plays the match until `now`, in milliseconds since 1970.
 *
 * @returns whether the score changed or the match began or ended
 */
export function playMatch(match: PaperMatch, league: LeagueFixture, now: number, random: Random): boolean {
  if (match.ended || now < match.kickoff) {
    return false;
  }
  const reached = Math.min(1, (now - match.kickoff) / (match.endsAt - match.kickoff));
  const began = match.played === 0;
  let changed = began && reached > 0;
  // The steps are small, so that a match that went on during a pause of the venue gets all its scores.
  while (match.played < reached) {
    const step = Math.min(0.002, reached - match.played);
    match.played += step;
    if (random.next() < 1 - Math.exp((-league.total / pointsAScore(league)) * step)) {
      const points = league.points[Math.floor(random.next() * league.points.length)] ?? 1;
      if (random.next() < homeShareOf(match, league)) {
        match.homeScore += points;
      } else {
        match.awayScore += points;
      }
      changed = true;
    }
  }
  if (reached >= 1) {
    if (!league.draws && match.homeScore === match.awayScore) {
      if (random.next() < 0.5) {
        match.homeScore += 1;
      } else {
        match.awayScore += 1;
      }
    }
    match.ended = true;
    changed = true;
  }
  return changed;
}

/** The score, period and clock of a match in play; null before and after it. */
export function liveOf(match: PaperMatch, league: LeagueFixture, now: number): LiveMatch | null {
  if (match.ended || now < match.kickoff) {
    return null;
  }
  const played = Math.min(0.9999, match.played);
  const index = Math.floor(played * league.periods.length);
  const within = played * league.periods.length - index;
  return {
    homeScore: match.homeScore,
    awayScore: match.awayScore,
    period: league.periods[index] ?? league.periods[league.periods.length - 1] ?? '',
    clock: clockText(league, index, within),
    observedAt: now,
  };
}

function clockText(league: LeagueFixture, index: number, within: number): string | null {
  const each = league.gameMinutes / league.periods.length;
  if (league.clock === 'none') {
    return null;
  }
  if (league.clock === 'up') {
    return `${Math.floor((index + within) * each) + 1}'`;
  }
  const left = Math.floor((1 - within) * each * 60);
  return `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`;
}

/**
 * The chance of YES of each contract of a match event, in order, from the score and the time that is left. It is
 * exactly 1 for a total that the score has passed.
 */
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

/** The contracts that are certain to resolve to YES, because points are never taken back. */
export function decidedContracts(event: PaperEvent, match: PaperMatch): PaperContract[] {
  return marketOf(event) === 'totals' ? event.contracts.filter((contract) => isDecided(contract, match)) : [];
}

/** Whether each contract resolves to YES by the final score, in order. */
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

/**
 * The final total and the final margin of the home side. In a league without draws, one more point of either side
 * decides a tie.
 */
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
 * @param scores how often the side is expected to score
 * @param points the points that one score may bring, each with the same chance
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

/** The share of all scores that the home side makes. */
function homeShareOf({ edge }: PaperMatch, { total }: LeagueFixture): number {
  return Math.min(0.85, Math.max(0.15, 0.5 + edge / (2 * total)));
}

function pointsAScore(league: LeagueFixture): number {
  return league.points.reduce((sum, points) => sum + points, 0) / league.points.length;
}
