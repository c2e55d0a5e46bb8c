/**
 * Keeps where a customer's calls come from, as a trusted proxy's header says (INLAY_COUNTRY_HEADER). It costs a statement
 * only when a process first meets a customer in a country; that call is answered once it is kept, and never fails by it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';
import { readCountry } from './countries.ts';

const REMEMBERED_CUSTOMERS = 50_000;
/** After this long `observedAt` is brought up to date although the country is the same. */
const REMEMBERED_MS = 3_600_000;

export type ObserveCountry = (
  operatorId: string,
  externalUserId: string,
  headers: IncomingHttpHeaders,
) => Promise<void>;

/** @param header lower-case name. */
export function createCountryObserver(sql: Sql, header: string, log: Logger): ObserveCountry {
  const seen = new LRUCache<string, string>({ max: REMEMBERED_CUSTOMERS, ttl: REMEMBERED_MS });
  return async (operatorId, externalUserId, headers) => {
    const sent = headers[header];
    const country = typeof sent === 'string' ? readCountry(sent) : null;
    const customer = `${operatorId} ${externalUserId}`;
    if (country === null || seen.get(customer) === country) {
      return;
    }
    seen.set(customer, country);
    try {
      // A customer who does not exist yet may be created by the next call, which must be observed then.
      if (!(await recordObservedCountry(sql, operatorId, externalUserId, country))) {
        seen.delete(customer);
      }
    } catch (error) {
      seen.delete(customer);
      log.warn({ err: error }, 'an observed country was not recorded');
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
