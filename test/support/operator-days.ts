/** Days of a sandbox and a live operator whose books are kept by fixtures/operator-python, over a faulty network. By a seed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mode } from '../../src/core/terms.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { parseResolution, resolveMarket } from '../../src/markets/decisions.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { resumeTrading } from '../../src/trading/account/venue-findings.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import type { AnyJson } from './any-json.ts';
import { type FaultyLink, openFaultyDelivery, openFaultyProxy } from './faulty-link.ts';
import { setBook, type TestMarket } from './market.ts';
import { type PythonBooks, type PythonOperator, startPythonOperator } from './python-operator.ts';
import { type Chance, openChance } from './random.ts';
import { RestlessVenue } from './restless-venue.ts';
import { until } from './until.ts';
import { openWorld, type World } from './world.ts';

const ACTIONS = 200;
/** Actions of one operator at the same time. */
const SIDE_BY_SIDE = 12;
const CUSTOMERS = 12;
const CONTRACTS = 6;
const COLLATERAL = 100_000_000n;
const BEAT_MS = 2_000;
const QUIET_MS = 60_000;
const RESULTS = ['yes', 'no', 'yes', 'no', 'void', 'split:0.37', 'split:0.5'] as const;

export interface Party {
  readonly mode: Mode;
  readonly operator: Operator;
  readonly key: string;
  readonly python: PythonOperator;
  /** How often each action ended how. */
  readonly outcomes: Map<string, number>;
}

export interface OperatorDays {
  readonly parties: readonly Party[];
  /** 200 actions of each operator; then most contracts of the day are resolved, and all comes to rest. */
  day(number: number): Promise<void>;
  /** Each line is a difference between the books of the operator and the service's. */
  differences(party: Party): Promise<string[]>;
  close(): Promise<void>;
}

interface TradedMarket extends TestMarket {
  bid: number;
  ask: number;
}

