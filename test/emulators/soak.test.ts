/**
 * Trading at three emulated exchanges with faults at random, while they pay rebates, rewards and interest, take deposits, and strangers
 * send shares: nothing is sent twice, nothing is lost, the comparison with their accounts finds exactly what nothing explains, and only
 * a shortfall stops trading. `npm run soak -- --minutes N` runs it longer; the seed is printed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { MICROS_PER_CENT } from '../../src/money/decimal.ts';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { recordTransfer } from '../../src/trading/account/transfers.ts';
import { listFindings, listStops } from '../../src/trading/account/venue-findings.ts';
import { createRecordPorts, resolveByPerson } from '../../src/trading/execution/record-execution.ts';
import { listStuck } from '../../src/trading/orders/read-orders.ts';
import { openDeployedVenues } from '../../src/venues/registry.ts';
import { microsDecimal } from '../../src/venues/shapes.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import { KEY_ID } from './gemini-venue.ts';
import { NAMES, startThreeExchanges } from './three-exchanges.ts';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 20);
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
/** Books are filled again this often, because trading uses them up. */
const REFILL_MS = 5_000;
/** How long a customer waits between two orders: a long run leaves room for others on the machine. */
const THINK_MS = SECONDS > 300 ? 1_000 : 50;
/** Of an order that stays open, so many lines of the log are shown. */
const LAST_LINES = 5;
const PLENTY = 500_000_000n;
const SCARCE = 3_000_000n;
/** Something is paid at one of the exchanges this often, at most. Gemini lists the newest 50, and the cash is compared every ten minutes. */
const PAY_MS = SECONDS > 60 ? 20_000 : 1_000;
/**
 * How long an order has been unknown when a person looks at the account of the exchange. At Gemini that is after it would have been given
 * up, so that only those of equal orders are left of which not all arrived.
 */
const PERSON_MS = { polymarket: 60_000, gemini: 110_000 } as const;
/** An order that never arrived is given up 90 seconds later and after three look-ups. */
const CALM_MS = SECONDS > 60 ? 300_000 : 120_000;
const SEND = {
  kalshi: 'POST /portfolio/events/orders',
  polymarket: 'POST /order',
  gemini: 'POST /v1/prediction-markets/order',
} as const;
const READS = {
  kalshi: ['GET /portfolio/fills', 'GET /portfolio/orders', 'GET /portfolio/positions'],
  polymarket: ['GET /data/trades', 'GET /data/order'],
  gemini: [
    'POST /v1/mytrades',
    'POST /v1/prediction-markets/orders/history',
    'POST /v1/prediction-markets/orders/active',
    'POST /v1/prediction-markets/positions',
  ],
} as const;

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What the worker logged last about each of these orders. */
function lastAbout(logFile: string, orders: readonly { readonly orderId: string }[]): object[] {
  const lines = orders.length === 0 ? [] : readFileSync(logFile, 'utf8').split('\n');
  return orders.map((order) => ({
    ...order,
    log: lines.filter((line) => line.includes(order.orderId)).slice(-LAST_LINES),
  }));
}

