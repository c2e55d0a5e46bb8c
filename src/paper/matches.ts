/** Fixtures of sport: their events, a score that moves while they are in play, and the chances that follow from it. */
import { normalBelow } from './belief.ts';
import { type Fixtures, type LeagueFixture, type MatchFixture, spanMs, type TeamFixture } from './fixture.ts';
import { drawCrest } from './image.ts';
import { blankContract, eventId, gridOf, slugFor } from './mint.ts';
import type { LiveMatch, PaperContract, PaperEvent, PaperMatch, Words } from './question.ts';
import type { Random } from './random.ts';
import { DRAW, fillIn, inEach, rungLabel, SPREADS, slugOf, TOTALS, WINNER } from './wording.ts';

const MINUTE = 60_000;
/** What a game stands still for: breaks, reviews, stoppages. */
const OVERRUN = 1.12;
const AFTER = 30 * MINUTE;

export interface MintedMatch {
  readonly match: PaperMatch;
  readonly events: PaperEvent[];
}

/** @param kickoffIn milliseconds from now; negative for a match in play. */
export function mintMatch(
  fixtures: Fixtures,
  index: number,
  venue: string,
  generation: number,
  now: number,
  kickoffIn: number,
): MintedMatch {
  const fixture = fixtures.matches[index];
  const league = fixture === undefined ? undefined : fixtures.leagues.get(fixture.league);
  if (fixture === undefined || league === undefined) {
    throw new Error(`match fixture ${index} names no league`);
  }
  // Every second meeting is at the other ground.
  const [homeKey, awayKey] = generation % 2 === 0 ? [fixture.home, fixture.away] : [fixture.away, fixture.home];
  const home = teamIn(league, homeKey);
  const away = teamIn(league, awayKey);
  const kickoff = Math.round((now + kickoffIn) / (5 * MINUTE)) * 5 * MINUTE;
  const match: PaperMatch = {
    id: `${fixture.league}-${homeKey}-${awayKey}-${generation}`,
    fixture: index,
    generation,
    league: league.league,
    kickoff,
    endsAt: kickoff + Math.ceil(league.periods.length * league.periodMinutes * OVERRUN) * MINUTE,
    home: homeKey,
    away: awayKey,
    homeScore: 0,
    awayScore: 0,
    edge: (home.rating - away.rating) * league.spread + league.spread * 0.15,
    played: 0,
    ended: false,
  };
  return { match, events: eventsOf(match, fixture, league, home, away, venue, now) };
}

function eventsOf(
  match: PaperMatch,
  fixture: MatchFixture,
  league: LeagueFixture,
  home: TeamFixture,
  away: TeamFixture,
  venue: string,
  now: number,
): PaperEvent[] {
  const base = slugOf(`${league.league}-${match.home}-${match.away}`);
  const make = (
    suffix: string,
    words: typeof WINNER,
    rest: Pick<PaperEvent, 'kind' | 'levelFormat'>,
    market: 'moneyline' | 'totals' | 'spreads',
    contracts: (event: { id: string; groupKey: string }) => PaperContract[],
  ): PaperEvent => {
    const name = `${base}${suffix}`;
    const id = eventId(venue, name, match.generation);
    const groupKey = `${name}/${match.generation}`;
    const closesAt = match.endsAt + AFTER;
    return {
      id,
      fixture: name,
      generation: match.generation,
      groupKey,
      slug: slugFor(name, true, match.kickoff, match.generation),
      title: fillIn('en', words.en, closesAt, { home: home.name, away: away.name }),
      subtitle: league.name,
      words: inEach((locale) => ({
        title: fillIn(locale, words[locale], closesAt, {
          home: home[locale] ?? home.name,
          away: away[locale] ?? away.name,
        }),
      })),
      category: 'sports',
      categories: ['sports'],
      sport: league.sport,
      league: league.league,
      eventType: 'game',
      fiveMinute: false,
      opensAt: now - 5 * 86_400_000,
      closesAt,
      ...gridOf('normal', 3, id),
      model: { type: 'match', match: match.id, market },
      contracts: contracts({ id, groupKey }),
      closedAt: null,
      endedAt: null,
      ...rest,
    };
  };
  const events = [
    make('', WINNER, { kind: 'mutually_exclusive', levelFormat: null }, 'moneyline', (event) =>
      moneyline(event, fixture, league, match, home, away),
    ),
  ];
  if (fixture.totals !== undefined) {
    const totals = fixture.totals;
    events.push(
      make('-totals', TOTALS, { kind: 'cumulative_ladder', levelFormat: '{k}' }, 'totals', (event) =>
        totals.map((threshold) =>
          blankContract(
            event,
            `above-${String(threshold).replace('.', '_')}`,
            rungLabel('en', 'above', '{k}', threshold),
            fixture.volume / (totals.length * 3),
            {
              threshold,
              direction: 'above',
              sportsMarketType: 'totals',
              words: inEach((locale) => ({ label: rungLabel(locale, 'above', '{k}', threshold) })),
            },
          ),
        ),
      ),
    );
  }
  if (fixture.spreads !== undefined) {
    const spreads = fixture.spreads;
    events.push(
      make('-spreads', SPREADS, { kind: 'ambiguous', levelFormat: '{k}' }, 'spreads', (event) =>
        [home, away].flatMap((team, index) =>
          spreads.map((threshold) =>
            blankContract(
              event,
              `${index === 0 ? match.home : match.away}-by-${String(threshold).replace('.', '_')}`.toLowerCase(),
              `${team.name} by more than ${threshold}`,
              fixture.volume / (spreads.length * 6),
              {
                // One axis, the home side's margin: the away side pays below the mirrored strike.
                threshold: index === 0 ? threshold : -threshold,
                direction: index === 0 ? 'above' : 'below',
                sportsMarketType: 'spreads',
                team: crestOf(index === 0 ? match.home : match.away, team),
              },
            ),
          ),
        ),
      ),
    );
  }
  return events;
}

