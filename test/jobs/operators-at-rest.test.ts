/**
 * Every job leaves out operators that another cell holds: each of three operators has something due in every job; nothing happens to
 * the two at rest, and the jobs do their work for the third one beside them. A new job must be named here.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Context, openContext } from '../../src/context.ts';
import { HostedClient } from '../../src/db/pg-client.ts';
import { startNightlyReports } from '../../src/jobs/nightly-report.ts';
import { startEmbedRetention } from '../../src/jobs/retention.ts';
import { startFeedSealing, startRecordSealing, startSealing } from '../../src/jobs/seals.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { startWebhookJobs } from '../../src/jobs/webhooks.ts';
import { parseResolution, reopenMarket, resolveMarket } from '../../src/markets/decisions.ts';
import { raiseFence } from '../../src/operations/cells/move/fence.ts';
import { listOperatorTables, type OperatorTable } from '../../src/operations/cells/move/operator-tables.ts';
import { maintainPartitions } from '../../src/operations/partitions.ts';
import { createEndpointAdmin } from '../../src/webhooks/endpoints/endpoint-admin.ts';
import { createSecretBox } from '../../src/webhooks/endpoints/endpoint-secret.ts';
import { addEndpoint } from '../../src/webhooks/endpoints/manage-endpoints.ts';
import { resealSecrets } from '../../src/webhooks/endpoints/reseal-secrets.ts';
import { type Live, startLive, type Tenant } from '../support/live.ts';
import { seedMarket, type TestMarket } from '../support/market.ts';
import { onlyVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';

const LONG_MS = 180_000;
const PAST_WEEK = '2025-01-06T00:00:00Z';

type Job = { close(): Promise<void> };

/** What runs here, by the name in run.ts. */
const JOBS: Record<string, (context: Context) => Job | Promise<Job>> = {
  startSettlement,
  startTransmission: (context) => startTransmission(context, onlyVenue(live.venue)),
  startWebhookJobs,
  startEmbedRetention,
  startSealing,
  startFeedSealing,
  startRecordSealing,
  startNightlyReports: (context) => startNightlyReports(context, 10),
};
/** Of no operator, run below in this file, or for one authority alone (ledger/timestamps.test.ts). */
const ELSEWHERE = ['startIngestion', 'startPartitions', 'startTimestamps', 'startWorker'];

interface Pair {
  readonly sandbox: Tenant;
  readonly live: Tenant;
}

let live: Live;
let owner: HostedClient;
let worker: Context;
let tables: OperatorTable[];
let receiver: Server;
let awake: Pair;
let left: Pair;
let arriving: Pair;
let ended: TestMarket;
let changed: TestMarket;

beforeAll(async () => {
  live = await startLive({ job: false });
  receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  worker = openContext(live.service.context.environment, live.service.database.url, 'worker');
  owner = new HostedClient({ connectionString: live.service.database.ownerUrl });
  await owner.connect();
  tables = await listOperatorTables(owner);
  ended = await seedMarket(live.service.sql, 'ended');
  changed = await seedMarket(live.service.sql, 'changed');
  await live.service.context.board.refresh();
  [awake, left, arriving] = [await openPair(), await openPair(), await openPair()];
  await owner.query(
    `create table quotes_20250106 partition of quotes for values from (quote_id_at('2025-01-06 00:00Z')) to (quote_id_at('2025-01-13 00:00Z'))`,
  );
  const pairs = [awake, left, arriving];
  await Promise.all(pairs.map(makeDue));
  // everybody was paid, and then the result changed; the other market is not settled yet
  await resolveMarket(live.service.sql, changed.contractId, parseResolution('yes'));
  const settling = await startSettlement(worker);
  await until(
    () => live.service.sql`select from settlements where contract_id = ${changed.contractId}`,
    (rows) => rows.length === pairs.length,
    LONG_MS,
  );
  await settling.close();
  await rest(left, 'left');
  await rest(arriving, 'arriving');
  await reopenMarket(live.service.sql, changed.contractId);
  await resolveMarket(live.service.sql, changed.contractId, parseResolution('no'));
  await resolveMarket(live.service.sql, ended.contractId, parseResolution('yes'));
}, LONG_MS);
afterAll(async () => {
  await owner?.end();
  await worker?.close();
  await live?.close();
  receiver?.close();
});

