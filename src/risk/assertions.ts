/** Store of jurisdiction assertions, with the observed countries. Whether a customer may trade is decided elsewhere. */
import { readCountry, readSubdivision } from '../core/countries.ts';
import { refuse } from '../core/errors.ts';
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';

/** All fields are null if nothing was asserted or observed. */
export interface CustomerJurisdiction {
  readonly country: string | null;
  readonly subdivision: string | null;
  readonly assertedAt: Date | null;
  readonly assertedSource: 'api' | 'embed_session' | null;
  readonly observedCountry: string | null;
  readonly observedAt: Date | null;
}

export interface Jurisdiction {
  readonly country: string;
  readonly subdivision: string | null;
}

const NOT_ASSERTED: CustomerJurisdiction = {
  country: null,
  subdivision: null,
  assertedAt: null,
  assertedSource: null,
  observedCountry: null,
  observedAt: null,
};

/**
 * Reads codes in upper or lower case. Any two letters are a country (contract 29.3); one that is not assigned is in no list of permitted countries.
 * @throws invalid_jurisdiction
 */
export function readJurisdiction(input: {
  readonly country: string;
  readonly subdivision?: string | null;
}): Jurisdiction {
  const country = readCountry(input.country);
  if (country === null) {
    throw refuse('invalid_jurisdiction', 'country is two letters.');
  }
  if (input.subdivision === undefined || input.subdivision === null) {
    return { country, subdivision: null };
  }
  const subdivision = readSubdivision(input.subdivision);
  if (subdivision === null) {
    throw refuse('invalid_jurisdiction', 'subdivision is one to three letters or digits.');
  }
  return { country, subdivision };
}

/** Reading does not create the customer: an unknown customer has no jurisdiction. */
export async function getCustomerJurisdiction(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
): Promise<CustomerJurisdiction> {
  const [row] = await asOperator<CustomerJurisdiction[]>(
    sql,
    operatorId,
    sql`
      select country, subdivision, asserted_at as "assertedAt", asserted_source as "assertedSource",
        observed_country as "observedCountry", observed_at as "observedAt"
      from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  return row ?? NOT_ASSERTED;
}

/**
 * Creates the customer on first use.
 * @param setBy id of the API key
 */
export async function assertJurisdiction(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  jurisdiction: Jurisdiction,
  setBy: string,
): Promise<CustomerJurisdiction> {
  const [row] = await sql<CustomerJurisdiction[]>`
    select country, subdivision, asserted_at as "assertedAt", asserted_source as "assertedSource",
      observed_country as "observedCountry", observed_at as "observedAt"
    from assert_jurisdiction(${operatorId}, ${externalUserId}, ${jurisdiction.country}, ${jurisdiction.subdivision}, 'api', ${setBy})`;
  return row ?? NOT_ASSERTED;
}
