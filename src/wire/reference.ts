/** Ids and references that partners choose, as every route reads them (rulings 12, "Access"). */
import { z } from 'zod';
import { REFERENCE, REFERENCE_RULE } from '../core/reference.ts';

/** A reference of the partner: an id of its end user, of its order, of its reserve. */
export const reference = z.string().regex(REFERENCE, REFERENCE_RULE).meta({ minLength: 1, maxLength: 200 });

/** The parameters of `/users/{id}/...`. */
export const userParams = z.object({ id: reference.describe("The operator's own id of a customer.") });
