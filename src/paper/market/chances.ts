/**
 * The chances of the paper market's contracts: beliefs of events that have their own, and matches, which are played by the model that
 * prices them.
 */
import type { LeagueFixture } from '../catalogue/fixture.ts';
import type { LiveMatch, PaperContract, PaperEvent, PaperMatch } from '../catalogue/question.ts';
import type { Random } from './random.ts';

// The beliefs of the paper market: latent numbers that revert to a slowly drifting anchor, and the chances that follow
// from them. The chances of a field add up to one and a ladder is monotone by construction, since each comes from one
// distribution.

const REVERSION = 0.08;
/** Each event moves about every twelve seconds; more than this and no two quotes in a row have the same price. */
const NOISE = 0.012;
const DRIFT = 0.004;
const HOMING = 0.002;

/**
 * One step of the latent numbers of an event with its own belief; matches and five-minute contracts have other models.
 */
export function moveBelief(event: PaperEvent, random: Random): void {
  const { model } = event;
  if (model.type === 'independent' || model.type === 'field') {
    for (let index = 0; index < model.at.length; index += 1) {
      const anchor = model.anchor[index] ?? 0;
      const home = model.home[index] ?? 0;
      const moved = anchor + DRIFT * random.normal() + HOMING * (home - anchor);
      const at = model.at[index] ?? 0;
      model.anchor[index] = moved;
      model.at[index] = at + REVERSION * (moved - at) + NOISE * random.normal();
    }
  } else if (model.type === 'ladder') {
    model.anchor += model.scale * DRIFT * random.normal() + HOMING * (model.home - model.anchor);
    model.at += REVERSION * (model.anchor - model.at) + model.scale * NOISE * random.normal();
  }
}

/** Chance of YES of each contract, in order; undefined for events that follow a match or an asset. */
export function chancesOf(event: PaperEvent): number[] | undefined {
  const { model } = event;
  switch (model.type) {
    case 'independent':
      return model.at.map(logistic);
    case 'field':
      return softmax(model.at);
    case 'ladder':
      return event.contracts.map((contract) => {
        const above = logistic((model.at - (contract.threshold ?? 0)) / model.scale);
        return contract.direction === 'below' ? 1 - above : above;
      });
    default:
      return undefined;
  }
}

/** How an event with its own belief ends: which contracts are right, by one draw `u` in [0, 1). */
export function drawOutcome(event: PaperEvent, u: number): boolean[] {
  const { model } = event;
  const chances = chancesOf(event) ?? [];
  if (model.type === 'ladder') {
    const clamped = Math.min(Math.max(u, 1e-6), 1 - 1e-6);
    const value = model.at + model.scale * Math.log(clamped / (1 - clamped));
    return event.contracts.map(({ threshold, direction }) =>
      direction === 'below' ? value < (threshold ?? 0) : value > (threshold ?? 0),
    );
  }
  if (model.type === 'field') {
    let rest = u;
    let winner = chances.length - 1;
    for (const [index, chance] of chances.entries()) {
      rest -= chance;
      if (rest < 0) {
        winner = index;
        break;
      }
    }
    return chances.map((_, index) => index === winner);
  }
  return chances.map((chance, index) => (u + index * 0.618) % 1 < chance);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

export function logit(p: number): number {
  return Math.log(p / (1 - p));
}

/** Standard normal distribution function, accurate to 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t + 0.31938153) *
    t *
    Math.exp((-x * x) / 2) *
    0.3989422804;
  return x >= 0 ? 1 - tail : tail;
}

function softmax(values: readonly number[]): number[] {
  const top = Math.max(...values);
  const weights = values.map((value) => Math.exp(value - top));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

// The chances of a match's contracts, and which are right in the end. The model that prices a match is the one that
// plays it (play-match.ts): each side scores at its own rate for the time that is left. Result, total and margin are
// read from one joint distribution of final scores, so they cannot contradict each other, and every ladder is monotone.

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

/**
 * Plays until `now`.
 * @returns whether the score changed or the match began or ended
 */
export function playMatch(match: PaperMatch, league: LeagueFixture, now: number, random: Random): boolean {
  if (match.ended || now < match.kickoff) {
    return false;
  }
  const reached = Math.min(1, (now - match.kickoff) / (match.endsAt - match.kickoff));
  const began = match.played === 0;
  let changed = began && reached > 0;
  // In small steps, so that a match that is in play after a pause has a complete score.
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

/** Score, period and clock of a match in play; null before and after. */
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

/** The share of all scores that the home side makes. */
function homeShareOf({ edge }: PaperMatch, { total }: LeagueFixture): number {
  return Math.min(0.85, Math.max(0.15, 0.5 + edge / (2 * total)));
}

function pointsAScore(league: LeagueFixture): number {
  return league.points.reduce((sum, points) => sum + points, 0) / league.points.length;
}
