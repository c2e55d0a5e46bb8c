/** What our wallet can pay at Polymarket: its balance, and what it allows the exchange's contract to take of it. */
import { expectShape } from '../response-shape.ts';
import type { Clob } from './clob.ts';
import { polymarketBalance } from './order-schemas.ts';
import { EXCHANGE, NEG_RISK_EXCHANGE } from './sign-order.ts';

export interface Funds {
  /** Micro-dollars, or micro-shares of a token. */
  readonly balanceMicros: bigint;
  /** By contract, in lower case; a contract that the exchange does not name is missing. */
  readonly allowances: ReadonlyMap<string, bigint>;
}

/** @param token whose shares are meant; undefined: dollars. @throws VenueUnknown */
export async function readFunds(venue: string, clob: Clob, token?: string): Promise<Funds> {
  const { body } = await clob.get(`/balance-allowance?${queryOf(clob, token)}`);
  const { balance, allowance, allowances } = expectShape(venue, 'balance', polymarketBalance, body);
  const named = Object.entries(allowances ?? {}).map(([address, amount]) => [address.toLowerCase(), amount] as const);
  const both = [EXCHANGE, NEG_RISK_EXCHANGE].map((address) => [address.toLowerCase(), allowance ?? 0n] as const);
  return { balanceMicros: balance, allowances: new Map(allowance == null ? named : [...both, ...named]) };
}

/**
 * Whether the wallet can pay this much in markets of that kind. What the exchange remembers may be old, so it is asked to read the
 * chain again before the answer is no.
 * @throws VenueUnknown
 */
export async function canPay(
  venue: string,
  clob: Clob,
  needed: bigint,
  negRisk: boolean,
  token?: string,
): Promise<boolean> {
  if (payableOf(await readFunds(venue, clob, token), negRisk) >= needed) {
    return true;
  }
  // its answer has no content that counts
  await clob.call('GET', `/balance-allowance/update?${queryOf(clob, token)}`).catch(() => undefined);
  return payableOf(await readFunds(venue, clob, token), negRisk) >= needed;
}

/** An allowance that is not named does not limit: the exchange itself refuses what it cannot take. */
function payableOf({ balanceMicros, allowances }: Funds, negRisk: boolean): bigint {
  const allowed = allowances.get((negRisk ? NEG_RISK_EXCHANGE : EXCHANGE).toLowerCase()) ?? balanceMicros;
  return allowed < balanceMicros ? allowed : balanceMicros;
}

function queryOf(clob: Clob, token: string | undefined): URLSearchParams {
  return new URLSearchParams({
    asset_type: token === undefined ? 'COLLATERAL' : 'CONDITIONAL',
    ...(token === undefined ? {} : { token_id: token }),
    signature_type: String(clob.wallet.signatureType),
  });
}
