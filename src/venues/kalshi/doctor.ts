/**
 * The lines of `doctor` about Kalshi: whether our account can trade, and with `--venues` facts that only the exchange itself can show. It
 * only reads.
 */
import { z } from 'zod';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { clockCheck, said, type Verdict } from '../adapter.ts';
import { middleOf } from '../http.ts';
import type { AccountCheck } from '../port.ts';
import { expectShape, microsDecimal } from '../shapes.ts';
import type { KalshiParts } from './parts.ts';
import { CANCEL_COST, DEFAULT_COST, describeTier, type KalshiRest, readKalshiKeys, readReadSide } from './rest.ts';
import { isQuadratic } from './series.ts';
import { kalshiCutoff, kalshiOrders, kalshiPage, kalshiPositions } from './shapes.ts';
import { openKalshiStream, STREAM_PATH } from './stream.ts';

/** A region that expires sooner than this is reported. */
const SOON_MS = 14 * 86_400_000;

/** Clock, read side, key, scope, subaccount, region, balance, allocation and limits of our account, one line each. */
export async function inspectKalshi(
  venue: string,
  rest: KalshiRest,
  parts: KalshiParts,
  settings: Pick<KalshiSettings, 'keyId' | 'subaccount'>,
  serverTime: () => Promise<Date>,
): Promise<readonly AccountCheck[]> {
  return [
    await clockCheck(serverTime),
    await said('read side', () => readSide(venue, rest)),
    ...(await aboutKey(venue, rest, settings)),
    await said('balance', () => balance(parts)),
    await said('allocation', () => allocation(parts)),
    await said('limits', async () => ({ ok: true, detail: await describeTier(venue, rest) })),
  ];
}

/** A delay beyond this is reported. The exchange usually shows an event within a second. */
const LATE_MS = 10_000;

async function readSide(venue: string, rest: KalshiRest): Promise<Verdict> {
  const { asOf, date } = await readReadSide(venue, rest);
  const lateMs = Math.max(0, middleOf(date ?? new Date()).getTime() - asOf.getTime());
  const detail = `orders, fills, positions and balance are ${(lateMs / 1_000).toFixed(1)} seconds late`;
  return lateMs < LATE_MS
    ? { ok: true, detail }
    : { ok: false, warning: true, detail: `${detail}; until they catch up, no order is proven absent` };
}

/** Key, scope, subaccount and region come with one response. */
async function aboutKey(
  venue: string,
  rest: KalshiRest,
  { keyId, subaccount: set }: Pick<KalshiSettings, 'keyId' | 'subaccount'>,
): Promise<AccountCheck[]> {
  try {
    const { own, regionExpires } = await readKalshiKeys(venue, rest, keyId);
    return [
      { name: 'key', ok: true, detail: `${keyId} is accepted` },
      { name: 'scope', ...scope(own?.scopes ?? []) },
      { name: 'subaccount', ...subaccount(set, own?.subaccount ?? undefined) },
      { name: 'region', ...region(regionExpires) },
    ];
  } catch (error) {
    const detail = `${keyId} cannot be used: ${(error as Error).message}; compare INLAY_KALSHI_KEY_ID with the key file`;
    return [{ name: 'key', ok: false, detail }];
  }
}

function scope(scopes: readonly string[]): Verdict {
  const ok = scopes.includes('write') || scopes.includes('write::trade');
  const detail = scopes.join(', ') || 'none';
  return { ok, detail: ok ? detail : `${detail}: the key may not trade; it needs write or write::trade` };
}

function subaccount(set: number | undefined, lockedTo: number | undefined): Verdict {
  if (lockedTo === undefined) {
    return { ok: true, detail: `trades in ${set ?? 0}; orders, fills and settlements of others are left out` };
  }
  return set === undefined || set === lockedTo
    ? { ok: true, detail: `trades in ${lockedTo}, to which the key is restricted` }
    : { ok: false, detail: `the key is restricted to ${lockedTo}, and INLAY_KALSHI_SUBACCOUNT is ${set}` };
}

function region(expiresSeconds: number | null): Verdict {
  if (expiresSeconds === null) {
    return { ok: true, detail: 'the attestation of the region does not expire' };
  }
  const expires = new Date(expiresSeconds * 1_000);
  const left = expires.getTime() - Date.now();
  const detail = `the attestation of the region ${left > 0 ? 'expires' : 'expired'} at ${expires.toISOString()}`;
  return left > SOON_MS
    ? { ok: true, detail }
    : { ok: false, warning: left > 0, detail: `${detail}; without it sports, elections and entertainment are refused` };
}

async function balance(parts: KalshiParts): Promise<Verdict> {
  const { balance_dollars: total, balance_breakdown: breakdown } = await parts.balance();
  const each = (breakdown ?? []).map(
    ({ exchange_index: part, balance: cash }) => `${microsDecimal(cash)} on part ${part}`,
  );
  const detail = `${microsDecimal(total)} dollars${each.length > 1 ? ` (${each.join(', ')})` : ''}`;
  return total > 0n ? { ok: true, detail } : { ok: false, warning: true, detail: `${detail}: nothing can be bought` };
}

