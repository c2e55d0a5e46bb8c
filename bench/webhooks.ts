/**
 * Rows `webhooks` and `webhooks-isolation`: the real jobs (relay, graphile-worker, worker) against a receiver in a separate process, beside
 * the rate of a bare loop.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import type { Context } from '../src/context.ts';
import { readEnvironment } from '../src/core/environment.ts';
import { newDigits, newId, newOperatorId } from '../src/core/ids.ts';
import { createLog } from '../src/core/log.ts';
import { systemClock } from '../src/core/time.ts';
import { connect, type Sql } from '../src/db/client.ts';
import { openListener } from '../src/db/listener.ts';
import { startWebhookJobs } from '../src/jobs/deliver.ts';
import type { JournalEntry } from '../src/ledger/journal-row.ts';
import { JOURNAL_ENTRY } from '../src/ledger/journal-row.ts';
import { eventOf } from '../src/ledger/render/events.ts';
import { addEndpoint, createEndpointAdmin, type EndpointAdmin } from '../src/webhooks/endpoints.ts';
import { SignedRequest } from '../src/webhooks/sender.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { World } from './world.ts';

const IN_FLIGHT = 64;
const EVENTS_PER_SECOND = 200;
const ENDPOINTS = 10;
const INSERT_BATCH = 2_000;

/** Deliveries a second to one healthy receiver, attempts logged, against a bare undici sign-and-POST loop with 64 in flight. */
export async function webhooks(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const count = size(20_000, 500);
  const rates = await interleave(
    run,
    () =>
      withBench(world, async ({ context, admin, operatorId, port }) => {
        await addEndpoint(admin, operatorId, `http://127.0.0.1:${port}/healthy`, []);
        await raise(context.sql, operatorId, count);
        const start = performance.now();
        const jobs = await startWebhookJobs(context);
        await delivered(context.sql, operatorId, count);
        const rate = (count * 1_000) / (performance.now() - start);
        await jobs.close();
        return rate;
      }),
    () => withBench(world, ({ port }) => bareLoop(`http://127.0.0.1:${port}/bare`, count)),
  );
  return { ...rates, unit: 'per s', note: `${count} events that wait, one endpoint; the start of the jobs included` };
}

/** p99 from fact to first attempt at the healthy endpoint, 200 events a second, nine of ten hanging against none hanging. */
export async function webhooksIsolation(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const seconds = size(10, 2);
  const p99 = (hanging: number) =>
    withBench(world, async ({ context, admin, operatorId, port }) => {
      const endpoints: string[] = [];
      for (let index = 0; index < ENDPOINTS; index += 1) {
        const path = index < hanging ? `hang/${index}` : `healthy/${index}`;
        endpoints.push((await addEndpoint(admin, operatorId, `http://127.0.0.1:${port}/${path}`, [])).endpointId);
      }
      const jobs = await startWebhookJobs(context);
      const count = seconds * EVENTS_PER_SECOND;
      const start = performance.now();
      for (let index = 0; index < count; index += 1) {
        const due = start + (index * 1_000) / EVENTS_PER_SECOND;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
        void raise(context.sql, operatorId, 1);
      }
      const healthy = endpoints.at(-1) ?? '';
      const latency = await firstAttempts(context.sql, healthy, count);
      await jobs.close();
      return latency;
    });
  const times = await interleave(
    run,
    () => p99(ENDPOINTS - 1),
    () => p99(0),
  );
  return {
    ...times,
    unit: 'ms',
    note: `${seconds} s at ${EVENTS_PER_SECOND} events a second; baseline is none hanging`,
  };
}

interface Bench {
  readonly context: Context;
  readonly admin: EndpointAdmin;
  readonly operatorId: string;
  readonly port: number;
}

