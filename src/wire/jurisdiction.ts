/** Jurisdiction assertions on the wire (contract chapter 29). Codes are checked by the room. */
import { z } from 'zod';

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
