/**
 * Makes the events of question fixtures and of five-minute windows, and the parts that events of matches need as well
 * (`matches.ts`): ids, slugs, the price grid, and a contract without prices.
 */
import { CONTRACT } from '../micros.ts';
import { unitOf } from '../random.ts';
import type { Locale, Model, PaperContract, PaperEvent, Team } from './event.ts';
import { type AnswerFixture, type Profile, type QuestionFixture, spanMs } from './fixture.ts';
import { DOWN, FIVE, fillIn, inEach, slugOf, thresholdLabel, UP, YES } from './wording.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const LONG_RUN = 60 * DAY;
const LONG_PAST = 140 * DAY;
/** Fields with at least this many answers have prices below a cent. */
const LONG_FIELD = 8;

/**
 * The event of a question fixture. Its dates are relative to now, so that the catalogue is always current.
 *
 * @param generation how often the fixture was listed before
 * @param now milliseconds since 1970
 */
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

/** The log-odds of a chance: the latent number of an answer that is decided by itself. */
export function logit(p: number): number {
  return Math.log(p / (1 - p));
}

/**
 * A question that closes in two days or more closes at an hour of the afternoon or evening, a nearer one on a full
 * hour, and one that closes within two hours on a minute. A question about a month closes on the last day of the month.
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

/** A question that closes late opened long ago, so that it looks as if it had been traded for months. */
function opening(now: number, closesAt: number, opensIn: number): number {
  return closesAt - now > LONG_RUN && opensIn < 0 ? Math.min(now + opensIn, now - LONG_PAST) : now + opensIn;
}

export const WINDOW_MS = 300_000;

/** Spot prices at the first start, and their standard deviation per square root of a second. */
export const ASSETS: Readonly<Record<string, { name: string; spot: number; sigma: number }>> = {
  BTC: { name: 'Bitcoin', spot: 104_250, sigma: 0.00011 },
  ETH: { name: 'Ethereum', spot: 3_940, sigma: 0.00014 },
  SOL: { name: 'Solana', spot: 187.4, sigma: 0.0002 },
  XRP: { name: 'XRP', spot: 2.61, sigma: 0.0002 },
};

/**
 * The event of one window of five minutes: whether the asset is at or above its strike at the end. The strike is set
 * later, at the beginning of the window.
 *
 * @param asset a key of `ASSETS`
 * @param from the beginning of the window in milliseconds since 1970, on a five-minute boundary
 */
export function mintFive(asset: string, venue: string, from: number): PaperEvent {
  const name = `${asset.toLowerCase()}-5m-${from / 1000}`;
  const id = eventId(venue, name, 0);
  const groupKey = `${name}/0`;
  const words = { asset: ASSETS[asset]?.name ?? asset, from: clock(from), to: clock(from + WINDOW_MS) };
  return {
    id,
    fixture: name,
    generation: 0,
    groupKey,
    slug: `${asset.toLowerCase()}-up-or-down-5m-${from / 1000}`,
    title: fillIn('en', FIVE.en, from, words),
    subtitle: fillIn('en', '{date}', from),
    words: inEach((locale) => ({ title: fillIn(locale, FIVE[locale], from, words) })),
    category: 'crypto',
    categories: ['crypto'],
    kind: 'binary',
    sport: null,
    league: null,
    eventType: null,
    levelFormat: null,
    fiveMinute: true,
    opensAt: from - WINDOW_MS,
    closesAt: from + WINDOW_MS,
    tick: 10_000,
    halfSpread: 0.006,
    model: { type: 'five', asset, strike: null },
    contracts: [
      blankContract({ id, groupKey }, 'up', UP.en, 9_000, {
        profile: 'normal',
        yesLabel: UP.en,
        noLabel: DOWN.en,
        direction: 'above',
        words: inEach((locale) => ({ label: UP[locale], yesLabel: UP[locale], noLabel: DOWN[locale] })),
      }),
    ],
    closedAt: null,
    endedAt: null,
  };
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

export function eventId(venue: string, fixture: string, generation: number): string {
  return `${venue === 'paper' ? 'px' : 'p2'}-${fixture}${generation === 0 ? '' : `-${generation}`}`;
}

/** @param dated whether the slug contains the day of `closesAt` */
export function slugFor(base: string, dated: boolean, closesAt: number, generation: number): string {
  const date = dated ? `-${new Date(closesAt).toISOString().slice(0, 10)}` : '';
  return `${base}${date}${generation === 0 ? '' : `-${generation + 1}`}`;
}

/**
 * The price grid and half the spread of an event. Long lists of answers and tight books need tenths of a cent.
 *
 * @param answers how many contracts the event has
 */
export function gridOf(profile: Profile, answers: number, id: string): Pick<PaperEvent, 'tick' | 'halfSpread'> {
  const u = unitOf(`${id}:spread`);
  if (profile === 'tight') {
    return { tick: 1_000, halfSpread: 0.001 + u * 0.001 };
  }
  if (profile === 'subcent' || answers >= LONG_FIELD) {
    return { tick: 1_000, halfSpread: 0.0015 + u * 0.0015 };
  }
  return { tick: 10_000, halfSpread: 0.004 + u * 0.006 };
}

/**
 * A contract without prices.
 *
 * @param key distinguishes it within its event
 * @param volume about how many contracts were traded so far; the id decides by how much it is lowered
 * @param rest the fields that differ from the defaults
 */
export function blankContract(
  event: { id: string; groupKey: string },
  key: string,
  label: string,
  volume: number,
  rest: Partial<PaperContract> = {},
): PaperContract {
  const id = `${event.id}.${key}`;
  const share = 0.3 + 0.7 * unitOf(id);
  return {
    id,
    key,
    groupKey: `${event.groupKey}.${key}`,
    label,
    words: {},
    team: null,
    yesLabel: null,
    noLabel: null,
    sportsMarketType: null,
    threshold: null,
    direction: null,
    status: 'open',
    volume: Math.round(volume * share) * CONTRACT,
    volume24h: Math.round(volume * share * (0.01 + 0.08 * unitOf(`${id}:day`))) * CONTRACT,
    lastPrice: null,
    resolution: null,
    profile: 'normal',
    book: { bids: [], asks: [], sequence: 0 },
    frozen: false,
    feeBps: 0,
    next: [],
    ...rest,
  };
}

/** A threshold as the key of a contract contains it: `2.5` as `2_5`. */
export function inKey(threshold: number): string {
  return String(threshold).replace('.', '_');
}
