/** One of everything that an operator can be told: every kind of command, in both modes, one after the other, so that each run says the same. */
import { expect } from 'vitest';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { closePeriod } from '../../src/ledger/periods.ts';
import { settleWaiting } from '../../src/sandbox/resolve-position.ts';
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import { createRecordPorts, resolveByPerson } from '../../src/trading/execution/record-execution.ts';
import { findOrders } from '../../src/trading/orders/read-orders.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readUndelivered } from '../support/events.ts';
import type { TestMarket } from '../support/market.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { answers, openSink, type Sink } from '../webhooks/sinks.ts';

export interface GoldenWorld {
  readonly live: Live;
  /** Name of the golden file, and who is told. */
  readonly tenants: readonly { readonly name: string; readonly tenant: Tenant; readonly users: readonly string[] }[];
  /** Deliveries as the operator's endpoint received them. */
  readonly received: Sink['received'];
  close(): Promise<void>;
}

export async function recordWorld(): Promise<GoldenWorld> {
  const live = await openLive();

  const sink = await openSink(answers.ok);
  const sandbox = await live.tenant({ mode: 'sandbox' });
  const real = await live.tenant({ collateralMinor: 0n });
  const { sql, context } = live;
  const admin = { sql, box: createSecretBox(context.secrets), policy: { allowLoopback: true } };
  for (const { operator } of [sandbox, real]) {
    await addEndpoint(admin, operator.operatorId, sink.url, []);
  }
  const jobs = await startWebhookJobs(context);

  await tradeInSandbox(live, sandbox);
  await tradeLive(live, real);
  await sealFeeds(sql, loadLogSigner(context.environment, context.secrets));
  await until(
    () => readUndelivered(sql),
    (undelivered) => undelivered.length === 0,
    30_000,
  );
  return {
    live,
    tenants: [
      { name: 'sandbox', tenant: sandbox, users: ['ana', 'ben', 'cem', 'dan', 'eva', 'fay'] },
      { name: 'live', tenant: real, users: ['ana', 'ben'] },
    ],
    received: sink.received,
    close: async () => {
      await jobs.close();
      await live.close();
      await sink.close();
    },
  };
}

async function tradeInSandbox(live: Live, tenant: Tenant): Promise<void> {
  const { sql } = live;
  const ask = (method: string, path: string, body?: object, user?: string) =>
    live.request(method, `/api/v1/${path}`, {
      key: tenant.key,
      ...(body && { body }),
      ...(user !== undefined && { user }),
    });
  const market = async (name: string): Promise<TestMarket> => {
    const made = await live.openMarket(`golden-${name}`);
    return made;
  };
  const buy = async (user: string, { contractId }: TestMarket, quote: object = {}, order: object = {}) => {
    const placed = await tenant.place(user, order, { marketId: contractId, ...quote });
    expect(placed.status, placed.text).toBe(201);
    return placed.body;
  };
  const sell = (user: string, where: TestMarket, contracts: number, side = 'YES') =>
    buy(user, where, { action: 'sell', stake: undefined, contracts, side });
  const positionOf = async (user: string, { contractId }: TestMarket): Promise<string> => {
    const { body } = await ask('GET', `positions?externalUserId=${user}`);
    return body.positions.find((one: AnyJson) => one.contractId === contractId).id;
  };
  const decide = async (
    { contractId }: TestMarket,
    action: string,
    word: string | null,
    worth: bigint | null = null,
  ) => {
    await sql`select * from decide_market(${contractId}, ${action}, ${word}, ${worth})`;
    await settleMarket(sql, contractId);
    await raiseResolutionChanges(sql, contractId);
  };

  // filled at once, sold in parts and whole
  const won = await market('won');
  await buy('ana', won);
  await buy('ana', won, { stake: 12.34 });
  await buy('ben', won, { side: 'NO', stake: 7 });
  await sell('ana', won, 5);
  await sell('ben', won, 1, 'NO');
  const sold = await market('sold');
  const { filledQuantity } = await buy('ana', sold, { stake: 25 });
  await sell('ana', sold, filledQuantity);

  // held first: confirmed, cancelled; filled in part by a scenario
  const held = await market('held');
  const confirmed = await buy('cem', held, { stake: 50 }, { executionIntent: 'record_intent' });
  await tenant.confirm(confirmed.orderId);
  await until(
    () => tenant.read(confirmed.orderId),
    ({ status }) => status === 'filled',
  );
  const withdrawn = await buy('cem', held, { stake: 20 }, { executionIntent: 'record_intent' });
  await tenant.cancel(withdrawn.orderId);
  await ask('POST', 'sandbox/scenarios', { kind: 'partial_fill', fillFraction: 0.4 });
  await buy('dan', held, { stake: 30 });
  await ask('POST', 'sandbox/scenarios', { kind: 'partial_fill', fillAmountMinor: 450 });
  await buy('dan', held, { stake: 9 });

  // a position resolved by itself, test money, and a customer who only has limits
  const single = await market('single');
  await buy('eva', single);
  await ask('POST', 'sandbox/resolutions', { positionId: await positionOf('eva', single), resolution: 'win' });
  await buy('eva', single, { side: 'NO', stake: 3 });
  await settleWaiting(sql);
  const opened = await ask('POST', 'funding/deposit-address', { symbol: 'USDC', chainId: 137 }, 'eva');
  expect(opened.status, opened.text).toBeLessThan(300);
  for (let polls = 0; polls < 3; polls += 1) {
    await ask('GET', `funding/deposits/${opened.body.depositId}?sync=true`);
  }
  await ask('PUT', 'users/fay/limits', { maxWagerMinor: 5_000 });

  // every resolution, one that is taken back, and one that changes
  await decide(won, 'resolve', 'YES');
  await decide(held, 'resolve', 'VOID');
  const split = await market('split');
  await buy('ana', split);
  await buy('ben', split, { side: 'NO' });
  await decide(split, 'resolve', 'SPLIT', 400_000n);
  await decide(won, 'reopen', null);
  await decide(won, 'resolve', 'NO');

  const signer = loadLogSigner(live.context.environment, live.context.secrets);
  await closePeriod(sql, signer, tenant.operator.operatorId, new Date(Date.now() - 60_000));
}

