/** Results of venues whose lists leave out what has closed: held listings are followed to their end. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { contractIdOf } from '../../src/markets/event.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { syncCatalogue } from '../../src/markets/ingestion/sync-catalogue.ts';
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import { readEvents } from '../support/events.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { openWorld, type World } from '../support/world.ts';
import { polymarketPayloads } from './recordings.ts';

const log = createLog('silent');
let service: World;
const servers: Server[] = [];

beforeAll(async () => {
  service = await openWorld();
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
  }
});
afterAll(() => service.close());

/** Fees of Kalshi's series: without them its markets are not sold. */
const KALSHI_FEES: Readonly<Record<string, object>> = {
  '/trade-api/v2/series': { series: [{ ticker: 'KX', fee_type: 'quadratic', fee_multiplier: 1 }] },
  '/trade-api/v2/series/fee_changes': { series_fee_change_arr: [] },
  '/trade-api/v2/events/fee_changes': { event_fee_changes: [], cursor: '' },
};

async function serve(answer: (url: URL) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? '', 'http://venue');
    const body = KALSHI_FEES[url.pathname] ?? answer(url);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** An event with one market, as Kalshi words it. */
function kalshiEvent(ticker: string, parts: object = {}) {
  const market = {
    ticker: `${ticker}-YES`,
    event_ticker: ticker,
    market_type: 'binary',
    yes_sub_title: 'Warm',
    open_time: day(-1),
    close_time: day(1),
    status: 'active',
    result: '',
    volume_fp: '10',
    volume_24h_fp: '1',
    ...parts,
  };
  return {
    event_ticker: ticker,
    series_ticker: 'KX',
    title: `Is ${ticker} warm?`,
    category: 'Climate and Weather',
    markets: [market],
  };
}

test('the result of a held market arrives though its venue lists open markets only, and its position settles', async () => {
  const held = 'KXHELD-YES';
  let closed = false;
  let value = '1.0000';
  const url = await serve(({ pathname, searchParams }) => {
    const tickers = searchParams.get('tickers');
    const result = { status: 'finalized', result: 'scalar', settlement_value_dollars: value, close_time: day(0) };
    switch (pathname) {
      case '/trade-api/v2/events':
        if (tickers !== null) {
          return { events: tickers === 'KXHELD' ? [kalshiEvent('KXHELD', result)] : [] };
        }
        return { events: [kalshiEvent('KXOTHER'), ...(closed ? [] : [kalshiEvent('KXHELD')])], cursor: '' };
      case '/trade-api/v2/markets':
        return { markets: tickers === held ? [{ ticker: held, event_ticker: 'KXHELD' }] : [] };
      case '/trade-api/v2/markets/orderbooks':
        return {
          orderbooks: searchParams.getAll('tickers').map((ticker) => ({
            ticker,
            orderbook_fp: { yes_dollars: [['0.4000', '100']], no_dollars: [['0.5000', '100']] },
          })),
        };
      default:
        return undefined;
    }
  });
  const { clock, board } = service.context;
  const venue = openKalshi('kalshi', async () => url, VENUE_SETTINGS.kalshi);
  const writes = openBoardWrites({ sql: service.sql, log, clock, fence: null });
  const following = await followVenue({ venue, rank: 0, writes, clock, log, resyncMs: 300 });
  try {
    const contractId = contractIdOf('kalshi', held, null);
    await until(
      async () => board.contracts.get(contractId)?.books.length,
      (count) => count === 1,
      20_000,
    );
    const quote = await service.request('POST', '/api/v1/quotes', {
      user: 'ana',
      body: { marketId: contractId, side: 'YES', action: 'buy', stake: 5 },
    });
    expect(quote.status, quote.text).toBe(200);
    const order = await service.request('POST', '/api/v1/orders', {
      user: 'ana',
      body: { quoteId: quote.body.quoteId, clientOrderId: 'held' },
    });
    expect(order.status, order.text).toBe(201);
    closed = true;
    await until(
      async () => board.contracts.get(contractId)?.resolution,
      (resolution) => resolution === 'YES',
      20_000,
    );
    expect(await settleMarket(service.sql, contractId)).toBe(1);
    // settled and resolved, it is asked for a little longer: a venue may still change its word
    expect(await writes.heldListings('kalshi')).toEqual([held]);
    for (const [amended, told] of [
      ['0.5000', 'YES->SPLIT:0.5'],
      ['0.0000', 'YES->NO'],
    ] as const) {
      value = amended;
      await syncCatalogue(venue, 0, writes);
      expect(await settleMarket(service.sql, contractId), 'it is paid once').toBe(0);
      expect(await raiseResolutionChanges(service.sql, contractId)).toBe(1);
      const changes = (await readEvents(service.sql)).filter(({ type }) => type === 'market.resolution_changed');
      expect(changes.at(-1)?.dedupeKey).toContain(told);
    }
    await service.sql`update contracts set resolved_at = now() - interval '4 days' where contract_id = ${contractId}`;
    expect(await writes.heldListings('kalshi')).toEqual([]);
  } finally {
    await following.close();
    await writes.close();
    await venue.close();
  }
}, 60_000);

test('a held market that fell off the pages of its venue is asked for, not paused', async () => {
  const url = await serve(({ pathname, searchParams }) => {
    const tickers = searchParams.get('tickers');
    if (pathname === '/trade-api/v2/markets') {
      return { markets: [{ ticker: 'KXHELD-YES', event_ticker: 'KXHELD' }] };
    }
    return { events: tickers === null ? [kalshiEvent('KXOTHER')] : [kalshiEvent('KXHELD')], cursor: '' };
  });
  const venue = openKalshi('kalshi', async () => url, VENUE_SETTINGS.kalshi);
  const { events } = await venue.catalogue(['KXHELD-YES', 'KXOTHER-YES']);
  expect(events.map(({ eventId, status }) => [eventId, status])).toEqual([
    ['KXOTHER', 'open'],
    ['KXHELD', 'open'],
  ]);
  await venue.close();
});

test('a closed market of Polymarket is read with its payout where it is held', async () => {
  const { fiveMinutes: base, states } = polymarketPayloads();
  const token = JSON.parse(base.markets[0]?.clobTokenIds ?? '[]')[0] as string;
  const asked: string[] = [];
  const url = await serve(({ pathname, searchParams }) => {
    asked.push(pathname);
    if (pathname === '/events/keyset') {
      return { events: [], next_cursor: null };
    }
    if (pathname === '/markets/keyset') {
      const wanted = searchParams.get('closed') === 'true' && searchParams.getAll('clob_token_ids').includes(token);
      return { markets: wanted ? [{ events: [{ id: base.id }] }] : [] };
    }
    return pathname === `/events/${base.id}` ? { ...base, markets: [{ ...base.markets[0], ...states[5] }] } : undefined;
  });
  const venue = openPolymarket('polymarket', async () => url, VENUE_SETTINGS.polymarket);
  expect((await venue.catalogue([])).events).toEqual([]);
  expect(asked).toEqual(['/events/keyset']);
  const { events } = await venue.catalogue([token]);
  expect(events[0]?.markets[0]).toMatchObject({ listingId: token, resolution: { outcome: 'YES' } });
  await venue.close();
});
