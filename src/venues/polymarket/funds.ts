/** What our wallet can pay at Polymarket: its balance, and what it allows the exchange's contract to take of it. */
import { expectShape } from '../response-shape.ts';
import type { Clob } from './clob.ts';
import { polymarketBalance } from './order-schemas.ts';
import { EXCHANGE, EXCHANGE_V3, NEG_RISK_EXCHANGE } from './sign-order.ts';

/** The order entry still asks what this retired contract may take of the dollars for markets that exclude each other. */
export const NEG_RISK_ADAPTER = '0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296';

export interface Funds {
  /** Micro-dollars, or micro-shares of a token. */
  readonly balanceMicros: bigint;
  /** By contract, in lower case; a contract that the exchange does not name is missing. */
  readonly allowances: ReadonlyMap<string, bigint>;
}

/** A token, and the contract of its market's exchange. */
export interface Shares {
  readonly token: string;
  readonly contract: string;
}

/** @param shares that are meant; undefined: dollars. @throws VenueUnknown */
export async function readFunds(venue: string, clob: Clob, shares?: Shares): Promise<Funds> {
  const { body } = await clob.get(`/balance-allowance?${queryOf(clob, shares)}`);
  const { balance, allowance, allowances } = expectShape(venue, 'balance', polymarketBalance, body);
  const named = Object.entries(allowances ?? {}).map(([address, amount]) => [address.toLowerCase(), amount] as const);
  const both = [EXCHANGE, NEG_RISK_EXCHANGE, EXCHANGE_V3].map(
    (address) => [address.toLowerCase(), allowance ?? 0n] as const,
  );
  return { balanceMicros: balance, allowances: new Map(allowance == null ? named : [...both, ...named]) };
}

/**
 * Whether the wallet can pay this much by that contract of the exchange. What the exchange remembers may be old, so it is asked to read the
 * chain again before the answer is no.
 * @throws VenueUnknown
 */
export async function canPay(
  venue: string,
  clob: Clob,
  needed: bigint,
  contract: string,
  token?: string,
): Promise<boolean> {
  const shares = token === undefined ? undefined : { token, contract };
  if (payableOf(await readFunds(venue, clob, shares), contract) >= needed) {
    return true;
  }
  // its answer has no content that counts
  await clob.call('GET', `/balance-allowance/update?${queryOf(clob, shares)}`).catch(() => undefined);
  return payableOf(await readFunds(venue, clob, shares), contract) >= needed;
}

/** An allowance that is not named does not limit: the exchange itself refuses what it cannot take. */
function payableOf({ balanceMicros, allowances }: Funds, contract: string): bigint {
  const takers = contract === NEG_RISK_EXCHANGE ? [contract, NEG_RISK_ADAPTER] : [contract];
  return takers
    .map((taker) => allowances.get(taker.toLowerCase()) ?? balanceMicros)
    .reduce((least, allowed) => (allowed < least ? allowed : least), balanceMicros);
}

function queryOf(clob: Clob, shares: Shares | undefined): URLSearchParams {
  const conditional = shares?.contract === EXCHANGE_V3 ? 'CONDITIONAL-V2' : 'CONDITIONAL';
  return new URLSearchParams({
    asset_type: shares === undefined ? 'COLLATERAL' : conditional,
    ...(shares === undefined ? {} : { token_id: shares.token }),
    signature_type: String(clob.wallet.signatureType),
  });
}
