/** A live operator: reserves, every state that an order can enter at the exchange, collateral, results and their changes. */
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { TestMarket } from '../support/market.ts';
import { until } from '../support/until.ts';
import { MARKETS } from './catalogue.ts';
import { PLAYER, sellOf, type Trader, traderOf } from './sandbox-story.ts';
import type { Stage } from './stage.ts';

const RESERVED = { reserveReference: 'hold-1' };

export async function tellLive(stage: Stage): Promise<void> {
  const { recording, live, venue } = stage;
  const trader = traderOf(recording, { key: live.key }, PLAYER, 3001);
  await tellLongOrder(stage, trader);
  await tellFirstAnswers(stage, trader);
  await tellLateFee(stage, trader);
  venue.script = (order) => venue.fillWhole(order);
  await tellCaps(stage);
}

/** One order from its record to its end, in steps. */
async function tellLongOrder(stage: Stage, trader: Trader): Promise<void> {
  const { recording, live, venue, service } = stage;
  const by = { key: live.key };
  const { keep } = recording;
  const { orderId } = await trader.order('Live: recorded, waits for your reserve');
  const path = { id: orderId };
  await stage.keepEvent('order.intent_recorded', 'Reserve and hold', { orderId });
  await keep('confirmReserve', 'The reserve is confirmed', { by, path, body: { reserveReference: 'hold-3001' } });
  await keep('getOrder', 'Live: waits to be sent', { by, path });

  const reached = (wanted: (order: AnyJson) => boolean) =>
    recording.meanwhile(async () => {
      await service.sql`update transmissions set next_lookup_at = now() where order_id = ${orderId}`;
      await until(async () => (await service.request('GET', `/api/v1/orders/${orderId}`, by)).body, wanted);
    });
  venue.script = (order) => venue.accept(order, [], 'working');
  await recording.meanwhile(() => service.startJob(venue));
  await reached(({ status }) => status === 'submitted');
  await keep('getOrder', 'Live: sent, its outcome is unknown; hold the authorization', { by, path });

  const sent = await sentFor(stage, orderId);
  const fills = [venue.fill(sent, 0, 20_000_000n, 100)];
  venue.change(sent.ourId, { fills });
  await reached(({ filledQuantity }) => filledQuantity > 0);
  await keep('getOrder', 'Live: filled in part, the rest may still fill', { by, path, query: { fills: 'true' } });
  await stage.keepEvent('order.filled', 'A first fill, the rest may still fill', { orderId });
  venue.change(sent.ourId, { state: 'closed' });
  await reached(({ transmissionState }) => transmissionState === 'resolved');
  await keep('getOrder', 'Live: closed after a part was filled; release the rest', { by, path });
  await stage.keepEvent('order.completed', 'Closed after a part was filled', { orderId });
}

async function sentFor({ service, venue }: Stage, orderId: string): Promise<OrderToPlace> {
  const [row] = await service.sql<{ ourId: string }[]>`select our_id from transmissions where order_id = ${orderId}`;
  return venue.received.get(row?.ourId ?? '')?.[0] as OrderToPlace;
}

/** Orders whose reserve comes with them, by what the exchange says at once. */
async function tellFirstAnswers(stage: Stage, trader: Trader): Promise<void> {
  const { recording, live, venue } = stage;
  const { keep } = recording;
  const by = { key: live.key };
  const read = (summary: string, { orderId }: AnyJson) =>
    keep('getOrder', summary, { by, path: { id: orderId }, query: { fills: 'true' } });

  venue.script = (order) => venue.fillWhole(order, 100);
  const filled = await trader.order('Live: filled, with a fee of the exchange', RESERVED);
  await read('Live: filled, with a fee of the exchange', filled);
  await stage.keepEvent('order.filled', 'Filled whole', { orderId: filled.orderId });
  const sold = await trader.order('Live: a sell, filled', RESERVED, sellOf(10));
  await read('Live: a sell, filled', sold);
  await stage.keepEvent('order.filled', 'A sell, filled', { orderId: sold.orderId });

  venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
  const rejected = await trader.order('Live: rejected', RESERVED);
  await read('Live: rejected', rejected);
  await stage.keepEvent('order.rejected', 'The whole authorization is released', { orderId: rejected.orderId });

  venue.script = (order) => venue.accept(order, [], 'closed');
  const unfilled = await trader.order('Live: closed without a fill', RESERVED);
  await read('Live: closed without a fill', unfilled);
  await stage.keepEvent('order.completed', 'Closed without a fill', { orderId: unfilled.orderId });

  venue.script = (order) => venue.accept(order, [], 'working');
  await trader.order('Live: sent, still open', RESERVED);
  venue.script = () => venue.silence();
  await trader.order('No answer in time; hold the authorization', { ...RESERVED, refused: 'reconciliation_required' });
}

