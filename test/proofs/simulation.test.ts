/**
 * Seeded simulation of live trading: customers, workers that crash at any call, and a venue that fills in parts, repeats
 * itself and tells old news, interleaved call by call. After each seed: no double send, the truth at the venue is what was
 * booked, and the auditor finds nothing.
 *
 * SIMULATION_SEEDS=5000 npx vitest run test/proofs/simulation.test.ts     (300 where nothing is said)
 * SIMULATION_SEED=1234 npx vitest run test/proofs/simulation.test.ts      (that seed alone, with its trace)
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { moveCollateral } from '../../src/ledger/move-collateral.ts';
import { runReport } from '../../src/reconciliation/run-report.ts';
import { audit } from '../support/audit.ts';
import { seedMarket, setBook, type TestBook, type TestMarket } from '../support/market.ts';
import { openChance } from '../support/random.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { openShared, type Shared, Simulation } from './simulated-trading.ts';
import { checkAgainstVenue } from './simulated-truth.ts';

const ONE = process.env['SIMULATION_SEED'];
const COUNT = Number(process.env['SIMULATION_SEEDS'] ?? 300);
const SEEDS = ONE === undefined ? Array.from({ length: COUNT }, (_, index) => index + 1) : [Number(ONE)];
const SIDE_BY_SIDE = 12;
const CHUNK = 60;

const BOOKS: readonly TestBook[] = [
  { bids: [['0.55', '100000']], asks: [['0.57', '100000']] },
  {
    bids: [
      ['0.031', '20'],
      ['0.02', '5000'],
    ],
    asks: [
      ['0.034', '30'],
      ['0.05', '5000'],
    ],
  },
  {
    bids: [
      ['0.91', '3'],
      ['0.9', '5000'],
    ],
    asks: [
      ['0.933', '4'],
      ['0.95', '5000'],
    ],
  },
];

let service: TestService;
let markets: TestMarket[];
let shared: Shared;

beforeAll(async () => {
  service = await startTestService();
  markets = await Promise.all(
    BOOKS.map((book, index) => seedMarket(service.sql, `sim${index}`, book, { feeBps: 100 })),
  );
  await service.context.board.refresh();
  shared = openShared(service);
});
afterAll(() => service.close());

async function simulate(seed: number): Promise<string> {
  const chance = openChance(seed ^ 0x5bd1e995);
  const mode = chance.happens(0.15) ? 'sandbox' : 'live';
  const operator = await service.createOperator({
    slug: newId('op').toLowerCase().replaceAll('_', '-'),
    mode,
    platformFeeBps: chance.pick([0, 200, 777]),
    executionConfirmed: true,
  });
  if (mode === 'live') {
    await moveCollateral(shared.sql, operator.operatorId, 'deposit', chance.pick([3_000n, 20_000n]));
  }
  const simulation = new Simulation(seed, operator, shared, markets);
  try {
    await simulation.run();
    await checkAgainstVenue(simulation);
  } catch (error) {
    if (ONE !== undefined) {
      process.stderr.write(`${simulation.turns.trace.join(' ')}\n`);
    }
    throw new Error(`seed ${seed}: ${(error as Error).message} (SIMULATION_SEED=${seed} runs it again)`, {
      cause: error,
    });
  }
  return operator.operatorId;
}

test(`${SEEDS.length} seeds`, { timeout: 30_000 + SEEDS.length * 400 }, async () => {
  for (let start = 0; start < SEEDS.length; start += CHUNK) {
    // books stay fresh however long it takes
    await Promise.all(markets.map((market, index) => setBook(service.sql, market, BOOKS[index] ?? {})));
    await service.context.board.refresh();
    const chunk = SEEDS.slice(start, start + CHUNK);
    const operatorOf = new Map<number, string>();
    const queue = chunk.values();
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (const seed of queue) {
          operatorOf.set(seed, await simulate(seed));
        }
      }),
    );
    const operators = [...operatorOf.values()];
    if ((await audit(service.sql, operators)).length > 0) {
      for (const [seed, operatorId] of operatorOf) {
        expect({ seed, problems: await audit(service.sql, operatorId) }).toEqual({ seed, problems: [] });
      }
    }
    const [seed, operatorId] = [...operatorOf][0] ?? [0, ''];
    const report = await runReport(service.sql, operatorId);
    // the simulation pays single positions while their market goes on
    const findings = report.findings.filter(
      ({ severity, detail }) => severity === 'critical' && !detail.endsWith('which nobody asked for.'),
    );
    expect({ seed, findings }).toEqual({ seed, findings: [] });
  }
  const denied = await service.sql`
    select order_id from feed_items where type = 'position.exited' and detail ->> 'venueAgrees' = 'false'`;
  expect(denied, 'exits that the venue tells otherwise').toEqual([]);
  if (SEEDS.length >= 200) {
    await wentEverywhere();
  }
});

/** The seeds are no proof of what they never came to. */
async function wentEverywhere(): Promise<void> {
  const [row] = await service.sql`
    select (select count(distinct detail ->> 'toState')::int from feed_items where type = 'order.state_changed') as states,
      (select count(*)::int from orders where status = 'partially_filled') as partial,
      (select count(*)::int from orders where reject_reason like 'never_received%') as never_received,
      (select count(*)::int from fills where fill_no > 2) as third_fills,
      (select count(*)::int from orders where action = 'sell' and filled_quantity > 0) as sold,
      (select count(*)::int from settlements where not simulated) as settled,
      (select count(*)::int from ledger_entries where movement_type = 'VENUE_OVERRUN') as overruns`;
  const { states, ...counts } = row ?? {};
  expect(states).toBe(7);
  for (const [what, count] of Object.entries(counts)) {
    expect(count, what).toBeGreaterThan(3);
  }
}
