/** Makes events from question fixtures, with dates relative to now so that the catalogue is always current. */
import { logit } from '../market/belief.ts';
import { unitOf } from '../market/random.ts';
import { type AnswerFixture, type QuestionFixture, spanMs } from './fixture.ts';
import { blankContract, eventId, gridOf, inKey, slugFor } from './mint.ts';
import type { Locale, Model, PaperContract, PaperEvent, Team } from './question.ts';
import { fillIn, inEach, slugOf, thresholdLabel, YES } from './wording.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const LONG_RUN = 60 * 86_400_000;
const LONG_PAST = 140 * 86_400_000;
const DAY = 86_400_000;

/** @param generation 0 the first time a fixture is listed, one more each further time */
export function mintQuestion(fixture: QuestionFixture, venue: string, generation: number, now: number): PaperEvent {
  const closesAt = closingTime(now, fixture);
  const id = eventId(venue, fixture.id, generation);
  const dated = /\{(date|month)\}/.test(fixture.title);
  const answers = fixture.field ?? fixture.loose ?? [];
  const contracts = contractsOf(fixture, venue, generation);
  return {
    id,
    fixture: fixture.id,
    generation,
    groupKey: `${fixture.id}/${generation}`,
    slug: slugFor(fixture.id, dated, closesAt, generation),
    title: fillIn('en', fixture.title, closesAt),
    subtitle: fixture.subtitle === undefined ? null : fillIn('en', fixture.subtitle, closesAt),
    words: inEach((locale) => {
      const text = fixture[locale];
      return text === undefined ? undefined : { title: fillIn(locale, text, closesAt) };
    }),
    category: fixture.category,
    categories: [...new Set([fixture.category, ...fixture.categories])],
    kind: kindOf(fixture),
    sport: fixture.sport ?? null,
    league: fixture.league ?? null,
    eventType: fixture.sport === undefined ? null : 'future',
    levelFormat: fixture.ladder?.format ?? null,
    fiveMinute: false,
    opensAt: opening(now, closesAt, spanMs(fixture.opens)) + Math.floor(unitOf(`${id}:opens`) * DAY),
    closesAt,
    ...gridOf(fixture.book, answers.length, id),
    model: modelOf(fixture),
    contracts,
    closedAt: null,
    endedAt: null,
  };
}

function contractsOf(fixture: QuestionFixture, venue: string, generation: number): PaperContract[] {
  const event = { id: eventId(venue, fixture.id, generation), groupKey: `${fixture.id}/${generation}` };
  if (fixture.ladder !== undefined) {
    const { above, below, format } = fixture.ladder;
    const thresholds = [
      ...above.map((threshold) => ({ threshold, direction: 'above' as const })),
      ...below.map((threshold) => ({ threshold, direction: 'below' as const })),
    ];
    return thresholds.map(({ threshold, direction }) =>
      blankContract(
        event,
        `${direction}-${inKey(threshold)}`,
        thresholdLabel('en', direction, format, threshold),
        fixture.volume / thresholds.length,
        {
          threshold,
          direction,
          profile: fixture.book,
          words: inEach((locale) => ({ label: thresholdLabel(locale, direction, format, threshold) })),
        },
      ),
    );
  }
  const answers = fixture.field ?? fixture.loose;
  if (answers !== undefined) {
    return answers.map((answer) =>
      blankContract(event, slugOf(answer.label), answer.label, fixture.volume * weightOf(answer, answers), {
        profile: answer.book ?? fixture.book,
        threshold: answer.threshold ?? null,
        team: teamOf(answer),
        words: inEach((locale) => labelIn(answer, locale)),
        sportsMarketType: fixture.sport === undefined ? null : 'outright',
      }),
    );
  }
  return [
    blankContract(event, 'yes', fixture.yesLabel ?? YES.en, fixture.volume, {
      profile: fixture.book,
      yesLabel: fixture.yesLabel ?? null,
      noLabel: fixture.noLabel ?? null,
      words: fixture.yesLabel === undefined ? inEach((locale) => ({ label: YES[locale] })) : {},
    }),
  ];
}

function weightOf(answer: AnswerFixture, answers: readonly AnswerFixture[]): number {
  return (answer.p + 0.02) / answers.reduce((sum, one) => sum + one.p + 0.02, 0);
}

function labelIn(answer: AnswerFixture, locale: Locale): { label: string } | undefined {
  const label = answer[locale];
  return label === undefined ? undefined : { label };
}

function teamOf(answer: AnswerFixture): Team | null {
  if (answer.color === undefined) {
    return null;
  }
  return {
    abbr: answer.abbr ?? null,
    color: answer.color,
    marks: null,
  };
}

function kindOf(fixture: QuestionFixture): PaperEvent['kind'] {
  if (fixture.field !== undefined) {
    return 'mutually_exclusive';
  }
  if (fixture.loose !== undefined) {
    return 'ambiguous';
  }
  if (fixture.ladder === undefined) {
    return 'binary';
  }
  return fixture.ladder.above.length > 0 && fixture.ladder.below.length > 0 ? 'ambiguous' : 'cumulative_ladder';
}

function modelOf(fixture: QuestionFixture): Model {
  if (fixture.ladder !== undefined) {
    const { at, scale } = fixture.ladder;
    return { type: 'ladder', at, anchor: at, home: at, scale };
  }
  const field = fixture.field !== undefined;
  const answers = (fixture.field ?? fixture.loose)?.map((answer) => answer.p) ?? [fixture.p ?? 0.5];
  const latent = answers.map((p) => (field ? Math.log(p) : logit(p)));
  return { type: field ? 'field' : 'independent', at: [...latent], anchor: [...latent], home: [...latent] };
}

/**
 * Far dates close at an hour of the day, near ones on a full hour, the nearest on a minute. A question about a month closes on
 * the last day of the month.
 */
function closingTime(now: number, { closes, id, title }: QuestionFixture): number {
  const due = now + spanMs(closes);
  const hour = (15 + Math.floor(unitOf(id) * 8)) * HOUR;
  if (title.includes('{month}')) {
    const date = new Date(due);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) + hour;
  }
  if (due - now >= 2 * DAY) {
    return Math.floor(due / DAY) * DAY + hour;
  }
  const grain = due - now >= 2 * HOUR ? HOUR : MINUTE;
  return Math.ceil(due / grain) * grain;
}

/** A question about next year has been traded for months. */
function opening(now: number, closesAt: number, opensIn: number): number {
  return closesAt - now > LONG_RUN && opensIn < 0 ? Math.min(now + opensIn, now - LONG_PAST) : now + opensIn;
}
