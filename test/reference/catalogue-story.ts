/** What a partner reads before anybody trades: the catalogue, prices, and the stream. */
import { recordPrices } from '../../src/markets/prices/price-history.ts';
import { until } from '../support/until.ts';
import { MARKETS, rateCutAfter } from './catalogue.ts';
import type { Recording } from './recording.ts';
import type { Stage } from './stage.ts';

const MINUTE_MS = 60_000;

export async function tellCatalogue({ recording, casino, operator }: Stage): Promise<void> {
  const by = { key: casino.key };
  await recording.keep('listCategories', 'The categories that are offered', { by });
  const first = await recording.keep('listEvents', 'The first page, by activity', { by, query: { limit: '2' } });
  await recording.keep('listEvents', 'The page after it', {
    by,
    query: { limit: '2', cursor: first.pagination.nextCursor },
  });
  await recording.keep('listEvents', 'Matches of a league', { by, query: { sport: 'soccer', league: 'hnl' } });
  await recording.keep('listEvents', 'In another language, only what can be traded', {
    by,
    query: { category: 'economics', locale: 'es', tradable: 'true' },
  });
  await recording.keep('listEvents', 'An unknown sport', { by, query: { sport: 'chess' }, refused: 'invalid_sport' });
  await recording.keep('listEvents', 'A page that is too large', {
    by,
    query: { limit: '500' },
    refused: 'invalid_limit',
  });
  await recording.keep('listEvents', 'A cursor of another order', {
    by,
    query: { sort: 'new', cursor: first.pagination.nextCursor },
    refused: 'invalid_cursor',
  });
  const strict = await recording.meanwhile(() =>
    operator('lucky-croatia', { jurisdictionMode: 'enforced', permittedCountries: ['HR'] }),
  );
  await recording.keep('listEvents', 'A customer who may not trade', {
    by: { key: strict.key },
    user: 'player-7',
    query: { limit: '2' },
  });
  await recording.keep('createQuote', 'A customer whose country is not permitted', {
    by: { key: strict.key },
    user: 'player-7',
    body: { marketId: MARKETS.rates.contractId, side: 'YES', action: 'buy', stake: 20 },
    refused: 'market_not_offered',
  });

  const event = (summary: string, id: string) => recording.keep('getEvent', summary, { by, path: { id } });
  await event('With its rules', MARKETS.rates.eventId);
  await event('A match in play', MARKETS.derby.eventId);
  await event('A ladder of thresholds', MARKETS.bitcoin.eventId);
  await event('Five minutes of a coin: no executable price before a quote', MARKETS.fiveMinutes.eventId);
  await recording.keep('getEvent', 'An id that is not offered', {
    by,
    path: { id: 'evt_00000000000000000000000000' },
    refused: 'unknown_event',
  });
  await recording.keep('getImage', 'The picture of an event', {
    by: { key: null },
    path: { id: MARKETS.derby.eventId },
  });
  await recording.keep('listContractNames', 'Two contracts', {
    by,
    query: { ids: `${MARKETS.rates.contractId},${MARKETS.away.contractId}` },
  });
}

export async function tellPrices(stage: Stage): Promise<void> {
  const { recording, casino, service, listing, began, listAgain, setPrices } = stage;
  const by = { key: casino.key };
  const { rates } = MARKETS;
  await recording.meanwhile(async () => {
    for (const [minutesBefore, bid, ask] of [
      [20, '0.52', '0.54'],
      [10, '0.54', '0.56'],
    ] as const) {
      await setPrices(rates, bid, ask);
      await recordPrices(service.sql, new Date(began.getTime() - minutesBefore * MINUTE_MS));
    }
    await setPrices(rates, '0.55', '0.57');
    const traded = rateCutAfter(40n);
    listing.events.set(traded.eventId, traded);
    await listAgain();
  });
  await recording.keep('getContractBook', 'The depth of both sides', { by, path: { id: rates.contractId } });
  await recording.keep('getContractTrades', 'What was traded lately', { by, path: { id: rates.contractId } });
  await recording.keep('getEventHistory', 'The last day of one outcome', {
    by,
    path: { id: rates.eventId },
    query: { range: '1d', contracts: rates.contractId },
  });
  const text = await recording.meanwhile(() => readStream(stage, recording));
  const query = { contracts: rates.contractId };
  recording.keepText(
    'streamPrices',
    'A snapshot, then a price',
    { by: { key: null }, query },
    'text/event-stream',
    text,
  );
  await recording.meanwhile(() => setPrices(rates, '0.55', '0.57'));
}

/** The first two frames; the numbers of frames rise, whatever they begin with. */
async function readStream({ service, setPrices }: Stage, recording: Recording): Promise<string> {
  const query = { contracts: MARKETS.rates.contractId };
  const { address } = recording.prepare('streamPrices', { by: { key: null }, query });
  const ended = new AbortController();
  const response = await fetch(`${service.url}${address}`, { signal: ended.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
    }
  })().catch(() => {});
  await until(() => text.includes('event: snapshot'), Boolean);
  await setPrices(MARKETS.rates, '0.56', '0.58');
  await until(() => text.includes('event: price') && text.endsWith('\n\n'), Boolean);
  ended.abort();
  await reading;
  const frames = text.replaceAll(': ping\n\n', '').split(/^id: \d+$/m);
  return frames.reduce((all, frame, place) => `${all}id: ${1_000 + place}${frame}`);
}
