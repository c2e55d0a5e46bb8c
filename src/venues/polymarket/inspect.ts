/** What `doctor` says of our account at Polymarket: clock, key, balance, allowances and what can be redeemed, in one line each. */
import type { AccountCheck, VenueAccount } from '../account.ts';
import { microsDecimal } from '../decimal.ts';
import { said, type Verdict } from '../questions.ts';
import type { Builder } from './builder.ts';
import type { Clob } from './clob.ts';
import { NEG_RISK_ADAPTER, readFunds } from './funds.ts';
import { EXCHANGE, EXCHANGE_V3, NEG_RISK_EXCHANGE } from './sign-order.ts';

const MOST_SKEW_MS = 2_000;

export async function inspectPolymarket(
  venue: string,
  clob: Clob,
  account: Pick<VenueAccount, 'serverTime'> & Required<Pick<VenueAccount, 'redeemableMicros'>>,
  builder: Builder | undefined,
): Promise<readonly AccountCheck[]> {
  return [
    await said('key', () => key(clob)),
    await said('clock', () => clock(account)),
    await said('balance', () => balance(venue, clob)),
    await said('allowance', () => allowance(venue, clob)),
    await said('redeemable', () => redeemable(account)),
    ...(builder === undefined ? [] : [await said('builder', () => earns(builder))]),
  ];
}

async function key(clob: Clob): Promise<Verdict> {
  try {
    const { address } = await clob.credentials();
    const signer = clob.wallet.signer().address;
    const own = address === signer ? '' : `; the API key is that of ${address}`;
    return { ok: true, detail: `${signer} is accepted${own}; the money is that of ${clob.wallet.funder()}` };
  } catch (error) {
    const detail = `the wallet's key cannot be used: ${(error as Error).message}`;
    return { ok: false, detail: `${detail}; compare INLAY_POLYMARKET_PRIVATE_KEY_FILE and INLAY_POLYMARKET_FUNDER` };
  }
}

async function clock(account: Pick<VenueAccount, 'serverTime'>): Promise<Verdict> {
  const offset = (await account.serverTime()).getTime() - Date.now();
  const ok = Math.abs(offset) <= MOST_SKEW_MS;
  const detail = `${offset} ms from that of this machine`;
  return { ok, detail: ok ? detail : `${detail}; nothing is sent beyond ${MOST_SKEW_MS} ms: set the clock (NTP)` };
}

async function balance(venue: string, clob: Clob): Promise<Verdict> {
  const { balanceMicros } = await readFunds(venue, clob);
  const detail = `${microsDecimal(balanceMicros)} dollars`;
  return balanceMicros > 0n
    ? { ok: true, detail }
    : { ok: false, warning: true, detail: `${detail}: nothing can be bought` };
}

async function allowance(venue: string, clob: Clob): Promise<Verdict> {
  const { balanceMicros, allowances } = await readFunds(venue, clob);
  const contracts = {
    ordinary: EXCHANGE,
    'neg-risk': NEG_RISK_EXCHANGE,
    'neg-risk (adapter)': NEG_RISK_ADAPTER,
    'protocol version 2': EXCHANGE_V3,
  };
  const short = Object.entries(contracts)
    .map(([kind, address]) => ({ kind, allowed: allowances.get(address.toLowerCase()) }))
    .filter(({ allowed }) => allowed !== undefined && allowed < balanceMicros);
  if (allowances.size === 0) {
    return { ok: true, detail: 'the exchange names no allowance' };
  }
  return short.length === 0
    ? { ok: true, detail: 'the contracts of the exchange may take the whole balance' }
    : {
        ok: false,
        detail: `markets of kind ${short.map(({ kind, allowed }) => `${kind} may take ${microsDecimal(allowed ?? 0n)} dollars`).join(', ')}; make one trade on the exchange's site to set the allowance`,
      };
}

async function redeemable(account: Required<Pick<VenueAccount, 'redeemableMicros'>>): Promise<Verdict> {
  const amount = await account.redeemableMicros();
  return amount === 0n
    ? { ok: true, detail: 'nothing waits to be redeemed' }
    : {
        ok: true,
        warning: true,
        detail: `${microsDecimal(amount)} dollars of resolved positions wait to be redeemed; the exchange's redeemer pays them by itself once the wallet allows it`,
      };
}

async function earns({ code, takerBps }: Builder): Promise<Verdict> {
  const bps = await takerBps();
  return bps > 0
    ? { ok: true, detail: `orders name ${code}, which earns ${bps} basis points of what is traded` }
    : { ok: false, warning: true, detail: `orders name ${code}, which earns nothing: set its rate at the exchange` };
}