export async function startOperatorDays(seed: number): Promise<OperatorDays> {
  const service = await openWorld();
  const { sql } = service;
  const folder = await mkdtemp(join(tmpdir(), 'inlay-days-'));
  const venue = new RestlessVenue(openChance(seed + 1));
  const jobs = [
    await service.startJob(venue),
    await startSettlement(service.openWorker()),
    await startWebhookJobs(service.openWorker()),
  ];
  const links: FaultyLink[] = [];
  const openParty = async (mode: Mode, chance: Chance): Promise<Party & { drained(): Promise<void> }> => {
    const operator = await service.createOperator({
      slug: `python-${mode}`,
      mode,
      platformFeeBps: 230,
      executionConfirmed: true,
    });
    const { apiKey: key } = await service.issueKey(operator);
    if (mode === 'live') {
      await moveCollateral(sql, operator.operatorId, 'deposit', COLLATERAL);
    }
    const proxy = await openFaultyProxy(service.url, chance);
    // the address of the receiver is known only once it runs, and its secret only once it is registered
    let hooks = '';
    const deliveries = await openFaultyDelivery(() => hooks, chance);
    const { secret } = await addEndpoint(
      await createEndpointAdmin(service.context),
      operator.operatorId,
      `${deliveries.url}/`,
      [],
    );
    const python = await startPythonOperator(
      { INLAY_API_URL: proxy.url, INLAY_API_KEY: key, WEBHOOK_SECRET: secret },
      folder,
    );
    hooks = `${python.url}/hooks`;
    links.push(proxy, deliveries);
    return { mode, operator, key, python, outcomes: new Map(), drained: deliveries.drained };
  };
  const parties = [await openParty('sandbox', openChance(seed + 2)), await openParty('live', openChance(seed + 3))];

  let markets: TradedMarket[] = [];
  const show = (market: TradedMarket) =>
    setBook(sql, market, {
      bids: [[(market.bid / 1000).toFixed(3), '100000']],
      asks: [[(market.ask / 1000).toFixed(3), '100000']],
    });
  // a venue that goes on confirming its books, and a person who goes on trading: its account knows of no results
  const beat = setInterval(() => {
    void Promise.all([...markets.map(show), resumeTrading(sql, 'paper')]).catch(() => {});
  }, BEAT_MS);

  const stir = (chance: Chance) => {
    const market = chance.pick(markets);
    market.bid = 150 + chance.below(600);
    market.ask = market.bid + 5 + chance.below(40);
    return show(market);
  };

  return {
    parties,
    day: async (number) => {
      const chance = openChance(seed * 1_000 + number);
      for (let index = 0; index < CONTRACTS; index += 1) {
        const seeded = await service.openMarket(`day${number}-${index}`, undefined, { feeBps: 200 });
        markets.push({ ...seeded, bid: 550, ask: 570 });
        await stir(chance);
      }
      await service.context.board.refresh();
      await Promise.all(
        parties.map((party) =>
          trade(service, party, openChance(seed * 1_000_000 + number * 1_000 + parties.indexOf(party)), {
            number,
            contract: (one) => one.pick(markets).contractId,
            stir,
            moveVenue: () => venue.move(),
          }),
        ),
      );
      venue.finish();
      const staying = markets.slice(-1);
      for (const market of markets.slice(0, -1)) {
        await resolveMarket(sql, market.contractId, parseResolution(chance.pick(RESULTS)));
      }
      markets = staying;
      await restService(service, parties);
      await Promise.all(parties.map((party) => party.drained()));
      for (const { python } of parties) {
        await until(
          () => python.ask('read', {}),
          (result) => result === 'none',
          QUIET_MS,
        );
      }
    },
    differences: (party) => compare(service, party),
    close: async () => {
      clearInterval(beat);
      for (const { python } of parties) {
        await python.close();
      }
      for (const job of jobs) {
        await job.close();
      }
      await Promise.all(links.map((link) => link.close()));
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Surroundings {
  readonly number: number;
  contract(chance: Chance): string;
  stir(chance: Chance): Promise<void>;
  moveVenue(): void;
}

async function trade(service: World, party: Party, chance: Chance, around: Surroundings): Promise<void> {
  const { python, key, mode } = party;
  const live = mode === 'live';
  const call = (method: string, path: string, body?: object) =>
    service.request(method, `/api/v1${path}`, { key, ...(body !== undefined && { body }) });
  /** A busy service refuses a read, and is asked again. */
  const openPositions = (customer: string) =>
    until(
      () => call('GET', `/positions?externalUserId=${customer}&status=open`),
      ({ status }) => status === 200,
    );
  const placed: { customer: string; key: string }[] = [];
  /** Those of them that wait for their confirmation. */
  const intents: { customer: string; key: string }[] = [];
  let next = 0;

  const steps = (one: Chance): object => {
    const slippage = one.happens(0.3) ? { maxSlippage: 0.03 } : {};
    if (one.happens(live ? 0.4 : 0.75)) {
      return live ? { ...slippage, reserveReference: `hold-${one.below(1e6)}` } : slippage;
    }
    return { ...slippage, executionIntent: 'record_intent' };
  };
  const place = async (action: string, order: { customer: string; key: string }, terms: object): Promise<string> => {
    placed.push(order);
    const status = await python.ask(action, { ...order, ...terms });
    if (status === 'reserve_pending') {
      intents.push(order);
    }
    return `${action} ${status ?? 'without an answer'}`;
  };
  const act = async (one: Chance, index: number): Promise<string> => {
    const customer = `player-${one.below(CUSTOMERS)}`;
    const order = { customer, key: `${around.number}-${index}` };
    const roll = one.below(100);
    if (roll < 45) {
      const stake = (150 + one.below(4_000)) / 100;
      if (!live && one.happens(0.2)) {
        await call('POST', '/sandbox/scenarios', {
          kind: 'partial_fill',
          clientOrderId: order.key,
          ...(one.happens(0.5)
            ? { fillFraction: (1 + one.below(98)) / 100 }
            : { fillAmountMinor: 1 + one.below(3_000) }),
        });
      }
      const terms = { contract: around.contract(one), side: one.pick(['YES', 'NO']), stake };
      return place('buy', order, { ...terms, ...steps(one) });
    }
    if (roll < 62) {
      const { positions } = (await openPositions(customer)).body;
      if (positions.length === 0) {
        return 'sell nothing';
      }
      const { contractId: contract, side, quantity } = one.pick<AnyJson>(positions);
      const contracts = one.happens(0.3) ? quantity : Math.floor(quantity * one.below(100)) / 100;
      return place('sell', order, { contract, side, contracts, ...steps(one) });
    }
    const [intent] = roll < 76 ? intents.splice(one.below(intents.length), 1) : [];
    if (intent !== undefined) {
      return `confirm ${await python.ask('confirm', intent)}`;
    }
    if (placed.length > 0 && roll < 88) {
      const action = roll < 64 ? 'confirm' : roll < 82 ? 'cancel' : 'look_up';
      return `${action} ${await python.ask(action, one.pick(placed))}`;
    }
    if (roll < 91) {
      return `read ${await python.ask('read', {})}`;
    }
    if (roll < 95) {
      await around.stir(one);
      return 'prices';
    }
    if (roll < 97 && !live) {
      const { positions } = (await openPositions(customer)).body;
      const resolution = one.pick(['WIN', 'LOSS', 'VOID']);
      return positions.length === 0
        ? 'settle nothing'
        : `settle ${(await call('POST', '/sandbox/resolutions', { positionId: one.pick<AnyJson>(positions).positionId, resolution })).status}`;
    }
    if (roll === 99) {
      await python.crash();
      return 'crash';
    }
    around.moveVenue();
    return 'venue';
  };
  const lane = async () => {
    while (next < ACTIONS) {
      const index = next;
      next += 1;
      const outcome = await act(openChance(chance.below(2 ** 31)), index);
      party.outcomes.set(outcome, (party.outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
}

/** Until every order that may execute is final, every position of a resolved contract is settled, and every event delivered. */
export async function restService({ sql }: World, parties: readonly Pick<Party, 'operator'>[]): Promise<void> {
  const ids = parties.map(({ operator }) => operator.operatorId);
  await until(
    async () => {
      await sql`update transmissions set next_lookup_at = now() where state <> 'done' and next_lookup_at > now()`;
      const [open] = await sql<{ orders: number; positions: number }[]>`
        select
          (select count(*)::int from orders where operator_id = any (${ids})
            and (status in ('pending_venue_execution', 'submitted') or status = 'partially_filled' and transmission_state <> 'resolved')) as orders,
          (select count(*)::int from positions p join contracts c using (contract_id)
            where p.operator_id = any (${ids}) and p.status = 'open' and c.resolution is not null) as positions`;
      return open;
    },
    (open) => open?.orders === 0 && open.positions === 0,
    QUIET_MS,
  );
}

const cents = (amount: string) => Math.round(Number(amount) * 100);

async function compare(service: World, { mode, key, python }: Party): Promise<string[]> {
  const read = async (path: string) => (await service.request('GET', `/api/v1${path}`, { key })).body;
  const all = async (path: string, name: string): Promise<AnyJson[]> => {
    const items: AnyJson[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: AnyJson = await read(
        `${path}&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      items.push(...page[name]);
      cursor = page.hasMore ? page.nextCursor : null;
    }
    return items;
  };
  const books = await python.books();
  const found: string[] = [];
  const differ = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) {
      found.push(`${what}: the operator has ${ours}, the service ${theirs}`);
    }
  };
  for (const { customer, available, held } of books.wallets) {
    const orders = await all(`/orders?externalUserId=${customer}`, 'orders');
    const settlements = await all(`/settlements?externalUserId=${customer}`, 'settlements');
    const pending = orders.filter(({ settlementState }) => settlementState === 'pending');
    const sum = (items: AnyJson[], amount: (item: AnyJson) => string | undefined) =>
      items.reduce((total, item) => total + cents(amount(item) ?? '0.00'), 0);
    const holds = sum(pending, ({ operatorMoney }) => operatorMoney?.authorizationAmount);
    const free =
      1_000_000 -
      holds -
      sum(orders, ({ operatorMoney }) => operatorMoney?.actualDebit) +
      sum(orders, ({ operatorExitMoney }) => operatorExitMoney?.sellProceeds) +
      sum(settlements, ({ operatorMoney }) => operatorMoney.settlementCredit) +
      sum(settlements, ({ operatorMoney }) => operatorMoney.voidCredit);
    differ(`${customer} available`, available, free);
    differ(`${customer} held`, held, holds);
    if (mode === 'sandbox' && orders.length > 0) {
      const balance = await read(`/users/${customer}/balance`);
      differ(`${customer} available in the wallet`, available, cents(balance.available));
      differ(`${customer} held in the wallet`, held, cents(balance.held));
    }
  }
  differ('holdings', holdingsOf(books), positionsOf(await all('/positions?status=open', 'positions')));
  const open = await all('/orders?', 'orders');
  differ(
    'unsettled orders',
    books.unsettled
      .map((order) => order.order_id)
      .toSorted()
      .join(' '),
    open
      .filter(({ settlementState }) => settlementState === 'pending')
      .map(({ orderId }) => orderId)
      .toSorted()
      .join(' '),
  );
  const report = await read('/reconciliation');
  differ('the report', true, report.ok);
  if (!report.ok) {
    found.push(JSON.stringify(report.findings));
  }
  const gained = books.wallets.reduce((total, { available, held }) => total + available + held - 1_000_000, 0);
  if (mode === 'live') {
    differ(
      'all customers against the collateral',
      gained,
      cents(report.collateralStatement.ending) - Number(COLLATERAL),
    );
  }
  return found;
}

const holdingsOf = (books: PythonBooks) =>
  books.holdings
    .map(({ customer, contract, side, quantity }) => `${customer} ${contract} ${side} ${quantity}`)
    .toSorted()
    .join('\n');

const positionsOf = (positions: AnyJson[]) =>
  positions
    .map(
      ({ externalUserId, contractId, side, quantity }) =>
        `${externalUserId} ${contractId} ${side} ${Math.round(quantity * 1e6)}`,
    )
    .toSorted()
    .join('\n');
