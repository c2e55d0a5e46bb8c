/** Ids and references that partners choose, as every route reads them (contract 28.3). */
import { z } from 'zod';
import { REFERENCE, REFERENCE_RULE } from '../core/reference.ts';

/** What every expression language can say of the rule: no blank at either end. The whole rule is wider than some can read. */
export const REFERENCE_PATTERN = '^\\S(.*\\S)?$';

/** A reference of the partner: an id of its end user, of its order, of its reserve. */
export const reference = z.string().regex(REFERENCE, REFERENCE_RULE).meta({
  minLength: 1,
  maxLength: 200,
  pattern: REFERENCE_PATTERN,
});

/** The parameters of `/users/{id}/...`. */
export const userParams = z.object({ id: reference.describe("The operator's own id of a customer.") });
