/**
 * What no document of Kalshi settles, and one question does: `doctor --venues`. It only reads. What only an order could tell (whether a
 * price of one decimal is taken, how a group of another part is refused) is not asked: we send neither.
 */
import { z } from 'zod';
import type { AccountCheck } from '../account.ts';
import { said, type Verdict } from '../questions.ts';
import { expectShape } from '../response-shape.ts';
import { isQuadratic } from './fees.ts';
import { CANCEL_COST, DEFAULT_COST } from './limits.ts';
import { kalshiCutoff, kalshiOrders, kalshiPositions } from './order-schemas.ts';
import type { KalshiRest } from './rest.ts';
import { kalshiPage } from './schemas.ts';
import { openKalshiStream, STREAM_PATH } from './stream.ts';

const NO_MARKET = 'INLAY-NO-SUCH-MARKET';
const STREAM_MS = 4_000;
const DAY_MS = 86_400_000;

const costs = z.looseObject({
  default_cost: z.int(),
  endpoint_costs: z.array(z.looseObject({ method: z.string(), path: z.string(), cost: z.int() })),
});
const titled = z.looseObject({ title: z.string() });
const seriesFees = z.looseObject({ series: z.array(z.looseObject({ fee_type: z.string().nullish() })) });

/** @param streamUrl origin of the stream */
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
    const detail = `${usual} tokens a request, ${cancel?.cost ?? usual} a cancellation`;
    return {
      ok,
      warning: true,
      detail: ok ? detail : `${detail}; ${DEFAULT_COST} and ${CANCEL_COST} are reckoned with`,
    };
  }

  async function history(): Promise<Verdict> {
    const named = await read('/historical/cutoff', kalshiCutoff);
    await read('/historical/orders?limit=1', kalshiOrders);
    const days = (at: Date | null | undefined) =>
      at == null ? 'not said' : Math.floor((Date.now() - at.getTime()) / DAY_MS);
    const detail = `days that stay in the live lists: orders ${days(named.orders_updated_ts)}, fills ${days(named.trades_created_ts)}, markets ${days(named.market_settled_ts)}, positions ${days(named.market_positions_last_updated_ts)}`;
    return { ok: true, detail };
  }

  async function settledPositions(): Promise<Verdict> {
    await read('/portfolio/positions?settlement_status=settled&limit=1', kalshiPositions);
    await read('/historical/positions?limit=1', kalshiPositions);
    return { ok: true, detail: 'can be read, live and archived' };
  }

  async function fees(): Promise<Verdict> {
    const { series } = await read('/series', seriesFees);
    const unknown = Map.groupBy(
      series.filter(({ fee_type: type }) => !isQuadratic(type ?? '')),
      ({ fee_type: type }) => type ?? 'none',
    );
    const said = [...unknown].map(([type, some]) => `${type} (${some.length} series)`).join(', ');
    const detail = said === '' ? `known of all ${series.length} series` : `not known, so not sold: ${said}`;
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

  /** Whether the stream refuses a market that is not there, or passes over it. Both are survived. */
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
      message: (message) => message.type === 'orderbook_snapshot' && answer.resolve('answered with an empty book'),
      refused: ({ code }) => {
        answer.resolve(`refused with error ${code}`);
        return true;
      },
      alive: () => undefined,
      ended: (reason) => answer.reject(new Error(reason)),
      invalid: () => undefined,
      note: () => undefined,
    });
    const silence = setTimeout(() => answer.resolve('passed over in silence'), STREAM_MS);
    try {
      return { ok: true, detail: `a market that is not there is ${await answer.promise}` };
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
