/**
 * Random customers buy, sell, are filled in part, withdraw, and are settled won, lost, annulled and split on random books,
 * against an operator's own ledger that only applies the instructions of the responses. After every step both agree to the
 * cent, positions agree, the trial balance is zero and the report is ok. Once for a sandbox tenant, once for a live one.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { readCollateral } from '../support/collateral.ts';
import { setBook, type TestBook, type TestMarket } from '../support/market.ts';
import { cents, micros, OperatorBooks } from '../support/operator-books.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const CUSTOMERS = ['ana', 'ben', 'cem'];
const WALLET = 1_000_000n;
const COLLATERAL = 5_000_000n;
const RUNS = Number(process.env['MODEL_RUNS'] ?? 6);
const STEPS = 40;

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

interface Model {
  readonly books: OperatorBooks;
  /** Recorded and not confirmed: order id, customer, market. */
  readonly intents: { orderId: string; customer: string; market: number }[];
}

interface Real {
  readonly tenant: Tenant;
  readonly markets: readonly TestMarket[];
  readonly resolved: Set<number>;
  cursor: string | null;
  keys: number;
}

const REFUSALS = new Set([400, 409, 422]);

abstract class Step implements fc.AsyncCommand<Model, Real> {
  readonly told: string;
  constructor(told: object) {
    this.told = `${this.constructor.name} ${JSON.stringify(told)}`;
  }
  check(): boolean {
    return true;
  }
  abstract act(model: Model, real: Real): Promise<void>;
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await hearSettlements(model, real);
    await agree(model, real);
  }
  toString(): string {
    return this.told;
  }
}

interface BuyWish {
  customer: string;
  market: number;
  side: 'YES' | 'NO';
  stake: number;
  /** Of a live order: what share the venue fills, in how many fills, at which fee. */
  share: number;
  bps: number;
  slippage: number;
}

class Buy extends Step {
  readonly wish: BuyWish;
  constructor(wish: BuyWish) {
    super(wish);
    this.wish = wish;
  }
  async act({ books }: Model, real: Real): Promise<void> {
    const { customer, side, stake, slippage } = this.wish;
    const quoted = await real.tenant.quote(customer, {
      marketId: marketOf(real, this.wish.market).contractId,
      side,
      stake,
    });
    if (quoted.status !== 200) {
      expect(REFUSALS).toContain(quoted.status);
      return;
    }
    books.reserve(customer, quoted.body);
    scriptVenue(this.wish);
    const placed = await order(real, customer, { quoteId: quoted.body.quoteId, maxSlippage: slippage });
    if (placed.status !== 201) {
      expect(REFUSALS).toContain(placed.status);
      books.giveBack(customer, quoted.body.operatorMoney.authorizationAmount);
      return;
    }
    expect(placed.body.settlementState, placed.text).toBe('settled');
    books.bought(customer, placed.body);
    // the answer was lost and is asked for again: it is applied once
    const again = await real.tenant.order(customer, {
      quoteId: quoted.body.quoteId,
      clientOrderId: placed.body.clientOrderId,
    });
    expect(again.status).toBe(200);
    books.bought(customer, again.body);
  }
}

