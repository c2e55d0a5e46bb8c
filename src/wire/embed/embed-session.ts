/** Embed sessions on the wire (contract chapter 30). */
import { z } from 'zod';
import { jurisdiction } from '../jurisdiction.ts';
import { reference } from '../reference.ts';

export const REGIONS = ['global', 'ar', 'br', 'mx', 'cl', 'co', 'pe', 'us', 'eu', 'hr'] as const;

const DEFAULT_TTL_SECONDS = 900;
const MOST_THEME_KEYS = 32;
const LONGEST_THEME_KEY = 64;
const LONGEST_THEME_VALUE = 256;
const LONGEST_LOCALE = 35;

const theme = z
  .record(
    z.string().min(1).max(LONGEST_THEME_KEY),
    z.union([z.string().max(LONGEST_THEME_VALUE), z.number(), z.boolean()]),
  )
  .refine((keys) => Object.keys(keys).length <= MOST_THEME_KEYS, `at most ${MOST_THEME_KEYS} keys`);

/** The shape only. Origin, region, book and the id that a book asks for have refusals of their own, in `embed/sessions.ts`. */
export const embedSessionInput = z.strictObject({
  externalUserId: reference,
  returnOrigin: z
    .string()
    .optional()
    .describe(
      'The origin of the page, `https` or `http` on loopback; a path is dropped. Calls of the session are taken from it alone.',
    ),
  ttlSeconds: z.int().min(60).max(3600).default(DEFAULT_TTL_SECONDS),
  locale: z
    .string()
    .max(LONGEST_LOCALE)
    .regex(/^(?:[A-Za-z]{2,8}|[ixIX]-[A-Za-z0-9]{1,8})(?:-[A-Za-z0-9]{1,8})*$/, 'a BCP-47 language tag')
    .optional(),
  region: z.string().optional().meta({ enum: REGIONS }),
  jurisdiction: z.strictObject({ country: z.string(), subdivision: z.string().nullish() }).optional(),
  theme: theme.default({}),
  operatorBookId: z.string().optional(),
});

const sessionUsage = z.object({ requests: z.int(), limit: z.int(), resetsAt: z.string() });

/** What a session is, without its token: the frame reads this of itself. */
const embedSessionFacts = z.object({
  sessionId: z.string(),
  expiresAt: z.string(),
  expiresInSeconds: z.int(),
  operatorId: z.string(),
  externalUserId: z.string(),
  origin: z.string().nullable(),
  locale: z.string().nullable(),
  region: z.enum(REGIONS).nullable(),
  jurisdiction: jurisdiction.nullable(),
  theme: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  usage: sessionUsage,
  operatorBookId: z.string().optional(),
});

export const embedSession = embedSessionFacts
  .extend({
    token: z.string(),
    tokenType: z.literal('embed_session'),
  })
  .meta({ id: 'EmbedSession' });

export const revokedSession = z.object({ sessionId: z.string(), revokedAt: z.string() }).meta({ id: 'RevokedSession' });

/** What the frame learns of itself: the session, how its operator presents itself, and the display rates with their dates. */
export const frameSession = embedSessionFacts.extend({
  operator: z.object({
    slug: z.string(),
    name: z.string(),
    mode: z.enum(['sandbox', 'live']),
    presentation: z.record(z.string(), z.unknown()),
  }),
  displayRates: z.array(z.object({ currency: z.string(), rate: z.number(), setAt: z.string().nullable() })),
});

export type EmbedSessionInput = z.infer<typeof embedSessionInput>;
export type EmbedSessionFacts = z.infer<typeof embedSessionFacts>;
export type EmbedSession = z.infer<typeof embedSession>;
export type FrameSession = z.infer<typeof frameSession>;
