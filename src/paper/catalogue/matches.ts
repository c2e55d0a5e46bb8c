/**
 * Makes a match from its fixture, with the events that are listed on it: the winner, the total of points, and the
 * margin.
 */

import type { PaperContract, PaperEvent, PaperMatch, Words } from './event.ts';
import { type Fixtures, type LeagueFixture, type MatchFixture, spanMs, type TeamFixture } from './fixture.ts';
import { blankContract, eventId, gridOf, inKey, slugFor } from './mint.ts';
import {
  DRAW,
  fillIn,
  GOALS,
  inEach,
  marginLabel,
  SPREADS,
  slugOf,
  TOTALS,
  thresholdLabel,
  WINNER,
} from './wording.ts';

const MINUTE = 60_000;
/** A match takes longer than its periods, because of breaks, reviews and stoppages. */
const OVERRUN = 1.12;
const AFTER = 30 * MINUTE;

const COUNTS_GOALS = ['soccer', 'ice-hockey'];

interface MintedMatch {
  readonly match: PaperMatch;
  readonly events: PaperEvent[];
}

/**
 * @param index of the fixture among the match fixtures
 * @param generation how often the fixture was listed before
 * @param now milliseconds since 1970
 * @param kickoffIn milliseconds from now; negative for a match in play
 * @throws Error if the fixture names a league or a team that does not exist
 */
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
  // Every second meeting takes place at the other ground.
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
  return { match, events: eventsOf({ match, fixture, league, home, away }, venue, now) };
}

function eventsOf(meeting: Meeting, venue: string, now: number): PaperEvent[] {
  const { totals: points, spreads: margins } = meeting.fixture;
  const events = [
    eventOf(meeting, venue, now, {
      suffix: '',
      words: WINNER,
      kind: 'mutually_exclusive',
      levelFormat: null,
      market: 'moneyline',
      contracts: (event) => moneyline(event, meeting),
    }),
  ];
  if (points !== undefined) {
    events.push(
      eventOf(meeting, venue, now, {
        suffix: '-totals',
        words: COUNTS_GOALS.includes(meeting.league.sport) ? GOALS : TOTALS,
        kind: 'cumulative_ladder',
        levelFormat: '{k}',
        market: 'totals',
        contracts: (event) => totals(event, meeting, points),
      }),
    );
  }
  if (margins !== undefined) {
    events.push(
      eventOf(meeting, venue, now, {
        suffix: '-spreads',
        words: SPREADS,
        kind: 'ambiguous',
        levelFormat: '{k}',
        market: 'spreads',
        contracts: (event) => spreads(event, meeting, margins),
      }),
    );
  }
  return events;
}

interface Question extends Pick<PaperEvent, 'kind' | 'levelFormat'> {
  readonly suffix: string;
  readonly words: typeof WINNER;
  readonly market: 'moneyline' | 'totals' | 'spreads';
  readonly contracts: (event: Parent) => PaperContract[];
}

function eventOf({ match, league, home, away }: Meeting, venue: string, now: number, question: Question): PaperEvent {
  const { words, kind, levelFormat, market } = question;
  const name = `${slugOf(`${league.league}-${match.home}-${match.away}`)}${question.suffix}`;
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
    contracts: question.contracts({ id, groupKey }),
    closedAt: null,
    endedAt: null,
    kind,
    levelFormat,
  };
}

function teamIn(league: LeagueFixture, key: string): TeamFixture {
  const team = league.teams[key];
  if (team === undefined) {
    throw new Error(`no team ${key} in ${league.league}`);
  }
  return team;
}

/**
 * The time from the end of a match to the next kick-off of its fixture. A fixture that is in play at the first start is
 * repeated soon, so that one is in play nearly always.
 *
 * @returns milliseconds
 */
export function nextKickoffIn(fixture: MatchFixture): number {
  const span = spanMs(fixture.kickoff);
  return span <= 0 ? 10 * MINUTE : span;
}

/** A match with the data of its fixture and league. */
interface Meeting {
  readonly match: PaperMatch;
  readonly fixture: MatchFixture;
  readonly league: LeagueFixture;
  readonly home: TeamFixture;
  readonly away: TeamFixture;
}

interface Parent {
  readonly id: string;
  readonly groupKey: string;
}

function moneyline(event: Parent, { match, fixture, league, home, away }: Meeting): PaperContract[] {
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

function totals(event: Parent, { fixture }: Meeting, thresholds: readonly number[]): PaperContract[] {
  return thresholds.map((threshold) =>
    blankContract(
      event,
      `above-${inKey(threshold)}`,
      thresholdLabel('en', 'above', '{k}', threshold),
      fixture.volume / (thresholds.length * 3),
      {
        threshold,
        direction: 'above',
        sportsMarketType: 'totals',
        words: inEach((locale) => ({ label: thresholdLabel(locale, 'above', '{k}', threshold) })),
      },
    ),
  );
}

function spreads(event: Parent, meeting: Meeting, thresholds: readonly number[]): PaperContract[] {
  const { match, fixture } = meeting;
  return [meeting.home, meeting.away].flatMap((team, index) => {
    const key = index === 0 ? match.home : match.away;
    return thresholds.map((threshold) =>
      blankContract(
        event,
        `${key}-by-${inKey(threshold)}`.toLowerCase(),
        marginLabel('en', team.name, threshold),
        fixture.volume / (thresholds.length * 6),
        {
          // One axis, the home side's margin: the away side wins below the mirrored strike.
          threshold: index === 0 ? threshold : -threshold,
          direction: index === 0 ? 'above' : 'below',
          sportsMarketType: 'spreads',
          team: crestOf(key, team),
          words: inEach((locale) => ({ label: marginLabel(locale, team[locale] ?? team.name, threshold) })),
        },
      ),
    );
  });
}

function crestOf(key: string, team: TeamFixture): PaperContract['team'] {
  return {
    abbr: key,
    color: team.color,
    marks: team.marks ?? null,
  };
}
