/**
 * Reads and validates the fixture files of the paper venue, once at start: questions, leagues and matches. It creates
 * no events.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** Shapes that the book around the price may have. */
const PROFILES = ['normal', 'tight', 'subcent', 'thin', 'wide', 'empty', 'bids', 'asks', 'crossed'] as const;
export type Profile = (typeof PROFILES)[number];

const words = { es: z.string().optional(), pt: z.string().optional(), hr: z.string().optional() };
const offset = z.string().regex(/^-?[0-9]+(\.[0-9]+)?[mhd]$/, 'a span such as 40m, 6h or 45d');
const profile = z.enum(PROFILES);
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const chance = z.number().gt(0).lt(1);

const answer = z.strictObject({
  label: z.string(),
  ...words,
  p: chance,
  book: profile.optional(),
  abbr: z.string().optional(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .optional(),
  threshold: z.number().optional(),
});

const ladder = z.strictObject({
  at: z.number(),
  scale: z.number().positive(),
  format: z.string().includes('{k}'),
  above: z.array(z.number()).default([]),
  below: z.array(z.number()).default([]),
});

const question = z.strictObject({
  id: slug,
  title: z.string(),
  ...words,
  subtitle: z.string().optional(),
  categories: z.array(z.string()).default([]),
  closes: offset,
  opens: offset.default('-20d'),
  volume: z.number().positive().default(40_000),
  sport: slug.optional(),
  league: slug.optional(),
  book: profile.default('normal'),
  /** Exactly one of these four is set. It determines the kind of event. */
  p: chance.optional(),
  field: z.array(answer).min(2).optional(),
  loose: z.array(answer).min(2).optional(),
  ladder: ladder.optional(),
  yesLabel: z.string().optional(),
  noLabel: z.string().optional(),
});

const team = z.strictObject({
  name: z.string(),
  hr: z.string().optional(),
  es: z.string().optional(),
  pt: z.string().optional(),
  color: z.string(),
  marks: z.string().optional(),
  rating: z.number().default(0),
});

const league = z.strictObject({
  sport: slug,
  league: slug,
  name: z.string(),
  /** The names of the periods; each takes `periodMinutes` by the wall clock. */
  periods: z.array(z.string()).min(1),
  periodMinutes: z.number().positive(),
  /** The clock shows the minutes that were played, the time that is left, or nothing. */
  clock: z.enum(['up', 'down', 'none']),
  gameMinutes: z.number().positive(),
  draws: z.boolean(),
  /** The points that both sides together are expected to make. */
  total: z.number().positive(),
  /** The points that a difference of one in `rating` is worth. */
  spread: z.number().positive(),
  /** The points that one score may bring. */
  points: z.array(z.number().int().positive()).min(1),
  teams: z.record(z.string(), team),
});

const match = z.strictObject({
  league: slug,
  home: z.string(),
  away: z.string(),
  kickoff: offset,
  totals: z.array(z.number()).optional(),
  spreads: z.array(z.number()).optional(),
  volume: z.number().positive().default(60_000),
});

const questions = z.strictObject({ category: z.string(), questions: z.array(question) });
const sports = z.strictObject({ leagues: z.array(league), matches: z.array(match) });

export type QuestionFixture = z.infer<typeof question> & { category: string };
export type AnswerFixture = z.infer<typeof answer>;
export type LeagueFixture = z.infer<typeof league>;
export type TeamFixture = z.infer<typeof team>;
export type MatchFixture = z.infer<typeof match>;

export interface Fixtures {
  readonly questions: readonly QuestionFixture[];
  readonly leagues: ReadonlyMap<string, LeagueFixture>;
  readonly matches: readonly MatchFixture[];
}

/**
 * @param folder contains `questions/*.yaml` and `sports.yaml`
 * @throws Error with the name of the file or of the fixture if one is invalid
 */
export function readFixtures(folder: string): Fixtures {
  const all: QuestionFixture[] = [];
  for (const name of readdirSync(join(folder, 'questions')).sort()) {
    if (!name.endsWith('.yaml')) {
      continue;
    }
    const file = read(join(folder, 'questions', name), questions);
    all.push(...file.questions.map((one) => ({ ...one, category: file.category })));
  }
  for (const one of all) {
    if ([one.p, one.field, one.loose, one.ladder].filter((shape) => shape !== undefined).length !== 1) {
      throw new Error(`fixture ${one.id}: exactly one of p, field, loose and ladder`);
    }
  }
  const file = read(join(folder, 'sports.yaml'), sports);
  return {
    questions: all,
    leagues: new Map(file.leagues.map((one) => [one.league, one])),
    matches: file.matches,
  };
}

function read<T>(path: string, schema: z.ZodType<T>): T {
  const result = schema.safeParse(parse(readFileSync(path, 'utf8')));
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new Error(`${path}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return result.data;
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** @returns the length of a span such as `-40m` or `45d` in milliseconds */
export function spanMs(text: string): number {
  return Number(text.slice(0, -1)) * UNITS[text.slice(-1) as keyof typeof UNITS];
}
