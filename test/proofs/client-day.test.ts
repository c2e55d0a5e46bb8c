/**
 * A day of trading with the package `inlay/client` as a partner installs it, over a network that loses answers: an operator in a sandbox and
 * a live one repeat orders under their clientOrderId, book from the verified feed alone, and end equal to the service to the cent.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedItem, FeedState, InlayClient, Order } from '../../src/client/index.ts';
import type { Mode } from '../../src/core/terms.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { parseResolution, resolveMarket } from '../../src/markets/decisions.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { buildSite } from '../docs/site-pages.ts';
import { writeClientPackage } from '../support/client-package.ts';
import { openFaultyProxy } from '../support/faulty-link.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { restService } from '../support/operator-days.ts';
import { type Chance, openChance } from '../support/random.ts';
import { RestlessVenue } from '../support/restless-venue.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const SEED = 60;
const ACTIONS = 150;
const SIDE_BY_SIDE = 6;
const CUSTOMERS = 8;
const OPENING = 1_000_000;
const COLLATERAL = 100_000_000n;
const RESULTS = ['yes', 'no', 'void', 'split:0.37'] as const;

let inlay: typeof import('../../src/client/index.ts');
let world: World;
const venue = new RestlessVenue(openChance(SEED));
const markets: TestMarket[] = [];

beforeAll(async () => {
  await buildSite();
  const folder = temporaryFolder('client-day');
  await writeClientPackage(folder);
  inlay = await import(pathToFileURL(join(folder, 'dist', 'client', 'index.js')).href);
  world = await openWorld();
  await world.startJob(venue);
  world.add(await startSettlement(world.openWorker()));
  world.add(await startWebhookJobs(world.openWorker()));
  for (let index = 0; index < 5; index += 1) {
    markets.push(await world.openMarket(`client-day-${index}`, undefined, { feeBps: 200 }));
  }
});
afterAll(() => world.close());

const cents = (amount: string | undefined) => Number((amount ?? '0.00').replace('.', ''));
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Kept from the feed alone: an item is one booking. */
class Books {
  state: FeedState = { cursor: null, sequence: 0 };
  readonly orders = new Map<string, { customer: string; hold: number; debit: number; settled: boolean }>();
  readonly credits = new Map<string, number>();
  emitted = 0;

  book(item: FeedItem): void {
    const customer = item.externalUserId ?? '';
    const credit = (amount: number) => this.credits.set(customer, (this.credits.get(customer) ?? 0) + amount);
    if (item.type === 'order.state_changed' && item.money !== null && item.orderId !== null) {
      const settled = item.detail.settlementState === 'settled';
      const debit = settled ? cents(item.money.actualDebit) : 0;
      this.orders.set(item.orderId, { customer, hold: cents(item.money.authorizationAmount), debit, settled });
    } else if (item.type === 'position.exited') {
      credit(cents(item.money.sellProceeds));
    } else if (item.type === 'position.settled') {
      credit(cents(item.money.settlementCredit) + cents(item.money.voidCredit));
    } else if (item.type === 'webhook.emitted') {
      this.emitted += 1;
    }
  }

  account(customer: string): { available: number; held: number } {
    const own = [...this.orders.values()].filter((order) => order.customer === customer);
    const held = sum(own.filter(({ settled }) => !settled).map(({ hold }) => hold));
    const debits = sum(own.map(({ debit }) => debit));
    return { available: OPENING - held - debits + (this.credits.get(customer) ?? 0), held };
  }
}

/** A request whose answer was lost is made again: a quote is another one, an order the same under its clientOrderId. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof inlay.ServiceUnreachable)) {
        throw error;
      }
    }
  }
}

interface Trader {
  readonly mode: Mode;
  readonly operator: Operator;
  readonly client: InlayClient;
  readonly books: Books;
  /** Of the webhooks with a genuine signature. */
  readonly keys: Set<string>;
}

async function openTrader(mode: Mode): Promise<Trader> {
  const operator = await world.createOperator({
    slug: `client-${mode}`,
    mode,
    platformFeeBps: 230,
    executionConfirmed: true,
  });
  const { apiKey } = await world.issueKey(operator, { rateLimit: 6000 });
  if (mode === 'live') {
    await moveCollateral(world.sql, operator.operatorId, 'deposit', COLLATERAL);
  }
  const keys = new Set<string>();
  let secret = '';
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const signature = String(request.headers['service-signature']);
    keys.add(inlay.verifyWebhook({ body: Buffer.concat(chunks), signature, secret }).dedupeKey);
    response.writeHead(204).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const admin = await createEndpointAdmin(world.context);
  ({ secret } = await addEndpoint(admin, operator.operatorId, `http://127.0.0.1:${port}/`, []));
  const proxy = world.add(await openFaultyProxy(world.url, openChance(SEED + 1)));
  world.add({ close: async () => receiver.close() });
  const client = inlay.createClient({ baseUrl: proxy.url, apiKey });
  return { mode, operator, client, books: new Books(), keys };
}

