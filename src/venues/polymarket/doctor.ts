/**
 * The lines of `doctor` about Polymarket: key, clock, permission to trade, balance, allowances and redeemable positions of our account,
 * and with `--venues` facts that no document of the exchange settles. It never sends an order.
 */
import { z } from 'zod';
import { clockCheck, said, type Verdict } from '../adapter.ts';
import type { AccountCheck, VenueAccount } from '../port.ts';
import { expectShape, microsDecimal } from '../shapes.ts';
import { NEG_RISK_ADAPTER, readFunds } from './account-lists.ts';
import { type Builder, builderFeeMicros } from './builder.ts';
import { type Clob, NOT_OF_SIGNER } from './clob.ts';
import { polymarketPage, TOKEN_PARAMETERS, tokensOf } from './shapes.ts';
import { EXCHANGE, EXCHANGE_V3, NEG_RISK_EXCHANGE, WALLET } from './sign.ts';

/**
 * @param site reads the exchange's site
 * @returns one check per line of `doctor`; a check that fails does not stop the others
 */
export async function inspectPolymarket(
  venue: string,
  clob: Clob,
  account: Pick<VenueAccount, 'serverTime'> & Required<Pick<VenueAccount, 'redeemableMicros'>>,
  { site, builder }: { readonly site: Ask; readonly builder: Builder | undefined },
): Promise<readonly AccountCheck[]> {
  return [
    await said('key', () => key(clob)),
    await clockCheck(() => account.serverTime()),
    await said('region', () => region(site)),
    await said('closed only', () => closedOnly(venue, clob)),
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
    const detail = `${signer} is accepted${own}; the money is that of ${clob.wallet.funder()}`;
    return clob.wallet.isKnown()
      ? { ok: true, detail }
      : { ok: false, warning: true, detail: `${detail}; INLAY_POLYMARKET_FUNDER: ${NOT_OF_SIGNER}` };
  } catch (error) {
    const detail = `the wallet's key cannot be used: ${(error as Error).message}`;
    return { ok: false, detail: `${detail}; compare INLAY_POLYMARKET_PRIVATE_KEY_FILE and INLAY_POLYMARKET_FUNDER` };
  }
}

const geoblock = z.looseObject({ blocked: z.boolean(), country: z.string().nullish(), region: z.string().nullish() });

/** Without a response it only warns, because this machine may reach no other host of the exchange than its order book. */
async function region(site: Ask): Promise<Verdict> {
  const { body } = await site('/api/geoblock').catch(() => ({ body: undefined }));
  const read = geoblock.safeParse(body).data;
  if (read === undefined) {
    return {
      ok: false,
      warning: true,
      detail: 'the exchange does not report whether it takes orders from this machine',
    };
  }
  const place = [read.country, read.region].filter(Boolean).join(', ') || 'the place of this machine';
  return read.blocked
    ? { ok: false, detail: `the exchange takes no orders from ${place}: every order is refused with 403` }
    : { ok: true, detail: `the exchange takes orders from ${place}` };
}

const banStatus = z.looseObject({ closed_only: z.boolean() });