test(`${SECONDS} s at three exchanges with faults (seed ${SEED}): nothing doubled, nothing lost, the comparison clean`, {
  timeout: (SECONDS + 240) * 1_000 + CALM_MS,
}, async () => {
  const chance = random(SEED);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
  const exchanges = await startThreeExchanges(SEED);
  const { kalshi, polymarket, gemini } = exchanges.emulators;
  const service = await openWorld({ environment: exchanges.environment });
  const { sql } = service;
  // what each look-up met is kept, so that an order that stays open can be explained
  const logFile = join(exchanges.folder, 'worker.log');
  const worker = {
    ...service.openWorker(),
    log: pino({ level: 'debug', base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(logFile)),
  };
  process.stdout.write(`soak: seed ${SEED}, log of the worker in ${logFile}\n`);
  service.add(startIngestion(worker));
  const venues = openDeployedVenues(worker);
  service.add(await startTransmission(worker, venues));
  try {
    const match = await exchanges.match(service);
    const tenant = await service.tenant({ collateralMinor: 10_000_000n });
    await until(
      async () => (await tenant.quote('ann')).status,
      (status) => status === 200,
      50_000,
    );
    const harmless = ['status', 'html', 'late'];
    // what never arrives is given up after two minutes: too long for a short run
    const onSends =
      SECONDS > 60 ? [...harmless, 'timeout_after_apply', 'timeout_before_apply'] : ['timeout_after_apply', 'late'];
    const end = Date.now() + SECONDS * 1_000;
    let placed = 0;
    let met = 0;
    let looked = 0;

    async function misbehave(): Promise<void> {
      while (Date.now() < end) {
        const on = pick(NAMES);
        const sends = chance() < 0.4;
        const kind = pick(sends ? onSends : harmless);
        const where = sends ? SEND[on] : pick(READS[on]);
        const lost = on === 'polymarket' && kind === 'timeout_before_apply';
        const fault = {
          // there an order that is not found stays unknown until a person has looked
          kind: lost ? 'timeout_after_apply' : kind,
          ...(kind === 'status' && { status: pick([429, 503, 504]), retryAfter: '1' }),
          ...(kind === 'late' && { ms: 400 }),
        };
        exchanges.emulators[on].faults.arm(fault as never, where);
        if (chance() < 0.2) {
          kalshi.control({ do: 'stream', fault: pick(['gap', 'disconnect', 'garbage'] as const) });
          kalshi.control({
            do: 'fill_reports',
            fault: pick(['lie', 'double', 'reorder', 'drop'] as const),
            share: chance(),
          });
          polymarket.control({ do: 'stream', fault: pick(['gap', 'twice', 'disconnect', 'garbage'] as const) });
          gemini.control({ do: 'stream', fault: pick(['gap', 'disconnect', 'garbage', 'refuse'] as const) });
        }
        met += 1;
        await timePasses(300 + chance() * 900);
      }
    }
    /** Micro-dollars that were paid and that no list contains. */
    const unlisted = { kalshi: 0n, polymarket: 0n, gemini: 0n };
    let paid = 0;
    /** Micro-dollars with six places, as rebates and interest have them. */
    const someMoney = () => BigInt(20_000 + Math.floor(chance() * 5_000_000));
    function payOnce(): void {
      const on = pick(NAMES);
      const amountMicros = someMoney();
      const amount = microsDecimal(amountMicros);
      paid += 1;
      if (chance() < 0.4) {
        unlisted[on] += amountMicros;
        exchanges.pay[on](amount);
      } else if (on === 'kalshi') {
        const cents = microsDecimal((amountMicros / MICROS_PER_CENT) * MICROS_PER_CENT);
        const kind = pick(['deposit', 'deposit', 'withdrawal']);
        exchanges.pay.kalshi(cents, kind, `${kind}-${paid}`);
      } else if (on === 'polymarket') {
        exchanges.pay.polymarket(amount, pick(['TAKER_REBATE', 'MAKER_REBATE', 'REWARD', 'DEPOSIT', 'WITHDRAWAL']));
      } else {
        exchanges.pay.gemini(amount, pick(['Deposit', 'Reward', 'Withdrawal']));
      }
      if (chance() < 0.3) {
        exchanges.gift(pick([0, 1]), amount);
      }
    }
    async function pay(): Promise<void> {
      // what was paid before the opening balance is part of it
      const known = () => sql`select from venue_accounts where opening_at < clock_timestamp() - interval '2 seconds'`;
      while (Date.now() < end && (await known()).length < NAMES.length) {
        await timePasses(500);
      }
      while (Date.now() < end) {
        payOnce();
        await timePasses(PAY_MS * chance());
      }
    }
    async function refill(): Promise<void> {
      while (Date.now() < end) {
        // one of them has much, so that orders go to all
        const rich = pick(NAMES);
        const countAt = (name: (typeof NAMES)[number]) => (name === rich ? PLENTY : SCARCE);
        exchanges.fill({
          kalshi: countAt('kalshi'),
          polymarket: countAt('polymarket'),
          gemini: countAt('gemini'),
        });
        await timePasses(REFILL_MS);
      }
    }
    /** What never arrived at Polymarket stays unknown, because no look-up proves it there: a person looks, and says so. */
    async function look(): Promise<void> {
      const ports = createRecordPorts(sql);
      for (const order of await listStuck(sql)) {
        const [attempt] = await sql<{ venue: string; ourId: string; venueRef: string | null }[]>`
          select venue, our_id, venue_ref from transmissions where order_id = ${order.orderId}`;
        const sinceMs = Date.now() - (order.sentAt?.getTime() ?? Date.now());
        const venue = attempt?.venue === 'polymarket' || attempt?.venue === 'gemini' ? attempt.venue : undefined;
        if (attempt === undefined || venue === undefined || sinceMs < PERSON_MS[venue]) {
          continue;
        }
        const there = venue === 'gemini' ? orderAtGemini(attempt.ourId) : undefined;
        if (attempt.venueRef === null && there !== undefined) {
          await resolveByPerson(ports, order, there, 'the account at the exchange has it');
          looked += 1;
        } else if (
          !exchanges.arrived()[venue].includes((venue === 'gemini' ? attempt.ourId : attempt.venueRef) ?? '')
        ) {
          await resolveByPerson(ports, order, { rejected: true }, 'the account at the exchange has no such order');
          looked += 1;
        }
      }
    }
    /** What the account at Gemini shows of an order to a person who knows which it is. */
    function orderAtGemini(ourId: string) {
      const account = gemini.state.accounts.get(KEY_ID);
      const order = [...(account?.orders.values() ?? [])].find(({ sentId }) => sentId === ourId);
      if (order === undefined) {
        return undefined;
      }
      if (order.filled === 0n) {
        return { rejected: true } as const;
      }
      const fees = account?.trades.filter(({ orderId }) => orderId === order.orderId) ?? [];
      return {
        rejected: false,
        quantityMicros: order.filled,
        priceMicros: order.paid / order.filled,
        feeMinor: fees.reduce((sum, { fee }) => sum + fee, 0n) / 10_000n,
      } as const;
    }
    async function lookOften(): Promise<void> {
      while (Date.now() < end) {
        await look();
        await timePasses(PERSON_MS.polymarket / 4);
      }
    }
    async function trade(user: string): Promise<void> {
      while (Date.now() < end) {
        const quote = {
          marketId: pick(match.contracts),
          side: pick(['YES', 'NO']),
          ...(chance() < 0.3
            ? { action: 'sell', stake: undefined, contracts: 2 }
            : { stake: 2 + Math.floor(chance() * 8) }),
        };
        const quoted = await tenant.quote(user, quote);
        if (quoted.status === 200) {
          placed += 1;
          await tenant.order(user, {
            quoteId: quoted.body.quoteId,
            clientOrderId: `soak-${placed}`,
            reserveReference: 'r',
          });
        }
        await timePasses(THINK_MS);
      }
    }
    await Promise.all([misbehave(), refill(), pay(), lookOften(), ...['ann', 'bea', 'cyd'].map(trade)]);
    for (const { faults } of Object.values(exchanges.emulators)) {
      faults.clear();
    }

    const open = async () => {
      await look();
      return sql<{ orderId: string }[]>`
        select o.order_id, o.status, t.venue, t.state, t.lookups, t.not_found
        from orders o left join transmissions t using (operator_id, order_id)
        where o.status in ('pending_venue_execution', 'submitted', 'pending') or t.state <> 'done'`;
    };
    // what is open is counted while there is time, and explained once there is none left
    await until(async () => expect((await open()).length).toBe(0), CALM_MS).catch(() => undefined);
    expect(lastAbout(logFile, await open())).toEqual([]);
    // nothing doubled: each order is at most once at its exchange, under the id of exactly one attempt
    const attempts = await sql<{ venue: string; ourId: string; venueRef: string | null }[]>`
      select venue, our_id, venue_ref from transmissions`;
    const arrived = exchanges.arrived();
    for (const name of NAMES) {
      expect(new Set(arrived[name]).size, name).toBe(arrived[name].length);
    }
    const known = new Set(attempts.flatMap(({ ourId, venueRef: ref }) => [ourId, ref ?? ourId]));
    expect(Object.values(arrived).flatMap((ids) => ids.filter((id) => !known.has(id)))).toEqual([]);
    // nothing lost, the comparison clean: the worker compares all accounts every ten seconds
    const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    await until(
      async () =>
        expect((await sql`select from venue_accounts where compared_at > ${now?.at ?? null}`).length).toBe(
          NAMES.length,
        ),
      CALM_MS,
    );
    await timePasses(SECONDS > 60 ? 15_000 : 3_000);
    expect(await listStops(sql)).toEqual([]);
    const compare = async () => {
      for (const venue of venues.list) {
        await compareAccount({ ...createRecordPorts(sql), log: worker.log }, venue, 0, 0);
      }
      return (await listFindings(sql)).map(({ venue, kind, warning }) => ({ venue, kind, warning }));
    };
    const planted = NAMES.filter((name) => unlisted[name] > 0n);
    const gifts = exchanges.gifts() > 0 ? [{ venue: 'polymarket', kind: 'position', warning: true }] : [];
    const found = await compare();
    expect(found.filter(({ kind }) => kind !== 'cash')).toEqual(gifts);
    expect(
      found
        .filter(({ kind }) => kind === 'cash')
        .map(({ venue }) => venue)
        .toSorted(),
    ).toEqual(planted.toSorted());
    // to the micro-dollar, but for fees that are reckoned
    for (const name of planted) {
      await recordTransfer(sql, name, 'what nobody listed', unlisted[name]);
    }
    expect(await compare()).toEqual(gifts);
    expect(await listStops(sql)).toEqual([]);
    for (const name of NAMES) {
      exchanges.steal(name);
    }
    expect((await compare()).filter(({ warning }) => !warning)).toHaveLength(NAMES.length);
    expect(await listStops(sql)).toHaveLength(NAMES.length);
    process.stdout.write(
      `soak: ${placed} orders, ${met} faults, ${arrived.kalshi.length} at Kalshi, ${arrived.polymarket.length} at Polymarket, ${arrived.gemini.length} at Gemini, ${looked} settled by a person, ${paid} payments, ${exchanges.gifts()} gifts; compared without a difference\n`,
    );
    expect(await tenant.audit()).toEqual([]);
    expect(placed).toBeGreaterThan(SECONDS / 4);
  } finally {
    await service.close();
    await exchanges.close();
  }
});