async function act({ client, mode }: Trader, chance: Chance, clientOrderId: string): Promise<void> {
  const user = `player-${chance.below(CUSTOMERS)}`;
  const market = chance.pick(markets);
  const roll = chance.below(100);
  if (roll < 8) {
    const bid = 200 + chance.below(500);
    const level = (price: number) => [[(price / 1000).toFixed(3), '100000']] as const;
    await setBook(world.sql, market, { bids: level(bid), asks: level(bid + 20) });
    return;
  }
  if (roll < 16) {
    venue.move();
    return;
  }
  const { positions } = await untilAnswered(() =>
    client.get('/api/v1/positions', { query: { externalUserId: user, status: 'open' } }),
  );
  const held = roll < 45 ? positions[0] : undefined;
  const wanted =
    held === undefined
      ? ({
          marketId: market.contractId,
          side: chance.pick(['YES', 'NO'] as const),
          action: 'buy',
          stake: (150 + chance.below(4_000)) / 100,
        } as const)
      : ({
          marketId: held.contractId,
          side: held.side,
          action: 'sell',
          contracts: Math.floor(held.quantity * 50) / 100,
        } as const);
  const quote = await untilAnswered(() => client.post('/api/v1/quotes', { user, body: wanted }));
  const inSteps = chance.happens(0.5);
  const body = {
    quoteId: quote.quoteId,
    clientOrderId,
    maxSlippage: 0.03,
    ...(inSteps ? { executionIntent: 'record_intent' as const } : {}),
    ...(mode === 'live' && !inSteps ? { reserveReference: `hold-${clientOrderId}` } : {}),
  };
  const order = await untilAnswered(() => client.post('/api/v1/orders', { user, body }));
  if (order.status === 'reserve_pending') {
    const path = { id: order.orderId };
    await untilAnswered<Order | object>(() =>
      chance.happens(0.8)
        ? client.post('/api/v1/orders/{id}/confirm-reserve', { path })
        : client.post('/api/v1/orders/{id}/cancel', { path }),
    );
  }
}

async function readFeed({ client, books }: Trader): Promise<void> {
  await untilAnswered(() =>
    inlay.followFeed(client, {
      from: books.state,
      verify: {},
      apply: (facts, state) => {
        for (const fact of facts) {
          books.book(fact);
        }
        books.state = state;
      },
    }),
  );
}

async function tradeDay(trader: Trader, chance: Chance): Promise<number> {
  let next = 0;
  let refused = 0;
  const lane = async () => {
    while (next < ACTIONS) {
      next += 1;
      const id = `day-${next}`;
      try {
        await act(trader, openChance(chance.below(2 ** 31)), id);
      } catch (error) {
        // the price moved, or too little is held: the operator reserves nothing
        if (!(error instanceof inlay.ApiError) || error.status >= 500) {
          throw error;
        }
        refused += 1;
      }
      if (next % 50 === 0) {
        await sealFeeds(world.sql, loadLogSigner(world.context.environment, world.context.secrets));
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return refused;
}

// contract 1.4, 10.2, 21.14
test('the books of a sandbox and a live operator equal the service after a day', { timeout: 300_000 }, async () => {
  const traders = [await openTrader('sandbox'), await openTrader('live')];
  const refused = await Promise.all(traders.map((trader, index) => tradeDay(trader, openChance(SEED + 2 + index))));
  await Promise.all(traders.map(readFeed));
  venue.finish();
  for (const [index, market] of markets.slice(1).entries()) {
    await resolveMarket(world.sql, market.contractId, parseResolution(RESULTS[index] ?? 'yes'));
  }
  await restService(world, traders);
  await sealFeeds(world.sql, loadLogSigner(world.context.environment, world.context.secrets));
  for (const trader of traders) {
    const { mode, client, books, keys } = trader;
    await readFeed(trader);
    expect(books.orders.size, mode).toBeGreaterThan(ACTIONS / 4);
    expect(books.state.log, mode).toMatchObject({ target: null, later: [] });
    for (let number = 0; number < CUSTOMERS; number += 1) {
      const user = `player-${number}`;
      expect([mode, user, books.account(user)]).toEqual([mode, user, await accountOf(client, mode, user)]);
    }
    const report = await untilAnswered(() => client.get('/api/v1/reconciliation'));
    expect([mode, report.ok, report.findings]).toEqual([mode, true, expect.any(Array)]);
    if (mode === 'live') {
      const gained = sum(
        Array.from({ length: CUSTOMERS }, (_, number) => books.account(`player-${number}`)).map(
          ({ available, held }) => available + held - OPENING,
        ),
      );
      expect(gained).toBe(cents(report.collateralStatement.ending) - Number(COLLATERAL));
    }
    await until(() => expect([mode, keys.size]).toEqual([mode, books.emitted]));
  }
  console.log(`seed ${SEED}: ${refused.join(' and ')} of ${ACTIONS} actions refused`);
});

/** What a customer has by the service: in a sandbox its wallet, and live what its orders and settlements say. */
async function accountOf(client: InlayClient, mode: Mode, user: string): Promise<{ available: number; held: number }> {
  if (mode === 'sandbox') {
    const wallet = await untilAnswered(() => client.get('/api/v1/users/{id}/balance', { path: { id: user } }));
    return { available: cents(wallet.available), held: cents(wallet.held) };
  }
  const query = { externalUserId: user, limit: 200 };
  const { orders } = await untilAnswered(() => client.get('/api/v1/orders', { query }));
  const { settlements } = await untilAnswered(() => client.get('/api/v1/settlements', { query }));
  const pending = orders.filter(({ settlementState }) => settlementState === 'pending');
  const held = sum(pending.map(({ operatorMoney }) => cents(operatorMoney?.authorizationAmount)));
  const debits = sum(orders.map(({ operatorMoney }) => cents(operatorMoney?.actualDebit)));
  const proceeds = sum(orders.map(({ operatorExitMoney }) => cents(operatorExitMoney?.sellProceeds)));
  const paid = sum(
    settlements.map(({ operatorMoney }) => cents(operatorMoney.settlementCredit) + cents(operatorMoney.voidCredit)),
  );
  return { available: OPENING - held - debits + proceeds + paid, held };
}