async function closedOnly(venue: string, clob: Clob): Promise<Verdict> {
  const { body } = await clob.get('/auth/ban-status/closed-only');
  return expectShape(venue, 'ban status', banStatus, body).closed_only
    ? {
        ok: false,
        detail: 'the exchange lets this account only close positions, and refuses every buy: ask the exchange',
      }
    : { ok: true, detail: 'the account may open positions' };
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
    return { ok: true, detail: 'the exchange reports no allowance' };
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

/** Reads a path of a host that needs no signature. */
type Ask = (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;

const tier = z.looseObject({ tier: z.string() });
const listed = z.looseObject({ markets: z.array(z.unknown()) });
const ids = z.looseObject({
  conditionId: z.string(),
  version: z.string().nullish(),
  positionIds: z.tuple([z.string(), z.string()]).nullish(),
});
const amount = z.string().regex(/^[0-9]{1,30}$/);
const attributed = z.looseObject({ sizeUsdc: amount, fee: amount.nullish(), feeUsdc: amount.nullish() });
const builderTrades = z.looseObject({ data: z.array(attributed) });

/**
 * Checks facts that Polymarket's documents leave open, for `doctor --venues`. The requests change nothing there except the balance that the
 * exchange remembers.
 * @param catalogue reads Gamma
 * @param data reads the host of positions
 * @param book reads the order book's host
 */
export async function verifyPolymarket(
  venue: string,
  clob: Clob,
  { catalogue, data, book }: { readonly catalogue: Ask; readonly data: Ask; readonly book: Ask },
  builder: Builder | undefined,
): Promise<readonly AccountCheck[]> {
  async function apiKey(): Promise<Verdict> {
    const { address } = await clob.credentials();
    if (clob.wallet.signatureType !== WALLET.deposit) {
      return { ok: true, detail: `that of ${address}, which signs the orders` };
    }
    return address === clob.wallet.funder()
      ? { ok: true, detail: 'the exchange makes one for the deposit wallet itself, which orders name' }
      : {
          ok: true,
          warning: true,
          detail:
            'the exchange makes none for the deposit wallet, so the key of its owner is used; a first small order shows whether it is taken for the wallet',
        };
  }

  async function dataVersions(): Promise<Verdict> {
    const user = clob.wallet.funder();
    const answers = await Promise.all(
      [`/v2/positions?user=${user}&limit=1`, `/positions?user=${user}&limit=1`].map(async (path) =>
        data(path).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    );
    const [newer, older] = answers;
    const word = (answered: boolean | undefined) => (answered === true ? 'answers' : 'does not answer');
    return { ok: newer === true || older === true, detail: `version 2 ${word(newer)}, version 1 ${word(older)}` };
  }

  /** Whether there are markets of the second version, and by which parameter a token of one is found. */
  async function secondVersion(): Promise<Verdict> {
    const query = 'limit=100&closed=false&order=volume24hr&ascending=false';
    const { body } = await catalogue(`/events/keyset?${query}`);
    const { events } = expectShape(venue, 'events', polymarketPage, body);
    const markets = events.flatMap((event) => listed.safeParse(event).data?.markets ?? []);
    const found = markets.flatMap((market) => ids.safeParse(market).data ?? []).find(({ version }) => version === 'v2');
    const token = found && tokensOf(found)?.tokens[0];
    if (token === undefined) {
      return { ok: true, detail: `none among the ${events.length} most active events` };
    }
    const answered = await Promise.all(
      TOKEN_PARAMETERS.map(async (parameter) => {
        const page = await catalogue(`/markets/keyset?limit=1&closed=false&${parameter}=${token}`);
        return listed.safeParse(page.body).data?.markets.some((market) => JSON.stringify(market).includes(token)) ===
          true
          ? [parameter]
          : [];
      }),
    );
    const shares = await clob.call(
      'GET',
      `/balance-allowance?asset_type=CONDITIONAL-V2&token_id=${token}&signature_type=${clob.wallet.signatureType}`,
    );
    const ok = answered.flat().length > 0 && shares.status === 200;
    const how = answered.flat().join(', ') || 'neither parameter';
    return { ok, detail: `a market is found by ${how}; a request for its shares returns status ${shares.status}` };
  }

  async function rateLimits(): Promise<Verdict> {
    const { status, body } = await clob.call('GET', '/v1/user/rate-limit-tier');
    const said = tier.safeParse(body).data?.tier ?? JSON.stringify(body);
    return { ok: status === 200, warning: true, detail: `tier of our signer: ${said}` };
  }

  /** Shows how the exchange rounds the builder's fee: its amount for the newest trade next to ours. */
  async function builderFee({ code, takerBps }: Builder): Promise<Verdict> {
    const bps = await takerBps();
    const { body } = await book(`/builder/trades?${new URLSearchParams({ builder_code: code })}`);
    const [newest] = expectShape(venue, 'builder trades', builderTrades, body).data;
    if (newest === undefined) {
      return { ok: true, detail: `${bps} basis points; no trade names the code yet` };
    }
    const dollars = BigInt(newest.sizeUsdc);
    const ours = builderFeeMicros(bps, dollars, 1_000_000n);
    const theirs = newest.feeUsdc ?? newest.fee;
    const shown = theirs == null ? 'nothing' : `${microsDecimal(BigInt(theirs))} dollars`;
    return {
      ok: true,
      detail: `of the newest trade, ${microsDecimal(dollars)} dollars, the exchange reports ${shown}; at ${bps} basis points the service calculates ${microsDecimal(ours)}`,
    };
  }

  return Promise.all([
    said('api key', apiKey),
    said('data api', dataVersions),
    said('protocol version 2', secondVersion),
    said('rate limits', rateLimits),
    ...(builder === undefined ? [] : [said('builder fee', () => builderFee(builder))]),
  ]);
}