/** The exchange moves cash between its parts if it is configured there; this service moves none. */
async function allocation(parts: KalshiParts): Promise<Verdict> {
  const percents = [...(await parts.allocation())].map(([part, percent]) => `${percent} % on part ${part}`);
  return { ok: true, detail: percents.join(', ') || 'none: the exchange moves no money between its parts' };
}

const NO_MARKET = 'INLAY-NO-SUCH-MARKET';
const STREAM_MS = 4_000;
const DAY_MS = 86_400_000;

const costs = z.looseObject({
  default_cost: z.int(),
  endpoint_costs: z.array(z.looseObject({ method: z.string(), path: z.string(), cost: z.int() })),
});
const titled = z.looseObject({ title: z.string() });
const seriesFees = z.looseObject({ series: z.array(z.looseObject({ fee_type: z.string().nullish() })) });

/**
 * Checks facts that Kalshi's documents leave open, for `doctor --venues`. Questions that need an order are left out (whether a price
 * with one decimal is accepted, how an order group of another part is refused), because this service sends neither.
 *
 * @param streamUrl origin of the stream
 */
export async function verifyKalshi(
  venue: string,
  rest: KalshiRest,
  streamUrl: string,
): Promise<readonly AccountCheck[]> {
  const read = async <T>(path: string, shape: z.ZodType<T>, language?: string): Promise<T> =>
    expectShape(venue, path, shape, (await rest.get(path, language)).body);

  async function requestCosts(): Promise<Verdict> {
    const { default_cost: usual, endpoint_costs: others } = await read('/account/endpoint_costs', costs);
    const cancel = others.find(
      ({ method, path }) => method === 'DELETE' && /\/portfolio\/events\/orders\/[^/]+$/.test(path),
    );
    const ok = usual === DEFAULT_COST && (cancel?.cost ?? usual) <= CANCEL_COST;
    const detail = `${usual} tokens per request, ${cancel?.cost ?? usual} per cancellation`;
    return {
      ok,
      warning: true,
      detail: ok ? detail : `${detail}; the service calculates with ${DEFAULT_COST} and ${CANCEL_COST}`,
    };
  }

  async function history(): Promise<Verdict> {
    const named = await read('/historical/cutoff', kalshiCutoff);
    await read('/historical/orders?limit=1', kalshiOrders);
    const days = (at: Date | null | undefined) =>
      at == null ? 'unknown' : Math.floor((Date.now() - at.getTime()) / DAY_MS);
    const detail = `days that stay in the live lists: orders ${days(named.orders_updated_ts)}, fills ${days(named.trades_created_ts)}, markets ${days(named.market_settled_ts)}, positions ${days(named.market_positions_last_updated_ts)}`;
    return { ok: true, detail };
  }

  async function settledPositions(): Promise<Verdict> {
    await read('/portfolio/positions?settlement_status=settled&limit=1', kalshiPositions);
    await read('/historical/positions?limit=1', kalshiPositions);
    return { ok: true, detail: 'live and archived positions can be read' };
  }

  async function fees(): Promise<Verdict> {
    const { series } = await read('/series', seriesFees);
    const unknown = Map.groupBy(
      series.filter(({ fee_type: type }) => !isQuadratic(type ?? '')),
      ({ fee_type: type }) => type ?? 'none',
    );
    const said = [...unknown].map(([type, some]) => `${type} (${some.length} series)`).join(', ');
    const detail =
      said === '' ? `known for all ${series.length} series` : `unknown, so these series are not sold: ${said}`;
    return { ok: said === '', warning: true, detail };
  }

  async function languages(): Promise<Verdict> {
    const title = async (language?: string) => {
      const { events } = await read('/events?limit=1&status=open', kalshiPage, language);
      return titled.safeParse(events[0]).data?.title;
    };
    const english = await title();
    const other = await Promise.all(
      ['es', 'pt'].map(async (language) => ((await title(language)) === english ? [] : [language])),
    );
    return { ok: true, detail: `texts differ from English in: ${other.flat().join(', ') || 'none'}` };
  }

  /** Whether the stream refuses a market that does not exist, or ignores it. The adapter handles both. */
  async function unknownMarket(): Promise<Verdict> {
    const answer = Promise.withResolvers<string>();
    const source = { url: streamUrl, headers: () => rest.handshake(STREAM_PATH) };
    const stream = openKalshiStream(source, {
      opened: (connection) =>
        connection.send('subscribe', {
          channels: ['orderbook_delta'],
          market_tickers: [NO_MARKET],
          use_yes_price: false,
        }),
      message: (message) => message.type === 'orderbook_snapshot' && answer.resolve('shown with an empty book'),
      refused: ({ code }) => {
        answer.resolve(`refused with error ${code}`);
        return true;
      },
      alive: () => undefined,
      ended: (reason) => answer.reject(new Error(reason)),
      invalid: () => undefined,
      note: () => undefined,
    });
    const silence = setTimeout(() => answer.resolve('ignored'), STREAM_MS);
    try {
      return { ok: true, detail: `a market that does not exist is ${await answer.promise}` };
    } finally {
      clearTimeout(silence);
      stream.close();
    }
  }

  return Promise.all([
    said('request costs', requestCosts),
    said('history', history),
    said('settled positions', settledPositions),
    said('fee types', fees),
    said('languages', languages),
    said('stream', unknownMarket),
  ]);
}