async function withBench<T>(world: World, run: (bench: Bench) => Promise<T>): Promise<T> {
  const databaseUrl = world.database.url;
  const sql = connect(databaseUrl, { max: 8, applicationName: 'inlay-bench' });
  const listener = openListener(databaseUrl, 'inlay-bench-listener');
  const [sink, port] = await startSink();
  try {
    const context: Context = {
      environment: { ...readEnvironment({ LOG_LEVEL: 'error' }), webhookAllowLoopback: true },
      clock: systemClock,
      log: createLog('error'),
      sql,
      reads: sql,
      reports: sql,
      reportsOf: () => Promise.reject(new Error('no report runs here')),
      databaseUrl,
      listener,
      secrets: { current: 'a-root-secret-of-the-bench', previous: [] },
      close: async () => {},
    };
    const operatorId = newOperatorId();
    await world.sql`insert into operators (operator_id, slug, name, mode) values (${operatorId}, ${operatorId.replace('_', '-')}, 'Bench', 'sandbox')`;
    await world.sql`select open_ledger(${operatorId})`;
    const admin = await createEndpointAdmin(context);
    return await run({ context, admin, operatorId, port });
  } finally {
    sink.disconnect();
    await listener.close();
    await sql.end({ timeout: 2 });
  }
}

/** Starts the receiver. @returns its process and its port */
export async function startSink(): Promise<[ChildProcess, number]> {
  const child = fork(fileURLToPath(new URL('./webhook-sink.ts', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) {
    throw new Error('the receiver has no stdout');
  }
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return [child, Number(chunk.toString())];
}

/** Records fills in the journal without their orders and positions. */
async function raise(sql: Sql, operatorId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += INSERT_BATCH) {
    const rows = Array.from({ length: Math.min(INSERT_BATCH, count - done) }, () => {
      const digits = newDigits();
      return {
        ...FILL,
        operatorId,
        orderId: `ord_${digits}`,
        digits,
      };
    });
    await sql`select append_to_journal('', ${JOURNAL_ENTRY.toArray(rows)}::text::journal_row[])`;
  }
  void sql`select pg_notify('journal', '')`.catch(() => {});
}

async function delivered(sql: Sql, operatorId: string, count: number): Promise<void> {
  for (;;) {
    const [row] = await sql<{ delivered: number }[]>`
      select coalesce(sum(delivered), 0)::int as delivered from webhook_health where operator_id = ${operatorId}`;
    if ((row?.delivered ?? 0) >= count) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function firstAttempts(sql: Sql, endpointId: string, count: number): Promise<number> {
  for (;;) {
    const [row] = await sql<{ made: number; p99: number }[]>`
      select count(*)::int as made,
        coalesce(percentile_cont(0.99) within group (order by extract(epoch from a.started_at - row.recorded_at) * 1000), 0)::float8 as p99
      from webhook_deliveries d
      join webhook_attempts a on a.operator_id = d.operator_id and a.delivery_id = d.delivery_id and a.attempt = 1
      join journal row on row.operator_id = d.operator_id and row.sequence = d.sequence
      where d.endpoint_id = ${endpointId}`;
    if ((row?.made ?? 0) >= count) {
      return row?.p99 ?? 0;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function bareLoop(url: string, count: number): Promise<number> {
  const agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
  const { origin, pathname } = new URL(url);
  let left = count;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left > 0) {
        left -= 1;
        const notice = { eventId: newId('evn'), type: 'order.filled', dedupeKey: 'order.filled:a:b', data: SAMPLE };
        const { headers, body } = SignedRequest.sign(url, 'whsec_bench', notice, new Date());
        const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
        await answer.body.dump();
      }
    }),
  );
  const rate = (count * 1_000) / (performance.now() - start);
  await agent.close();
  return rate;
}

const FILL: JournalEntry = {
  kind: 'order_filled',
  items: 1,
  externalUserId: 'player-1',
  contractId: 'ctr_0197f1c2a0b37d3e8a6b1c5d9e2f4a60',
  clientOrderId: 'bench-1',
  executionRef: 'inl_Best_0123456789ABCD',
  side: 'YES',
  action: 'buy',
  status: 'filled',
  transmissionState: 'resolved',
  simulated: true,
  authorizationMinor: 1_000n,
  tradeMinor: 980n,
  platformFeeMinor: 20n,
  venueFeeMinor: 0n,
  venueFeeKnown: true,
  filledQuantityMicros: 16_065_573n,
  priceWeight: 9_799_999_530_000n,
  fillNo: 1,
  quantityMicros: 16_065_573n,
  priceMicros: 610_000n,
  fillTradeMinor: 980n,
  fillPlatformFeeMinor: 20n,
  fillVenueFeeMinor: 0n,
  fillFeeKnown: true,
  partial: false,
};

const SAMPLE = JSON.stringify(eventOf({ ...FILL, orderId: 'ord_0197f1c2a0b37d3e8a6b1c5d9e2f4a60' })?.data);
