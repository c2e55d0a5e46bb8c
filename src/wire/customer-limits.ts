/** Customer limits on the wire (contract chapter 28). Amounts are integers of cents. */
import { z } from 'zod';

const LARGEST_MINOR = 1_000_000_000;
const LONGEST_WINDOW_HOURS = 8760;
const LONGEST_NOTE = 500;

const amountMinor = z.int().min(1).max(LARGEST_MINOR);
const hours = z.int().min(1).max(LONGEST_WINDOW_HOURS);
const limitLevel = z.enum(['operator', 'account']);

/** PUT replaces: what is left out is null. Strict, because a misspelt ceiling must not read as no ceiling. */
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
    description: '`periodStakeMinor` and `periodHours` are set together, or neither. What is left out is null.',
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
