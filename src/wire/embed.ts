/**
 * Embed sessions on the wire (contract chapter 30), and the frame's reads with them: its account and its holdings. The demo's own routes
 * are here too; they are not part of the partner contract and exist on development machines only.
 */
import { z } from 'zod';
import { eventShape } from './catalogue.ts';
import { jurisdiction } from './customers.ts';
import { amount, currency } from './money.ts';
import { orderInput } from './order.ts';
import { reference } from './page.ts';
import { position } from './position.ts';
import { quoteInput } from './quote.ts';
import { settlement } from './reconciliation.ts';

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

/** The shape only. `embed/sessions.ts` refuses the origin, the region, the book and the customer's id by their own codes. */
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

/** A session without its token, as the frame reads its own. */
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

/** The frame's own session, the presentation of its operator, and the display rates with their dates. */
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

/**
 * The data that the frame shows before a quote: the fee rate, the simulated balance, the largest stake, and the permissions of the
 * jurisdiction.
 */
export const frameAccount = z
  .object({
    currency,
    platformFeeBps: z
      .int()
      .describe('Fee rate of the operator in basis points, for estimates; a quote states the fee.'),
    available: amount(
      'What the customer can still stake in practice mode; null where the operator holds the money.',
    ).nullable(),
    largestStake: z
      .object({
        amount: amount('The lowest of the limits and of the simulated balance.'),
        limit: z
          .enum([
            'over_wager_limit',
            'over_period_limit',
            'over_order_limit',
            'simulation_not_permitted',
            'insufficient_funds',
          ])
          .describe('Code with which a larger stake is refused.'),
      })
      .nullable()
      .describe('Largest possible stake of one buy now; null if nothing limits it.'),
    mayBuy: z.boolean().describe('Whether the customer’s jurisdiction permits buys.'),
    maySell: z.boolean().describe('Whether the customer may sell. The operator may allow exits everywhere.'),
  })
  .meta({ id: 'FrameAccount' });

export type FrameAccount = z.infer<typeof frameAccount>;

/** The data that a customer who may not trade still sees: positions, settlements, and their events. */
export const frameHoldings = z
  .object({
    platformFeeBps: z.int().describe('Fee rate of the operator in basis points, for estimates.'),
    positions: z.array(position).describe('The latest 200 positions, newest first.'),
    settlements: z.array(settlement).describe('The latest 200 settlements, newest first.'),
    events: z
      .array(eventShape)
      .describe('The events of these positions that are still in the catalogue, each with the outcomes that are held.'),
  })
  .meta({ id: 'FrameHoldings' });

export type FrameHoldings = z.infer<typeof frameHoldings>;

/** The demo acts only for customers whose id has this form. */
const user = z
  .string()
  .regex(/^demo-[a-z0-9-]{1,40}$/, 'demo- and up to 40 letters or digits')
  .default('demo-visitor');

export const demoSession = z.strictObject({
  user,
  ttlSeconds: z.int().min(60).max(3600).default(900),
  locale: z
    .string()
    .regex(/^[a-z]{2}$/, 'two letters')
    .optional(),
});

export const demoStateQuery = z.object({ user, cursor: z.string().max(500).optional() });

export const demoMailQuery = z.object({ user, after: z.coerce.number().int().min(0).default(0) });

export const demoResolution = z.strictObject({
  user,
  positionId: z.string().min(1).max(100),
  resolution: z.enum(['WIN', 'LOSS', 'VOID']),
});

export const demoQuote = quoteInput.and(z.object({ user }));

export const demoOrder = z.object({
  user,
  quoteId: orderInput.shape.quoteId,
  clientOrderId: orderInput.shape.clientOrderId,
});
