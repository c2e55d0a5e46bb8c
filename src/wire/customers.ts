/**
 * Customers and callers on the wire: limits in integers of cents (contract chapter 28), jurisdiction assertions (contract
 * chapter 29), and who a key is. The rooms check codes and amounts.
 */
import { z } from 'zod';
import { timestamp } from './money.ts';

const LARGEST_MINOR = 1_000_000_000;
const LONGEST_WINDOW_HOURS = 8760;
const LONGEST_NOTE = 500;

const amountMinor = z.int().min(1).max(LARGEST_MINOR);
const hours = z.int().min(1).max(LONGEST_WINDOW_HOURS);
const limitLevel = z.enum(['operator', 'account']);

/** PUT replaces: a missing field is null. Strict, because a misspelt ceiling must not read as no ceiling. */
export const customerLimitsInput = z
  .strictObject({
    maxWagerMinor: amountMinor.nullable().default(null),
    periodStakeMinor: amountMinor.nullable().default(null),
    periodHours: hours.nullable().default(null),
    note: z.string().max(LONGEST_NOTE).nullable().default(null),
  })
  .refine((limits) => (limits.periodStakeMinor === null) === (limits.periodHours === null), {
    message: 'periodStakeMinor and periodHours must be set together',
    path: ['periodStakeMinor'],
  })
  .meta({
    description: 'Set both `periodStakeMinor` and `periodHours`, or neither. A field that is left out is null.',
    anyOf: [
      {
        required: ['periodStakeMinor', 'periodHours'],
        properties: { periodStakeMinor: { type: 'integer' }, periodHours: { type: 'integer' } },
      },
      { properties: { periodStakeMinor: { type: 'null' }, periodHours: { type: 'null' } } },
    ],
  });

const operatorLevel = z.object({
  maxWagerMinor: amountMinor.nullable(),
  periodStakeMinor: amountMinor.nullable(),
  periodHours: hours.nullable(),
});

export const customerLimits = z
  .object({
    externalUserId: z.string(),
    account: operatorLevel.extend({ note: z.string().nullable() }),
    operator: operatorLevel,
    effective: z.object({
      maxWagerMinor: amountMinor.nullable(),
      maxWagerRung: limitLevel.nullable(),
      periods: z.array(z.object({ stakeMinor: amountMinor, hours, rung: limitLevel })),
    }),
  })
  .meta({ id: 'CustomerLimits' });

export type CustomerLimits = z.infer<typeof customerLimits>;

export const jurisdiction = z.object({ country: z.string(), subdivision: z.string().nullable() });

export const jurisdictionInput = z.object({ country: z.string(), subdivision: z.string().nullish() });

export const jurisdictionAssertion = z
  .object({
    userId: z.string(),
    jurisdiction: jurisdiction.nullable(),
    assertedAt: z.string().nullable(),
    assertedSource: z.enum(['api', 'embed_session']).nullable(),
    observedCountry: z.string().nullable(),
    observedAt: z.string().nullable(),
    mismatch: z.boolean().nullable(),
  })
  .meta({ id: 'JurisdictionAssertion' });

export type JurisdictionAssertion = z.infer<typeof jurisdictionAssertion>;

/** Who a key is (an addition of ours): the operator that it acts for, its scopes and its budget. */
export const whoami = z
  .object({
    keyId: z.string().describe('Id of the key.'),
    operatorId: z
      .string()
      .describe('The operator for which the request acts: the holder of the key, or the child that the header names.'),
    holderId: z.string().describe('The operator that holds the key.'),
    slug: z.string().describe('Slug of the operator for which the request acts.'),
    name: z.string().describe('Name of that operator.'),
    mode: z.enum(['sandbox', 'live']).describe('Mode of that operator.'),
    scopes: z.array(z.string()).describe('Scopes of the key.'),
    platformFeeBps: z.int().describe('Platform fee in basis points.'),
    tradingPaused: z.boolean().describe('Whether the service operator has paused trading.'),
    rateLimit: z
      .object({
        limit: z.int().describe('Requests per minute.'),
        remaining: z.int().describe('Requests left in this minute.'),
        resetSeconds: z.int().describe('Seconds until the minute ends.'),
      })
      .nullable()
      .describe('Rate limit of the key.'),
    timestamp: timestamp('Time of the response.'),
  })
  .meta({ id: 'Whoami' });
