/**
 * The country from which a customer trades: as the operator asserts it, which is checked, and as requests show it. A mismatch of the two
 * is shown and never causes a refusal (contract chapter 29, contract 29.5, contract 29.6).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isAssigned, readCountry, readSubdivision } from '../core/countries.ts';
import { refuse } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Action } from '../core/terms.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { JurisdictionAssertion } from '../wire/customers.ts';

interface JurisdictionPolicy {
  readonly mode: 'off' | 'observe' | 'enforced';
  /** ISO 3166-1 alpha-2, upper case. */
  readonly permittedCountries: readonly string[];
  readonly allowExits: boolean;
}

/**
 * True except under `enforced` for a customer without an asserted country or with one that is not permitted. Such a
 * customer may still sell if the operator allows exits. `jurisdiction_permits` is the same rule for the money
 * statements; a test compares the two.
 */
export function mayTrade(policy: JurisdictionPolicy, assertedCountry: string | null, action: Action = 'buy'): boolean {
  if (policy.mode !== 'enforced' || (action === 'sell' && policy.allowExits)) {
    return true;
  }
  return assertedCountry !== null && policy.permittedCountries.includes(assertedCountry);
}

/** Whether the asserted and the observed country differ; null if either is missing. */
export function jurisdictionMismatch(asserted: string | null, observed: string | null): boolean | null {
  if (asserted === null || observed === null) {
    return null;
  }
  return asserted !== observed;
}

/** All fields are null if nothing was asserted or observed. */
interface CustomerJurisdiction {
  readonly country: string | null;
  readonly subdivision: string | null;
  readonly assertedAt: Date | null;
  readonly assertedSource: 'api' | 'embed_session' | null;
  readonly observedCountry: string | null;
  readonly observedAt: Date | null;
}

/** An assertion as the API shows it, with the observed country. */
export function renderJurisdiction(userId: string, asserted: CustomerJurisdiction): JurisdictionAssertion {
  return {
    userId,
    jurisdiction: asserted.country === null ? null : { country: asserted.country, subdivision: asserted.subdivision },
    assertedAt: asserted.assertedAt?.toISOString() ?? null,
    assertedSource: asserted.assertedSource,
    observedCountry: asserted.observedCountry,
    observedAt: asserted.observedAt?.toISOString() ?? null,
    mismatch: jurisdictionMismatch(asserted.country, asserted.observedCountry),
  };
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
 * Reads codes in upper or lower case. Any two letters are a country (contract 29.3); a country that is not assigned is in no list of
 * permitted countries.
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

const REMEMBERED_CUSTOMERS = 50_000;
/** After this time `observedAt` is updated although the country is the same. */
const REMEMBERED_MS = 3_600_000;

export type ObserveCountry = (
  operatorId: string,
  externalUserId: string,
  headers: IncomingHttpHeaders,
) => Promise<void>;

/**
 * Records from which country a customer's requests come, according to a trusted proxy's header (INLAY_COUNTRY_HEADER).
 * It needs a statement only when a process first sees a customer in a country; that request waits until the statement
 * is done, and never fails because of it.
 *
 * @param header the name of the header in lower case
 */
export function createCountryObserver(sql: Sql, header: string, log: Logger): ObserveCountry {
  const seen = new LRUCache<string, string>({ max: REMEMBERED_CUSTOMERS, ttl: REMEMBERED_MS });
  return async (operatorId, externalUserId, headers) => {
    const sent = headers[header];
    const country = typeof sent === 'string' ? readCountry(sent) : null;
    const customer = `${operatorId} ${externalUserId}`;
    if (country === null || !isAssigned(country) || seen.get(customer) === country) {
      return;
    }
    seen.set(customer, country);
    try {
      // A customer who does not exist yet may be created by the next request, which must then be observed.
      if (!(await recordObservedCountry(sql, operatorId, externalUserId, country))) {
        seen.delete(customer);
      }
    } catch (error) {
      seen.delete(customer);
      log.warn({ err: error }, 'could not record the observed country of a customer');
    }
  };
}

/** @returns whether the customer exists. */
async function recordObservedCountry(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  country: string,
): Promise<boolean> {
  const { count } = await sql`
    update customers set observed_country = ${country}, observed_at = now()
    where operator_id = ${operatorId} and external_user_id = ${externalUserId}`;
  return count > 0;
}