const idsOf = ({ sandbox, live: trading }: Pair): string[] => [
  sandbox.operator.operatorId,
  trading.operator.operatorId,
];

async function openPair(): Promise<Pair> {
  return { sandbox: await live.tenant({ mode: 'sandbox' }), live: await live.tenant() };
}

/** Something for each job. */
async function makeDue(pair: Pair): Promise<void> {
  const { sql } = live.service;
  const admin = await createEndpointAdmin(worker);
  const port = (receiver.address() as AddressInfo).port;
  for (const operatorId of idsOf(pair)) {
    await addEndpoint(admin, operatorId, `http://127.0.0.1:${port}/`, []);
  }
  for (const { contractId } of [ended, changed]) {
    expect((await pair.sandbox.place('ann', {}, { marketId: contractId })).status).toBe(201);
  }
  const [waiting, unknown] = await Promise.all([
    pair.live.place('ann', { reserveReference: 'held' }),
    pair.live.place('bob', { reserveReference: 'held' }),
  ]);
  expect([waiting.status, unknown.status]).toEqual([201, 201]);
  const [sandboxId = '', liveId = ''] = idsOf(pair);
  await sql`
    update orders set status = 'submitted', transmission_state = 'unknown', transmitted_at = now() - interval '1 hour'
    where operator_id = ${liveId} and external_user_id = 'bob'`;
  await sql`
    insert into transmissions (operator_id, order_id, our_id, venue, listing_id, side, action, quantity, limit_price_micros,
      sent_at, expires_at, state, next_lookup_at)
    select operator_id, order_id, 'lost-' || order_id, 'paper', 'none', 'YES', 'BUY', 1000000, 570000,
      now() - interval '1 hour', now() - interval '1 hour', 'unknown', now()
    from orders where operator_id = ${liveId} and external_user_id = 'bob'`;
  await sql`
    insert into embed_sessions (operator_id, session_id, secret_hash, external_user_id, minted_by, created_at, expires_at)
    select ${sandboxId}, 'ies_' || ${sandboxId}, sha256(${sandboxId}::text::bytea), 'ann', key_id, now() - interval '30 days',
      now() - interval '29 days' from api_keys where operator_id = ${sandboxId} limit 1`;
  await sql`
    insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, type, status, created_at, finished_at)
    select e.operator_id, 'whd_old' || e.operator_id, e.endpoint_id, o.event_id, o.type, 'delivered', now() - interval '400 days',
      now() - interval '400 days'
    from webhook_endpoints e join outbox_events o using (operator_id) where e.operator_id = ${sandboxId} limit 1`;
  for (const [moment, spender] of [
    [PAST_WEEK, 'ord_past'],
    ['2024-01-01T00:00:00Z', 'ord_rest'],
  ] as const) {
    await owner.query(
      `insert into quotes select (jsonb_populate_record(q, jsonb_build_object('quote_id', quote_id_at($2) || md5(q.quote_id),
         'spent_by', $3::text))).* from quotes q where q.operator_id = $1 limit 1`,
      [sandboxId, moment, spender],
    );
  }
}

/** As a move leaves it in the cell; the fence refuses every row that would be written. */
async function rest(pair: Pair, state: 'left' | 'arriving'): Promise<void> {
  const ids = idsOf(pair);
  for (const id of ids) {
    await owner.query(
      `insert into operator_moves (operator_id, move_id, leader_id, peer, state) values ($1, $2, $1, 'other', $3)`,
      [id, `mvo_${id}`, state],
    );
  }
  await owner.query(`update operators set status = 'moving' where operator_id = any ($1)`, [ids]);
  if (state === 'left') {
    await raiseFence(owner, tables, ids[0] ?? '', ids);
  }
}