class Sell extends Step {
  readonly wish: { customer: string; market: number; side: 'YES' | 'NO'; part: number; share: number; bps: number };
  constructor(wish: Sell['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act({ books }: Model, real: Real): Promise<void> {
    const { customer, side, part } = this.wish;
    const { contractId } = marketOf(real, this.wish.market);
    const held = books.position(customer, contractId, side).quantity;
    const wanted = (held * BigInt(Math.round(part * 100))) / 100n || 1_000_000n;
    const contracts = Number(wanted) / 1e6;
    const quoted = await real.tenant.quote(customer, {
      marketId: contractId,
      side,
      action: 'sell',
      stake: undefined,
      contracts,
    });
    if (quoted.status !== 200) {
      expect(REFUSALS).toContain(quoted.status);
      return;
    }
    expect(wanted).toBeLessThanOrEqual(held);
    scriptVenue(this.wish);
    const placed = await order(real, customer, { quoteId: quoted.body.quoteId });
    if (placed.status !== 201) {
      expect(REFUSALS).toContain(placed.status);
      return;
    }
    expect(placed.body.settlementState, placed.text).toBe('settled');
    books.sold(customer, placed.body);
  }
}

/** Sandbox: the next order of anybody, or nobody's. */
class Arm extends Step {
  readonly wish: { fillFraction?: number; fillAmountMinor?: number };
  constructor(wish: Arm['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act(_: Model, { tenant }: Real): Promise<void> {
    const body = { kind: 'partial_fill', ...this.wish };
    const armed = await live.request('POST', '/api/v1/sandbox/scenarios', { key: tenant.key, body });
    expect([200, 403]).toContain(armed.status);
  }
}

class RecordIntent extends Step {
  readonly wish: { customer: string; market: number; side: 'YES' | 'NO'; stake: number };
  constructor(wish: RecordIntent['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act({ books, intents }: Model, real: Real): Promise<void> {
    const { customer, market, side, stake } = this.wish;
    if (real.tenant.operator.mode === 'live') {
      return;
    }
    const quoted = await real.tenant.quote(customer, { marketId: marketOf(real, market).contractId, side, stake });
    if (quoted.status !== 200) {
      return;
    }
    real.keys += 1;
    const body = { quoteId: quoted.body.quoteId, clientOrderId: `k${real.keys}`, executionIntent: 'record_intent' };
    const placed = await real.tenant.order(customer, body);
    if (placed.status === 201) {
      books.reserve(customer, quoted.body);
      intents.push({ orderId: placed.body.orderId, customer, market: market % real.markets.length });
    }
  }
}

class EndIntent extends Step {
  readonly wish: { confirm: boolean };
  constructor(wish: EndIntent['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act({ books, intents }: Model, { tenant }: Real): Promise<void> {
    const intent = intents.shift();
    if (intent === undefined) {
      return;
    }
    if (!this.wish.confirm) {
      const cancelled = await tenant.cancel(intent.orderId);
      books.giveBack(intent.customer, cancelled.body.releaseAmount);
      return;
    }
    expect((await tenant.confirm(intent.orderId)).status).toBe(200);
    const done = await until(
      () => tenant.read(intent.orderId),
      (one) => one.settlementState === 'settled',
    );
    books.bought(intent.customer, done);
  }
}

class MoveBook extends Step {
  readonly wish: { market: number; book: TestBook };
  constructor(wish: MoveBook['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act(_: Model, real: Real): Promise<void> {
    await setBook(live.sql, marketOf(real, this.wish.market), this.wish.book);
  }
}

class Resolve extends Step {
  readonly wish: { market: number; resolution: 'YES' | 'NO' | 'VOID' | 'SPLIT'; worth: number };
  constructor(wish: Resolve['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act({ books, intents }: Model, real: Real): Promise<void> {
    const market = this.wish.market % real.markets.length;
    const { contractId } = marketOf(real, market);
    const { resolution } = this.wish;
    if (real.resolved.has(market)) {
      return;
    }
    real.resolved.add(market);
    await live.sql`select * from decide_market(${contractId}, 'resolve', ${resolution}, ${resolution === 'SPLIT' ? BigInt(this.wish.worth) : null})`;
    await settleMarket(live.sql, contractId);
    // what waited for a reserve on it is withdrawn by the service
    for (const intent of intents.filter((one) => one.market === market)) {
      const order = await until(
        () => real.tenant.read(intent.orderId),
        (one) => one.status === 'cancelled',
      );
      books.giveBack(intent.customer, order.intent.releaseAmount);
      intents.splice(intents.indexOf(intent), 1);
    }
  }
}

/** Sandbox: one position, as a tester asks. */
class ResolveOne extends Step {
  readonly wish: { which: number; resolution: 'WIN' | 'LOSS' | 'VOID' };
  constructor(wish: ResolveOne['wish']) {
    super(wish);
    this.wish = wish;
  }
  async act(_: Model, { tenant }: Real): Promise<void> {
    const page = await live.request('GET', '/api/v1/positions?status=open', { key: tenant.key });
    const position = page.body.positions[this.wish.which % Math.max(1, page.body.positions.length)];
    if (position !== undefined) {
      const body = { positionId: position.positionId, resolution: this.wish.resolution };
      const answer = await live.request('POST', '/api/v1/sandbox/resolutions', { key: tenant.key, body });
      expect([200, 403]).toContain(answer.status);
    }
  }
}

const marketOf = (real: Real, index: number): TestMarket => real.markets[index % real.markets.length] as TestMarket;

function order(real: Real, customer: string, body: object) {
  real.keys += 1;
  const reserve = real.tenant.operator.mode === 'live' ? { reserveReference: 'r' } : {};
  return real.tenant.order(customer, { clientOrderId: `k${real.keys}`, ...reserve, ...body });
}

function scriptVenue({ share, bps }: { share: number; bps: number }): void {
  live.venue.script = (sent) => {
    if (share === 0) {
      return { outcome: 'rejected', reason: 'halted', order: null };
    }
    const part = (sent.quantityMicros * BigInt(Math.round(share * 100))) / 100n;
    const filled = part - (part % 10_000n);
    return live.venue.accept(sent, filled > 0n ? [filled] : [], 'closed', bps);
  };
}

/** The register, from where it was read last: each credit is applied once. */
async function hearSettlements({ books }: Model, real: Real): Promise<void> {
  for (;;) {
    const cursor = real.cursor === null ? '' : `&cursor=${encodeURIComponent(real.cursor)}`;
    const page = await live.request('GET', `/api/v1/settlements?limit=3${cursor}`, { key: real.tenant.key });
    expect(page.status).toBe(200);
    for (const settlement of page.body.settlements) {
      books.settled(settlement);
    }
    real.cursor = page.body.nextCursor;
    if (!page.body.hasMore) {
      return;
    }
  }
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n);

async function agree({ books }: Model, { tenant }: Real): Promise<void> {
  const get = async (path: string) => {
    const { status, text, body } = await live.request('GET', path, { key: tenant.key });
    expect(status, text).toBe(200);
    return body;
  };
  if (tenant.operator.mode === 'sandbox') {
    for (const customer of CUSTOMERS) {
      const { available, held, total } = await get(`/api/v1/users/${customer}/balance`);
      const told = { customer, available: cents(available), held: cents(held), total: cents(total) };
      const [free, reserved] = [books.available.get(customer) ?? 0n, books.held.get(customer) ?? 0n];
      expect(told).toEqual({ customer, available: free, held: reserved, total: free + reserved });
    }
  } else {
    const collateral = await readCollateral(live.sql, tenant.operator.operatorId);
    expect(collateral).toEqual({
      availableMinor: COLLATERAL + sum(books.available.values()),
      committedMinor: sum(books.held.values()),
    });
  }
  const page = await get('/api/v1/positions?status=open&limit=200');
  const told = page.positions.map(
    (one: {
      externalUserId: string;
      contractId: string;
      side: string;
      quantity: number;
      operatorMoney: { costBasis: string; realisedPnl: string };
    }) =>
      `${one.externalUserId} ${one.contractId} ${one.side}: ${micros(one.quantity)} for ${cents(one.operatorMoney.costBasis)}, realised ${cents(one.operatorMoney.realisedPnl)}`,
  );
  const kept = [...books.positions]
    .filter(([, position]) => position.quantity > 0n)
    .map(([key, position]) => `${key}: ${position.quantity} for ${position.cost}, realised ${position.realised}`);
  expect(told.toSorted()).toEqual(kept.toSorted());
  const report = await get('/api/v1/reconciliation');
  // what a venue takes beyond its word is a warning, and ours to bear
  const wrong = report.findings.filter((finding: { severity: string }) => finding.severity === 'critical');
  expect({ ok: report.ok, trialBalance: report.trialBalance.difference, wrong }).toEqual({
    ok: true,
    trialBalance: '0.00',
    wrong: [],
  });
}

const level = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 2_000 }));
/** Bids and asks that do not cross, in tenths of a cent, with few or many contracts at each price. */
const book: fc.Arbitrary<TestBook> = fc
  .record({
    middle: fc.integer({ min: 60, max: 940 }),
    bids: fc.array(level, { minLength: 1, maxLength: 3 }),
    asks: fc.array(level, { minLength: 1, maxLength: 3 }),
  })
  .map(({ middle, bids, asks }) => {
    const price = (mills: number) => `0.${String(mills).padStart(3, '0')}`;
    const ladder = (levels: readonly [number, number][], direction: 1 | -1) => {
      let at = middle;
      return levels
        .map(([step, size]) => {
          at += direction * step;
          return [at, size] as const;
        })
        .filter(([mills]) => mills > 0 && mills < 1000)
        .map(([mills, size]) => [price(mills), `${size}`] as const);
    };
    return { bids: ladder(bids, -1), asks: ladder(asks, 1) };
  });

const customer = fc.constantFrom(...CUSTOMERS);
const market = fc.nat({ max: 2 });
const side = fc.constantFrom('YES' as const, 'NO' as const);
const stake = fc.integer({ min: 50, max: 30_000 }).map((amount) => amount / 100);
const share = fc.constantFrom(1, 1, 1, 0.5, 0.33, 0.01, 0);
const bps = fc.constantFrom(0, 50, 100, 175);
const steps = [
  fc
    .record({ customer, market, side, stake, share, bps, slippage: fc.constantFrom(0, 0, 0.02) })
    .map((wish) => new Buy(wish)),
  fc
    .record({ customer, market, side, stake, share, bps, slippage: fc.constantFrom(0, 0, 0.02) })
    .map((wish) => new Buy(wish)),
  fc
    .record({ customer, market, side, part: fc.constantFrom(1, 1, 0.5, 0.33, 1.2), share, bps })
    .map((wish) => new Sell(wish)),
  fc
    .record({ customer, market, side, part: fc.constantFrom(1, 1, 0.5, 0.33, 1.2), share, bps })
    .map((wish) => new Sell(wish)),
  fc
    .constantFrom(
      { fillFraction: 0.5 },
      { fillFraction: 0.001 },
      { fillFraction: 0.9999 },
      { fillAmountMinor: 777 },
      { fillAmountMinor: 1 },
    )
    .map((wish) => new Arm(wish)),
  fc.record({ customer, market, side, stake }).map((wish) => new RecordIntent(wish)),
  fc.record({ confirm: fc.boolean() }).map((wish) => new EndIntent(wish)),
  fc.record({ market, book }).map((wish) => new MoveBook(wish)),
  fc
    .record({
      market,
      resolution: fc.constantFrom('YES' as const, 'NO' as const, 'VOID' as const, 'SPLIT' as const),
      worth: fc.integer({ min: 1, max: 999_999 }),
    })
    .map((wish) => new Resolve(wish)),
  fc
    .record({
      which: fc.nat({ max: 50 }),
      resolution: fc.constantFrom('WIN' as const, 'LOSS' as const, 'VOID' as const),
    })
    .map((wish) => new ResolveOne(wish)),
];

let runs = 0;

// contract 1.5, contract 1.6, contract 1.7
test.each(['sandbox', 'live'] as const)(
  'an operator of mode %s and the service agree to the cent',
  { timeout: 180_000 },
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(book, book, book),
        fc.constantFrom(0, 200, 1234),
        fc.commands(steps, { maxCommands: STEPS, size: 'max' }),
        async (wanted, platformFeeBps, commands) => {
          runs += 1;
          const run = runs;
          const markets = await Promise.all(
            wanted.map((one, index) => live.openMarket(`model-${run}-${index}`, one, { feeBps: 100 })),
          );
          const tenant = await live.tenant({ mode, platformFeeBps, collateralMinor: COLLATERAL });
          // a customer's first quote is refused if the price of the beginning is too old by now
          await setBook(live.sql, live.market);
          await live.context.board.refresh();
          for (const one of CUSTOMERS) {
            const quoted = await tenant.quote(one, { stake: 5 });
            expect(quoted.status, quoted.text).toBe(200);
          }
          const setup = () => ({
            model: { books: new OperatorBooks(CUSTOMERS, mode === 'sandbox' ? WALLET : 0n), intents: [] },
            real: { tenant, markets, resolved: new Set<number>(), cursor: null, keys: 0 },
          });
          await fc.asyncModelRun(setup, commands);
          expect(await tenant.audit()).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);
