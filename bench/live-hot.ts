/** Row `live-hot`: live intents of one operator until they are filled at the paper venue, against sandbox orders of one operator. */
import { setTimeout as sleep } from 'node:timers/promises';
import { paperToken } from '../src/core/secret.ts';
import { moveCollateral } from '../src/ledger/collateral.ts';
import { locatePaperVenue } from '../src/venues/addresses.ts';
import { openPaperControl } from '../src/venues/paper/control.ts';
import { loadCatalogue } from './catalogue.ts';
import { interleave, type Measure, median, type Run } from './measure.ts';
import { DEEP, IN_FLIGHT, load, orderShots, quoteShots } from './orders.ts';
import { cpuSeconds } from './process-facts.ts';
import type { BenchOperator, Helper, World } from './world.ts';

const LIVE_ORDERS = 3_000;
/** A response waits for the venue's, so that more of them are on their way than of sandbox orders. */
const LIVE_IN_FLIGHT = 160;
/** The venue had not responded within the timeout of the request; the order continues. */
const NOT_ANSWERED_YET = 409;
const COLLATERAL_MINOR = 1_000_000_000n;
const LOOK_MS = 10;
const TIMEOUT_MS = 120_000;

export async function liveHot(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const { worker, contractId, trade } = await openLiveTrade(world);
  const hot = await world.createOperators('hot', 1, 60);
  const api = await world.startApi();
  const count = size(LIVE_ORDERS, IN_FLIGHT);
  const spent = () => [cpuSeconds(api.pid), cpuSeconds(worker.pid), world.databaseCpu()];
  const cpu: number[][] = [];

  const rates = await interleave(
    run,
    async (round) => {
      const { during } = await trade(api.url, `${round}`, count);
      const start = performance.now();
      const before = spent();
      await during();
      cpu.push(spent().map((seconds, index) => ((seconds - (before[index] ?? 0)) * 1_000_000) / count));
      return (count * 1000) / (performance.now() - start);
    },
    async (round) => {
      const shots = await orderShots(world, api.url, hot, contractId, `h${round}`, count);
      return (await load(world, { url: api.url, inFlight: IN_FLIGHT, shots })).perSecond;
    },
  );
  await api.close();
  await worker.close();
  const [inApi, inWorker, inDatabase] = [0, 1, 2].map((part) =>
    median(cpu.slice(1).map((one) => one[part] ?? 0)).toFixed(0),
  );
  return {
    ...rates,
    unit: 'per s',
    note: `${count} a round, ${LIVE_IN_FLIGHT} in flight, to the last fill; µs of CPU an order: API ${inApi}, worker ${inWorker}, database ${inDatabase}`,
  };
}

export interface LiveTrade {
  readonly worker: Helper;
  readonly contractId: string;
  /** Quotes so many live orders. @returns what places them, and waits until all are filled */
  trade(url: string, round: string, count: number): Promise<{ during(): Promise<void> }>;
}

/** A worker with the paper venue, and an operator whose live orders are filled there. */
export async function openLiveTrade(world: World): Promise<LiveTrade> {
  const worker = await loadCatalogue(world);
  const contractId = await holdDeepBook(world);
  const live = await world.createOperators('live', 1, 60, 'live');
  const [operator] = live;
  if (operator === undefined) {
    throw new Error('no operator was created');
  }
  await moveCollateral(world.sql, operator.operatorId, 'deposit', COLLATERAL_MINOR);
  let placed = 0;
  return {
    worker,
    contractId,
    async trade(url, round, count) {
      await quotesAreGiven(world, url, live, contractId);
      const extra = { reserveReference: `bench-${round}` };
      const shots = await orderShots(world, url, live, contractId, `l${round}`, count, extra);
      placed += count;
      return {
        async during() {
          await load(world, { url, inFlight: LIVE_IN_FLIGHT, shots }, NOT_ANSWERED_YET);
          await filled(world, operator.operatorId, placed);
        },
      };
    },
  };
}

/** A worker that has started holds orders back until it has compared the account, and live quotes are refused meanwhile. */
async function quotesAreGiven(
  world: World,
  url: string,
  live: readonly BenchOperator[],
  contractId: string,
): Promise<void> {
  const shots = quoteShots(live, contractId, 1);
  for (const end = Date.now() + TIMEOUT_MS; ; await sleep(LOOK_MS)) {
    try {
      await load(world, { url, inFlight: 1, shots });
      return;
    } catch (refusal) {
      if (Date.now() > end) {
        throw refusal;
      }
    }
  }
}

/** A political market that goes on for long, with a book at the venue that fills do not use up. */
async function holdDeepBook(world: World): Promise<string> {
  const [listing] = await world.sql<{ contractId: string; listingId: string }[]>`
    select l.contract_id, l.listing_id from listings l join contracts c on c.contract_id = l.contract_id
    where l.venue = 'paper' and not c.trading_closed and not c.five_minute and c.closes_at > now() + interval '7 days'
    order by l.contract_id limit 1`;
  const origin = await locatePaperVenue(world.sql)('paper');
  if (listing === undefined || origin === undefined) {
    throw new Error('the paper venue has no market that goes on');
  }
  const control = openPaperControl('paper', origin, paperToken(world.secrets));
  await control.tell('book', { listingId: listing.listingId, ...DEEP });
  await control.close();
  for (;;) {
    const [row] = await world.sql<{ held: boolean }[]>`
      select ask_prices[1] = 570000 as held from listings where venue = 'paper' and listing_id = ${listing.listingId}`;
    if (row?.held === true) {
      return listing.contractId;
    }
    await sleep(LOOK_MS);
  }
}

async function filled(world: World, operatorId: string, count: number): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    // by the index of open orders: an order that is no longer open is filled or was refused
    const [row] = await world.sql<{ open: number }[]>`
      select count(*)::int as open from orders where operator_id = ${operatorId}
        and status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending')`;
    if (row?.open === 0) {
      break;
    }
    if (Date.now() > end) {
      throw new Error(`${row?.open} live orders are still open after ${TIMEOUT_MS / 1000} s`);
    }
    await sleep(LOOK_MS);
  }
  const [row] = await world.sql<{ filled: number }[]>`
    select count(*)::int as filled from orders where operator_id = ${operatorId} and status = 'filled'`;
  if (row?.filled !== count) {
    throw new Error(`${row?.filled} of ${count} live orders were filled`);
  }
}
