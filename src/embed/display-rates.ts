/**
 * Display currencies of the frame: units of a currency for one USD. For presentation only; bookings never read a rate.
 */
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';

/** Contract chapter 2. The books are in USD, so its rate is one and cannot be set. */
const DISPLAY_CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'CAD',
  'BRL',
  'USDT',
  'USDC',
  'DAI',
  'BTC',
  'ETH',
  'SOL',
  'ARB',
] as const;

const RATE = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,12})?$/;

export interface DisplayRate {
  readonly currency: string;
  /** Units of the currency for one USD. */
  readonly rate: number;
  /** Null for USD. */
  readonly setAt: Date | null;
}

/** @param rate decimal text, above zero. @throws invalid_request */
export async function setDisplayRate(sql: Sql, currency: string, rate: string): Promise<DisplayRate> {
  const known = DISPLAY_CURRENCIES.find((name) => name === currency.toUpperCase());
  if (known === undefined || known === 'USD') {
    throw refuse('invalid_request', `The currency is one of ${DISPLAY_CURRENCIES.slice(1).join(', ')}.`);
  }
  if (!RATE.test(rate) || Number(rate) === 0) {
    throw refuse('invalid_request', 'The rate is a decimal number above zero: units of the currency for one USD.');
  }
  const [row] = await sql<DisplayRate[]>`
    insert into display_rates as d (currency, rate, set_at) values (${known}, ${rate}::text::numeric, clock_timestamp())
    on conflict (currency) do update set rate = excluded.rate, set_at = excluded.set_at
    returning currency, rate::double precision as rate, set_at as "setAt"`;
  if (row === undefined) {
    throw new Error('setting a display rate returned no row');
  }
  return row;
}

/** In the order of the contract, without currencies that have no rate. USD is always included. */
export async function listDisplayRates(sql: Sql): Promise<DisplayRate[]> {
  const rows = await sql<DisplayRate[]>`
    select currency, rate::double precision as rate, set_at as "setAt" from display_rates`;
  const rates = new Map(rows.map((row) => [row.currency, row]));
  rates.set('USD', { currency: 'USD', rate: 1, setAt: null });
  return DISPLAY_CURRENCIES.map((currency) => rates.get(currency)).filter((rate) => rate !== undefined);
}