async function tradeLive(live: Live, tenant: Tenant): Promise<void> {
  const { sql, venue } = live;
  const { operatorId } = tenant.operator;
  const { ended, due, send } = createSentOrders(
    () => live,
    () => tenant,
  );
  const reserved = { reserveReference: 'r-1' };
  const sell = (contracts: number) => tenant.place('ana', reserved, { action: 'sell', stake: undefined, contracts });
  const feeOf = async (orderId: string, feeBps: number) => {
    const [sent] = (await live.sentOf(orderId)) as [OrderToPlace];
    venue.change(sent.ourId, { fills: [venue.fill(sent, 0, sent.quantityMicros, feeBps)] });
    await due(orderId);
    await ended(orderId);
  };

  await moveCollateral(sql, operatorId, 'deposit', 100_000n);
  await moveCollateral(sql, operatorId, 'withdrawal', 12_345n);

  // whole, in two parts, with a fee that comes later
  venue.script = (order) => venue.fillWhole(order, 50);
  await tenant.place('ana', reserved, { stake: 20 });
  venue.script = (order) => venue.accept(order, [order.quantityMicros / 2n, order.quantityMicros / 4n], 'closed', 30);
  await tenant.place('ana', reserved, { stake: 20 });
  venue.script = (order) => venue.fillWhole(order, null);
  const late = (await tenant.place('ana', reserved, { stake: 10 })).body;
  await feeOf(late.orderId, 50);

  // confirmed later, withdrawn unsent, closed unfilled, refused, and one that a person resolves
  venue.script = (order) => venue.fillWhole(order, 0);
  await ended((await send({ stake: 5 })).orderId);
  const unsent = (await tenant.place('ben')).body;
  await tenant.cancel(unsent.orderId);
  venue.script = (order) => venue.accept(order, [], 'closed');
  await tenant.place('ben', reserved);
  venue.script = () => ({ outcome: 'rejected', reason: 'market halted', order: null });
  await tenant.place('ben', reserved);
  venue.lookupIsComplete = false;
  venue.script = () => venue.silence();
  const unknown = (await tenant.place('ben', reserved)).body;
  const [found] = await findOrders(sql, unknown.orderId);
  if (found === undefined) {
    throw new Error(`no order ${unknown.orderId}`);
  }
  const learned = { rejected: false, quantityMicros: 4_000_000n, priceMicros: 560_000n, feeMinor: 3n } as const;
  await resolveByPerson(createRecordPorts(sql), found, learned, 'ticket 4711');
  venue.lookupIsComplete = true;

  // sold in parts, with a fee that comes later, and what is left is paid
  venue.script = (order) => venue.accept(order, [2_000_000n, 3_000_000n], 'closed', 20);
  await sell(5);
  venue.script = (order) => venue.fillWhole(order, null);
  const sold = (await sell(4)).body;
  await feeOf(sold.orderId, 100);
  await sql`select * from decide_market(${live.market.contractId}, 'resolve', 'YES', null)`;
  await settleMarket(sql, live.market.contractId);
}