function moneyline(
  event: { id: string; groupKey: string },
  fixture: MatchFixture,
  league: LeagueFixture,
  match: PaperMatch,
  home: TeamFixture,
  away: TeamFixture,
): PaperContract[] {
  const side = (key: string, team: TeamFixture) =>
    blankContract(event, key.toLowerCase(), team.name, fixture.volume / 2, {
      team: crestOf(key, team),
      sportsMarketType: 'moneyline',
      words: inEach((locale) => (team[locale] === undefined ? undefined : { label: team[locale] })),
    });
  const draw = blankContract(event, 'draw', DRAW.en, fixture.volume / 6, {
    sportsMarketType: 'moneyline',
    words: inEach((locale) => ({ label: DRAW[locale] })) as Words<{ label: string }>,
  });
  return league.draws
    ? [side(match.home, home), draw, side(match.away, away)]
    : [side(match.home, home), side(match.away, away)];
}

function crestOf(key: string, team: TeamFixture): PaperContract['team'] {
  return {
    abbr: key,
    color: team.colors[0],
    marks: team.marks ?? null,
    logo: drawCrest(key, team.colors[0], team.colors[1]),
  };
}

function teamIn(league: LeagueFixture, key: string): TeamFixture {
  const team = league.teams[key];
  if (team === undefined) {
    throw new Error(`no team ${key} in ${league.league}`);
  }
  return team;
}

/** Plays on until `now`. @returns whether the score changed or the match began or ended. */
export function playMatch(match: PaperMatch, league: LeagueFixture, now: number, random: Random): boolean {
  if (match.ended || now < match.kickoff) {
    return false;
  }
  const reached = Math.min(1, (now - match.kickoff) / (match.endsAt - match.kickoff));
  const began = match.played === 0;
  let changed = began && reached > 0;
  // In small steps, so that a match found in play after a pause has a whole score.
  while (match.played < reached) {
    const step = Math.min(0.002, reached - match.played);
    match.played += step;
    if (random.next() < 1 - Math.exp((-league.total / average(league.points)) * step)) {
      const points = league.points[Math.floor(random.next() * league.points.length)] ?? 1;
      const homeShare = Math.min(0.85, Math.max(0.15, 0.5 + match.edge / (2 * league.total)));
      if (random.next() < homeShare) match.homeScore += points;
      else match.awayScore += points;
      changed = true;
    }
  }
  if (reached >= 1) {
    if (!league.draws && match.homeScore === match.awayScore) {
      if (random.next() < 0.5) match.homeScore += 1;
      else match.awayScore += 1;
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

/** Chance of YES of each contract of a match event, from the score and what is left to play. */
export function matchChances(event: PaperEvent, match: PaperMatch, league: LeagueFixture): number[] {
  const left = Math.max(0.004, 1 - match.played);
  const margin = match.homeScore - match.awayScore + match.edge * left;
  const spread = league.spread * Math.sqrt(left);
  const above = (line: number) => 1 - normalBelow((line - margin) / spread);
  const market = event.model.type === 'match' ? event.model.market : 'moneyline';
  if (market === 'totals') {
    const total = match.homeScore + match.awayScore + league.total * left;
    const wide = Math.max(0.6, Math.sqrt(league.total * 1.3 * average(league.points) * left));
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

/** When the fixture meets again: what was in play comes again soon, so that there is always a match in play. */
export function nextKickoffIn(fixture: MatchFixture): number {
  const span = spanMs(fixture.kickoff);
  return span <= 0 ? 10 * MINUTE : span;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
