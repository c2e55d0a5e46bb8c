/** A match in play: how its score moves, and what is reported during it. */
import type { LeagueFixture } from '../catalogue/fixture.ts';
import type { LiveMatch, PaperMatch } from '../catalogue/question.ts';
import type { Random } from './random.ts';

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
export function homeShareOf({ edge }: PaperMatch, { total }: LeagueFixture): number {
  return Math.min(0.85, Math.max(0.15, 0.5 + edge / (2 * total)));
}

export function pointsAScore(league: LeagueFixture): number {
  return league.points.reduce((sum, points) => sum + points, 0) / league.points.length;
}
