/** Where jurisdiction assertions are kept, beside what was observed. Whether a customer may trade is judged elsewhere. */
import { refuse } from '../core/errors.ts';
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import { readCountry, readSubdivision } from './countries.ts';

/** All null where nothing was asserted or observed. */
export interface CustomerPlace {
  readonly country: string | null;
  readonly subdivision: string | null;
  readonly assertedAt: Date | null;
  readonly assertedSource: 'api' | 'embed_session' | null;
  readonly observedCountry: string | null;
  readonly observedAt: Date | null;
}

export interface Place {
  readonly country: string;
  readonly subdivision: string | null;
}

const NOWHERE: CustomerPlace = {
  country: null,
  subdivision: null,
  assertedAt: null,
  assertedSource: null,
  observedCountry: null,
  observedAt: null,
};

/** Reads ISO 3166 codes in either case. @throws invalid_jurisdiction */
export function readPlace(input: { readonly country: string; readonly subdivision?: string | null }): Place {
  const country = readCountry(input.country);
  if (country === null) {
    throw refuse('invalid_jurisdiction', 'country is two letters of ISO 3166-1.');
  }
  if (input.subdivision === undefined || input.subdivision === null) {
    return { country, subdivision: null };
  }
  const subdivision = readSubdivision(country, input.subdivision);
  if (subdivision === null) {
    throw refuse('invalid_jurisdiction', `subdivision is what follows the hyphen of an ISO 3166-2 code of ${country}.`);
  }
  return { country, subdivision };
}

/** Reading creates nobody: an unknown customer is nowhere. */
export async function getCustomerPlace(sql: Sql, operatorId: string, externalUserId: string): Promise<CustomerPlace> {
  const [row] = await asOperator<CustomerPlace[]>(
    sql,
    operatorId,
    sql`
      select country, subdivision, asserted_at as "assertedAt", asserted_source as "assertedSource",
        observed_country as "observedCountry", observed_at as "observedAt"
      from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  return row ?? NOWHERE;
}

/** Creates the customer on first use. @param setBy id of the API key. */
export async function assertPlace(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  place: Place,
  setBy: string,
): Promise<CustomerPlace> {
  const [row] = await sql<CustomerPlace[]>`
    select country, subdivision, asserted_at as "assertedAt", asserted_source as "assertedSource",
      observed_country as "observedCountry", observed_at as "observedAt"
    from assert_jurisdiction(${operatorId}, ${externalUserId}, ${place.country}, ${place.subdivision}, 'api', ${setBy})`;
  return row ?? NOWHERE;
}
