/**
 * The shared parts of lists and paths on the wire: the parameters of a page and the start of the next one (contract 4.9), and ids and
 * references that partners choose (contract 28.3). Limits are clamped, not refused; the limit of events has its own rule.
 */
import { z } from 'zod';
import { REFERENCE, REFERENCE_RULE } from '../core/reference.ts';

/** A page size in a query: a whole number, clamped to 1 to `max`. Anything else reads as `standard` (contract 11.14). */
export const pageLimit = (max: number, standard: number) =>
  z
    .string()
    .optional()
    .transform((text = '') => (/^[+-]?\d+$/.test(text) ? Math.min(max, Math.max(1, Number(text))) : standard))
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: standard,
      description: 'Items per page. A larger value is lowered to the maximum.',
    });

/** A query parameter that may be repeated, as a list. */
export const repeatable = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? [value] : value));

/** A time in a query, which `core/moment.ts` reads. The format is how a client, and a test, finds all of them. */
export const moment = (meaning: string) => z.string().optional().meta({ format: 'date-time', description: meaning });

/** Such a parameter of a closed set, which the document lists and the schema does not check. */
export function repeatableOf(values: readonly string[], description: string) {
  const one = { type: 'string', enum: values };
  return repeatable.optional().meta({ anyOf: [one, { type: 'array', items: one }], description });
}

export const cursor = z.string().optional().describe('Opaque text: `nextCursor` of the previous page.');

const LONGEST_WAIT_S = 20;

/** How long a read waits for the next record, in seconds, clamped; anything that is no whole number reads as 0. */
export const waitSeconds = z
  .string()
  .optional()
  .transform((text = '') => (/^\d+$/.test(text) ? Math.min(LONGEST_WAIT_S, Number(text)) : 0))
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_WAIT_S,
    default: 0,
    description:
      'If nothing follows the cursor, waits at most so many seconds for what comes next; clamped. At most four requests of a key wait; a fifth is answered at once.',
  });

/** The part of the rule that every dialect of regular expressions supports: no blank at either end. */
export const REFERENCE_PATTERN = '^\\S(.*\\S)?$';

/** A reference of the partner: an id of its end user, of its order, of its reserve. */
export const reference = z.string().regex(REFERENCE, REFERENCE_RULE).meta({
  minLength: 1,
  maxLength: 200,
  pattern: REFERENCE_PATTERN,
});

export const userFilter = reference.optional().describe("The operator's own id of a customer.");

export const count = z.int().min(0).describe('Items on this page.');
export const hasMore = z.boolean().describe('Whether there is more after this page.');
export const nextCursor = z.string().nullable().describe('Cursor of the next page; null at the end.');
/** The cursor of settlements and the feed: never null, so that it serves as a watermark. Stop on `hasMore`. */
export const watermark = z
  .string()
  .describe('Cursor that continues after this page, also at the end. Use `hasMore` to know when to stop.');

export const clampedPage = {
  limit: pageLimit(200, 50),
  cursor,
};

/** The parameters of `/users/{id}/...`. */
export const userParams = z.object({ id: reference.describe("The operator's own id of a customer.") });
