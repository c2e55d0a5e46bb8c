/** Sessions, the calls of the frame in one of them, and what any caller meets. */
import { insertBook } from '../../src/embed/operator-books.ts';
import { DEFAULT_SCOPES } from '../../src/operators/keys.ts';
import { until } from '../support/until.ts';
import { MARKETS } from './catalogue.ts';
import { PLAYER } from './sandbox-story.ts';
import type { Stage } from './stage.ts';

const UNKNOWN = '00000000000070008000000000000000';

export async function tellSessions(stage: Stage): Promise<string> {
  const { recording, casino } = stage;
  const { keep } = recording;
  const by = { key: casino.key };
  const { token } = await keep('mintEmbedSession', 'For one customer', {
    by,
    body: { externalUserId: PLAYER, locale: 'en', theme: { mode: 'dark' } },
  });
  const { sessionId } = await keep('mintEmbedSession', 'Bound to a page, with a place and a lifetime', {
    by,
    body: {
      externalUserId: 'player-2',
      returnOrigin: 'https://casino.example',
      ttlSeconds: 3_600,
      region: 'us',
      jurisdiction: { country: 'US', subdivision: 'NJ' },
    },
  });
  await tellBook(stage);
  await keep('mintEmbedSession', 'A field that does not exist', {
    by,
    body: { externalUserId: PLAYER, ttl: 900 },
    refused: 'invalid_request',
  });
  await keep('mintEmbedSession', 'A region that does not exist', {
    by,
    body: { externalUserId: PLAYER, region: 'fr' },
    refused: 'invalid_region',
  });
  await keep('revokeEmbedSession', 'The session has ended', { by, path: { id: sessionId } });
  await keep('revokeEmbedSession', 'An unknown session', {
    by,
    path: { id: `ses_${UNKNOWN}` },
    refused: 'session_not_found',
  });
  return token;
}

/** A session that is offered a list of events, with a key that may bind it. */
async function tellBook({ recording, casino, keyOf, service }: Stage): Promise<void> {
  const { by, operatorBookId } = await recording.meanwhile(async () => {
    const { operatorId } = casino.operator;
    await service.sql`update operators set operator_book_enabled = true where operator_id = ${operatorId}`;
    const book = await insertBook(service.sql, operatorId, 'Tonight', [MARKETS.derby.eventId]);
    const by = await keyOf(casino, { scopes: [...DEFAULT_SCOPES, 'operator_book:write'] });
    return { by, operatorBookId: book.operatorBookId };
  });
  const body = { externalUserId: PLAYER, operatorBookId };
  await recording.keep('mintEmbedSession', 'With a list of offered events', { by, body });
  await recording.keep('mintEmbedSession', 'A list of events, without its scope', {
    by: { key: casino.key },
    body,
    refused: 'insufficient_scope',
  });
}

export async function tellFrame({ recording }: Stage, token: string): Promise<void> {
  const { keep } = recording;
  const by = { token };
  const { rates, derby, fiveMinutes } = MARKETS;
  await keep('getFrameSession', 'The session and the look of its operator', { by });
  await keep('listFrameEvents', 'The first page', { by, query: { limit: '1' } });
  await keep('listFrameCategories', 'The categories that are offered', { by });
  await keep('getFrameEvent', 'With all its outcomes', { by, path: { id: rates.eventId } });
  await keep('getFrameEventHistory', 'The last day of one outcome', {
    by,
    path: { id: rates.eventId },
    query: { contracts: rates.contractId },
  });
  await keep('getFrameEventCourse', 'The price of a coin', { by, path: { id: fiveMinutes.eventId } });
  await keep('getFrameEventCourse', 'The score of a match', { by, path: { id: derby.eventId } });
  await keep('getFrameContractBook', 'The depth of both sides', { by, path: { id: derby.contractId } });
  await keep('getFrameContractTrades', 'What was traded lately', { by, path: { id: rates.contractId } });
  const buy = { marketId: rates.contractId, side: 'YES', action: 'buy', stake: 20 };
  const { quoteId } = await keep('createFrameQuote', 'A buy', { by, body: buy });
  const body = { quoteId, clientOrderId: 'frame-1' };
  const { orderId } = await keep('createFrameOrder', 'Filled', { by, body });
  await keep('createFrameOrder', 'The same order again', { by, body });
  await keep('getFrameOrder', 'With its fills', { by, path: { id: orderId }, query: { fills: 'true' } });
  await keep('getFrameOrder', 'An unknown order', { by, path: { id: `ord_${UNKNOWN}` }, refused: 'unknown_order' });
  await keep('listFrameOrders', 'Of one contract', { by, query: { contractId: rates.contractId, limit: '1' } });
  await keep('listFramePositions', 'Open ones', { by, query: { status: 'open' } });
  await keep('listFrameSettlements', 'The latest', { by });
  await keep('getFrameAccount', 'What can be staked', { by });
  await keep('listFrameHoldings', 'Positions, past ones, and their events', { by });
  await keep('getFrameAccount', 'Without a token', { by: { key: null }, refused: 'missing_credentials' });
}

/** What every operation may answer. */
export async function tellEveryCaller({ recording, casino, keyOf, service }: Stage): Promise<void> {
  const { keep } = recording;
  const body = { marketId: MARKETS.rates.contractId, side: 'YES', action: 'buy', stake: 20 };
  await keep('whoami', 'A key with the default scopes', { by: await keyOf(casino, { rateLimit: 120 }) });
  await keep('getHealth', 'All is well', { by: { key: null } });
  await keep('listPositions', 'Without a key', { by: { key: null }, refused: 'missing_credentials' });
  await keep('listPositions', 'A key that does not exist', { by: { key: 'pk_test_unknown' }, refused: 'invalid_key' });
  await keep('listPositions', 'A key without the scope', {
    by: await keyOf(casino, { scopes: ['markets:read'] }),
    refused: 'insufficient_scope',
  });
  const few = await keyOf(casino, { rateLimit: 1 });
  await recording.meanwhile(() =>
    until(
      async () => (await service.request('GET', '/api/v1/positions', 'key' in few ? { key: few.key } : {})).status,
      (status) => status === 429,
    ),
  );
  await keep('listPositions', 'Too many requests', { by: few, refused: 'rate_limited' });
  await keep('listPositions', 'A cursor that is none', {
    by: { key: casino.key },
    query: { cursor: 'nothing' },
    refused: 'invalid_cursor',
  });
  await keep('putCustomerLimits', 'A body that is not JSON', {
    by: { key: casino.key },
    path: { id: PLAYER },
    body: '{"maxWagerMinor": 5000',
    refused: 'invalid_json',
  });
  await keep('createQuote', 'More than 64 KB', {
    by: { key: casino.key },
    user: PLAYER,
    body: { ...body, note: 'x'.repeat(70_000) },
    refused: 'payload_too_large',
  });
}