/** Everything is filled, and the fee becomes known later. */
async function tellLateFee(stage: Stage, trader: Trader): Promise<void> {
  const { recording, live, venue, service } = stage;
  const by = { key: live.key };
  venue.script = (order) => venue.fillWhole(order, null);
  const { orderId } = await trader.order('Live: filled, its fee is still unknown', RESERVED);
  const sent = await sentFor(stage, orderId);
  venue.change(sent.ourId, { fills: [venue.fill(sent, 0, sent.quantityMicros, 100)] });
  await recording.meanwhile(async () => {
    await service.sql`update transmissions set next_lookup_at = now() where order_id = ${orderId}`;
    await until(
      async () => (await service.request('GET', `/api/v1/orders/${orderId}`, by)).body,
      ({ settlementState }) => settlementState === 'settled',
    );
  });
  await recording.keep('getOrder', 'Live: filled, its fee became known later', { by, path: { id: orderId } });
  await stage.keepEvent('order.completed', 'Filled whole, the fee became known later', { orderId });
}

async function tellCaps({ recording, operator }: Stage): Promise<void> {
  const poor = await recording.meanwhile(() => operator('lucky-beginner', { mode: 'live' }));
  const capped = await recording.meanwhile(() =>
    operator('lucky-careful', { mode: 'live', playerExposureMinor: 1_000n }),
  );
  await traderOf(recording, { key: poor.key }, PLAYER, 1).order(
    'Too little collateral: the order waits for its reserve',
    {
      ...RESERVED,
      refused: 'insufficient_collateral',
    },
  );
  await traderOf(recording, { key: capped.key }, PLAYER, 1).order('Above a cap of the account', {
    ...RESERVED,
    refused: 'over_tenant_exposure',
  });
}

/** Markets are decided, paid, and decided again. */
export async function tellResults(stage: Stage): Promise<void> {
  const { recording, live } = stage;
  const { keep } = recording;
  const by = { key: live.key };
  const { rain, launch } = MARKETS;
  const winner = traderOf(recording, by, 'player-2', 1);
  const loser = traderOf(recording, by, 'player-3', 1);
  await winner.order('Live: on YES', RESERVED, { marketId: rain.contractId });
  await loser.order('Live: on NO', RESERVED, { marketId: rain.contractId, side: 'NO' });
  await winner.order('Live: on a market that is annulled', RESERVED, { marketId: launch.contractId });
  await decide(stage, rain, 'resolve', 'YES');
  await decide(stage, launch, 'resolve', 'VOID');
  const settled = async (summary: string, externalUserId: string, contractId: string) => {
    const { data } = await stage.keepEvent('position.settled', summary, { externalUserId, contractId });
    await keep('getPosition', `Settled: ${summary.toLowerCase()}`, { by, path: { id: data.positionId } });
  };
  await settled('Won', 'player-2', rain.contractId);
  await settled('Lost', 'player-3', rain.contractId);
  await settled('Void: what was paid is given back', 'player-2', launch.contractId);
  await keep('getEvent', 'Decided', { by: { key: stage.casino.key }, path: { id: rain.eventId } });
  const page = await keep('listSettlements', 'The first page', { by, query: { limit: '2' } });
  await keep('listSettlements', 'The end: keep the cursor', { by, query: { limit: '2', cursor: page.nextCursor } });
  await keep('listSettlements', 'Of one customer, what was won', {
    by,
    query: { externalUserId: 'player-2', outcome: 'won' },
  });
  await keep('listSettledPositions', 'By time', { by, query: { externalUserId: 'player-2' } });
  await keep('listSettlements', 'An unknown customer', {
    by,
    query: { externalUserId: 'nobody' },
    refused: 'unknown_user',
  });
  await decide(stage, rain, 'reopen', null);
  await stage.keepEvent('market.resolution_changed', 'The result was withdrawn', { currentResolution: null });
  await decide(stage, rain, 'resolve', 'NO');
  await stage.keepEvent('market.resolution_changed', 'Another result', { currentResolution: 'NO' });
}

async function decide(
  { recording, service }: Stage,
  { contractId }: TestMarket,
  action: string,
  resolution: string | null,
) {
  await recording.meanwhile(async () => {
    await service.sql`select * from decide_market(${contractId}, ${action}, ${resolution}, ${null})`;
    await settleMarket(service.sql, contractId);
    await raiseResolutionChanges(service.sql, contractId);
    await service.context.board.refresh();
  });
}