/** What each table holds of operators. The tables of past quotes are looked at in a test of their own. */
async function digests(pair: Pair): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, scope } of tables.filter((table) => !table.name.includes('quotes'))) {
    const { rows } = await owner.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as digest from ${name} t where ${scope}`,
      [idsOf(pair)],
    );
    found[name] = rows[0]?.digest ?? '';
  }
  return found;
}

/** What the jobs must have done for the operator beside. */
const DONE: Record<string, string> = {
  settlement: `select from settlements s join contracts c using (contract_id) where s.operator_id = $1 and c.contract_id = 'ctr_ended'`,
  'a changed result': `select from outbox_events where operator_id = $1 and type = 'market.resolution_changed'`,
  relay: `select from webhook_deliveries where operator_id = $1 and status = 'delivered' and created_at > now() - interval '1 day'`,
  'old deliveries': `select where not exists (select from webhook_deliveries where operator_id = $1 and created_at < now() - interval '1 day')`,
  'ended sessions': 'select where not exists (select from embed_sessions where operator_id = $1)',
  'seals of the ledger': 'select from ledger_seals where operator_id = $1',
  'log of the feed': 'select from feed_log_heads where operator_id = $1 and size > 0',
  'seals of records': 'select from record_seals where operator_id = $1',
  'nightly report': 'select from reconciliation_reports where operator_id = $1',
};
const DONE_LIVE: Record<string, string> = {
  transmission: `select from orders where operator_id = $1 and external_user_id = 'ann' and status = 'filled'`,
  'look-up': `select from transmissions where operator_id = $1 and our_id like 'lost-%' and (lookups > 0 or state = 'done')`,
};

test('every job of a worker is named here', () => {
  const text = readFileSync(new URL('../../src/jobs/run.ts', import.meta.url), 'utf8');
  const started = new Set([...text.matchAll(/\bstart[A-Z]\w+/g)].map(([name]) => name));
  expect([...started].sort()).toEqual([...Object.keys(JOBS), ...ELSEWHERE].sort());
});

test(
  'jobs do their work for one operator and touch nothing of those at rest beside it',
  async () => {
    const before = [await digests(left), await digests(arriving)];
    const jobs: Job[] = [];
    for (const start of Object.values(JOBS)) {
      jobs.push(await start(worker));
    }
    const [sandboxId = '', liveId = ''] = idsOf(awake);
    for (const [checks, operatorId] of [
      [DONE, sandboxId],
      [DONE_LIVE, liveId],
    ] as const) {
      for (const [what, query] of Object.entries(checks)) {
        await until(
          async () => ({ what, rows: (await owner.query(query, [operatorId])).rowCount }),
          ({ rows }) => rows !== null && rows > 0,
          LONG_MS,
        );
      }
    }
    for (const job of jobs) {
      await job.close();
    }
    expect([await digests(left), await digests(arriving)]).toEqual(before);
  },
  3 * LONG_MS,
);

test('secrets of webhooks are encrypted again for one operator, beside those at rest', async () => {
  const rotated = createSecretBox({
    current: 'another secret that only tests know',
    previous: [worker.secrets.current],
  });
  const before = [await digests(left), await digests(arriving)];
  expect(await resealSecrets(live.service.sql, rotated)).toBe(2);
  expect([await digests(left), await digests(arriving)]).toEqual(before);
});

test('past quotes are kept and dropped beside an operator that has left, and not while one arrives', async () => {
  const kept = async () =>
    (await owner.query<{ operatorId: string }>('select operator_id as "operatorId" from kept_quotes')).rows.map(
      ({ operatorId }) => operatorId,
    );
  const weeks = async () =>
    (await owner.query(`select from quote_weeks() where from_at = '2025-01-06 00:00Z'`)).rowCount;
  const [sandboxId = ''] = idsOf(awake);
  await maintainPartitions(live.service.sql, worker.log);
  expect([await kept(), await weeks()]).toEqual([[sandboxId, sandboxId], 1]);
  await owner.query(`update operator_moves set state = 'cancelled' where state = 'arriving'`);
  await maintainPartitions(live.service.sql, worker.log);
  expect([await kept(), await weeks()]).toEqual([[sandboxId, sandboxId], 0]);
});
