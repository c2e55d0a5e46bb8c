/**
 * Records from which country a customer's requests come, according to a trusted proxy's header (INLAY_COUNTRY_HEADER).
 * It needs a statement only when a process first sees a customer in a country; that request waits until the statement
 * is done, and never fails because of it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isAssigned, readCountry } from '../core/countries.ts';
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';

const REMEMBERED_CUSTOMERS = 50_000;
/** After this time `observedAt` is updated although the country is the same. */
const REMEMBERED_MS = 3_600_000;

export type ObserveCountry = (
  operatorId: string,
  externalUserId: string,
  headers: IncomingHttpHeaders,
) => Promise<void>;

/** @param header the name of the header in lower case */
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
