/** The contracts of a match's events: the winner, the total points, the margin. */
import type { LeagueFixture, MatchFixture, TeamFixture } from './fixture.ts';
import { blankContract, inKey } from './mint.ts';
import type { PaperContract, PaperMatch, Words } from './question.ts';
import { DRAW, inEach, marginLabel, thresholdLabel } from './wording.ts';

/** A match with the data of its fixture and league. */
export interface Meeting {
  readonly match: PaperMatch;
  readonly fixture: MatchFixture;
  readonly league: LeagueFixture;
  readonly home: TeamFixture;
  readonly away: TeamFixture;
}

export interface Parent {
  readonly id: string;
  readonly groupKey: string;
}

export function moneyline(event: Parent, { match, fixture, league, home, away }: Meeting): PaperContract[] {
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

export function totals(event: Parent, { fixture }: Meeting, thresholds: readonly number[]): PaperContract[] {
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

export function spreads(event: Parent, meeting: Meeting, thresholds: readonly number[]): PaperContract[] {
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
