/**
 * The world of a test: a database and an API of its own, real HTTP between them and the test, and the parts that a test adds: markets,
 * operators that trade, commands, workers and venues. Whatever was added is closed with the world, the last first.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listUnread, readOn } from '../../src/audit/read-on.ts';
import { type ApiContext, type AuditingContext, openApiContext, openContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import type { Logger } from '../../src/core/log.ts';
import type { Secrets } from '../../src/core/secret.ts';
import type { Mode } from '../../src/core/terms.ts';
import { systemClock } from '../../src/core/time.ts';
import type { Sql } from '../../src/db/client.ts';
import { openListener } from '../../src/db/listener.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { type IssuedKey, issueKey, type KeyWishes } from '../../src/operators/keys.ts';
import type { Operator, OperatorSettings } from '../../src/operators/operator.ts';
import { findOperator, createOperator as makeOperator } from '../../src/operators/operators.ts';
import { AUDIT_CHANNEL } from '../../src/reconciliation/await-auditor.ts';
import { startServer } from '../../src/server/app.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { resumeTrading } from '../../src/trading/account/venue-findings.ts';
import { createTrading } from '../../src/trading/trading.ts';
import type { OrderToPlace, Venue } from '../../src/venues/port.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type MarketOptions, seedMarket, type TestBook, type TestMarket } from './market.ts';
import { commandRunner, type RunCommand } from './run-command.ts';
import { onlyVenues, ScriptedVenue } from './scripted-venue.ts';
import { openTenant, type Tenant, type TestRequest, type TestResponse } from './tenant.ts';
import { until } from './until.ts';
import { withoutTriggers } from './without-triggers.ts';

/** What is asked of it as a tenant is asked by its demo operator: sandbox, slug `demo`. */
export interface World extends Tenant {
  readonly url: string;
  readonly context: ApiContext;
  readonly database: TestDatabase;
  readonly sql: Sql;
  /** Live, slug `demo-live`. */
  readonly liveOperator: Operator;
  readonly liveKey: string;
  request(method: string, path: string, options?: TestRequest): Promise<TestResponse>;
  createOperator(settings: { slug: string; mode?: Mode; parent?: string } & OperatorSettings): Promise<Operator>;
  issueKey(operator: Operator, wishes?: KeyWishes): Promise<IssuedKey>;
  /** An operator with a key. A live one has 1,000.00 of collateral and both gates open, where nothing else is said. */
  tenant(settings?: { mode?: Mode; collateralMinor?: bigint } & OperatorSettings): Promise<Tenant>;
  /** Lists a market, on the board of the API already. The first one is traded where a quote names none. */
  openMarket(name: string, book?: TestBook, options?: MarketOptions): Promise<TestMarket>;
  /** Waits until a worker of this world has a market of its venue, with a book. */
  listed(venue: string, listingId: string): Promise<TestMarket>;
  /** Decides a market and pays what it decides. @param yesWorth micro-dollars of YES in a split */
  resolve(market: TestMarket, resolution: 'YES' | 'NO' | 'VOID' | 'SPLIT', yesWorth?: bigint): Promise<void>;
  /** Changes what the service never changes: as the owner of the tables, with triggers and constraints out of the way. */
  damage(statement: string): Promise<void>;
  /** Runs commands from source on this service, as its operator and with the key of the demo operator. */
  commands(variables?: Readonly<Record<string, string>>): Promise<RunCommand>;
  /** Opens another worker on the same database, without any job. */
  openWorker(): AuditingContext;
  /** Starts the transmission of another worker to these venues; it ends with the world, if it is not closed earlier. */
  startJob(...venues: [Venue, ...Venue[]]): Promise<{ close(): Promise<void> }>;
  /** Closes a part with the world. */
  add<Part extends { close(): Promise<unknown> }>(part: Part): Part;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings of the demo operator; the platform fee is 200 basis points where nothing else is said. */
  readonly operator?: OperatorSettings;
  /** A database that is there already; it is left alone on close. */
  readonly database?: TestDatabase;
  readonly now?: () => Date;
  /** Where the API logs to; nowhere, if it is not given. */
  readonly log?: Logger;
  /** Instead of those of the environment. */
  readonly secrets?: Secrets;
  /** Whether the API has the demo, as that of `inlay up` has outside production; by default so. */
  readonly demo?: boolean;
  /** Whether an auditor reads what a report asks for, as that of a worker does; by default so. */
  readonly auditor?: boolean;
  /** A venue whose silence the API does not wait out. */
  readonly venue?: ScriptedVenue;
  /** How long the API remembers what a key may do; by default not at all, so that tests can change rows. */
  readonly rememberMs?: number;
}

/** Keys of tests are not what is tested, so they have room. */
const ROOMY = { rateLimit: 6000 } as const;
const LISTED_WITHIN_MS = 50_000;
const SECRET = 'a secret that only tests know';

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const database = options.database ?? (await createTestDatabase());
  const { sql } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  const variables = { INLAY_DATA_DIR: dataDir, INLAY_SECRET: SECRET, ...options.environment };
  const environment = readEnvironment({
    DATABASE_URL: database.url,
    INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...variables,
  });
  const clock = options.now === undefined ? systemClock : { now: options.now };
  const opened = await openApiContext(environment, database.url, clock);
  const awaitVenue = options.venue?.awaitVenue(opened.sql, opened.awaitVenue);
  const context = {
    ...opened,
    log: options.log ?? opened.log,
    secrets: options.secrets ?? opened.secrets,
    trading: awaitVenue === undefined ? opened.trading : createTrading({ ...opened, awaitVenue }),
  };
  const demo = options.demo ?? !environment.production;
  const server = await startServer(context, { rememberMs: options.rememberMs ?? 0, demo });
  const auditor = options.auditor === false ? null : openAuditor(sql, context.databaseUrl);

  const createOperator: World['createOperator'] = ({ mode = 'sandbox', ...settings }) =>
    makeOperator(sql, { mode, ...settings });
  const keyOf: World['issueKey'] = (owner, wishes = {}) => issueKey(sql, owner, { ...ROOMY, ...wishes });
  const operator =
    (await findOperator(sql, 'demo')) ??
    (await createOperator({ slug: 'demo', platformFeeBps: 200, ...options.operator }));
  const liveOperator =
    (await findOperator(sql, 'demo-live')) ??
    (await createOperator({ slug: 'demo-live', mode: 'live', platformFeeBps: 200 }));
  const { apiKey: key } = await keyOf(operator);
  const { apiKey: liveKey } = await keyOf(liveOperator);

  const request: World['request'] = (method, path, asked = {}) => send(server.url + path, method, { key, ...asked });
  const parts: { close(): Promise<unknown> }[] = [];
  const markets: TestMarket[] = [];
  // as the world's own, which a test may replace
  const ask: World['request'] = (...asked) => world.request(...asked);
  const traded = { sql, request: ask, market: () => markets[0]?.contractId, newKey: () => database.newName('key') };
  const world: World = {
    ...openTenant(traded, operator, key),
    url: server.url,
    context,
    database,
    sql,
    liveOperator,
    liveKey,
    request,
    createOperator,
    issueKey: keyOf,
    tenant: async ({ mode = 'live', collateralMinor = 100_000n, ...settings } = {}) => {
      const slug = database.newName('tenant');
      const own = await createOperator({ slug, mode, platformFeeBps: 200, executionConfirmed: true, ...settings });
      if (mode === 'live' && collateralMinor > 0n) {
        await moveCollateral(sql, own.operatorId, 'deposit', collateralMinor);
      }
      return openTenant(traded, own, (await keyOf(own)).apiKey);
    },
    openMarket: async (name, book, listing) => {
      const market = await seedMarket(sql, name, book, listing);
      markets.push(market);
      await context.board.refresh();
      return market;
    },
    listed: async (venue, listingId) => {
      const find = async () => {
        const [row] = await sql<TestMarket[]>`
          select event_id, contract_id from listings join contracts using (contract_id)
          where venue = ${venue} and listing_id = ${listingId}`;
        return row;
      };
      const books = (market?: TestMarket) => context.board.contracts.get(market?.contractId ?? '')?.books.length;
      const market = await until(find, (found) => books(found) === 1, LISTED_WITHIN_MS);
      markets.push(market as TestMarket);
      return market as TestMarket;
    },
    resolve: async ({ contractId }, resolution, yesWorth) => {
      await sql`select * from decide_market(${contractId}, 'resolve', ${resolution}, ${yesWorth ?? null})`;
      await settleMarket(sql, null);
    },
    damage: (statement) => withoutTriggers(database.ownerUrl, statement),
    commands: (more = {}) =>
      commandRunner({
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        INLAY_API_URL: server.url,
        INLAY_API_KEY: key,
        XDG_CONFIG_HOME: join(dataDir, 'no-profiles'),
        NO_COLOR: '1',
        ...variables,
        ...more,
      }),
    openWorker: () => world.add(openContext(environment, database.url, 'worker')),
    startJob: async (...venues) => {
      const job = await startTransmission(world.openWorker(), onlyVenues(...venues));
      let closing: Promise<void> | undefined;
      return world.add({
        close: () => {
          closing ??= job.close();
          return closing;
        },
      });
    },
    add: (part) => {
      parts.push(part);
      return part;
    },
    close: async () => {
      for (const part of parts.toReversed()) {
        await part.close();
      }
      await auditor?.close();
      await server.close();
      await context.close();
      await rm(dataDir, { recursive: true, force: true });
      if (options.database === undefined) {
        await database.close();
      }
    },
  };
  return world;
}

/** Reads nothing that no report asks for, so that tests decide what the auditor's books have. */
function openAuditor(sql: Sql, url: string): { close(): Promise<void> } {
  // a database that is away is read once it is back
  const read = (operatorId: string) => readOn(sql, operatorId, toldOf).catch(() => {});
  const readAll = async () => {
    for (const operatorId of await listUnread(sql)) {
      await read(operatorId);
    }
  };
  const listener = openListener(url, 'inlay-test-auditor');
  listener.listen(AUDIT_CHANNEL, {
    onNotification: (operatorId) => void read(operatorId),
    onConnected: () => void readAll().catch(() => {}),
  });
  return listener;
}

/** A world whose worker sends live orders to a venue whose every answer a test decides. */
export interface Live extends World {
  readonly venue: ScriptedVenue;
  readonly market: TestMarket;
  /** As that of the world; to the scripted venue where none is named. */
  startJob(...venues: Venue[]): ReturnType<World['startJob']>;
  /** Replaces the worker by one that begins with the catalogue and the books as they are now. */
  renewJob(): Promise<void>;
  /** What was sent for an order, by the venue's own record. */
  sentOf(orderId: string): Promise<readonly OrderToPlace[]>;
}

const RESUME_MS = 200;

interface LiveOptions extends WorldOptions {
  readonly job?: boolean;
  /**
   * Resumes trading whenever it has stopped: for venues whose account says something else than the books on purpose, or that
   * take the place of each other. What stops trading is the subject of test/live/venue-stop.test.ts.
   */
  readonly keepTrading?: boolean;
}

export async function openLive(options: LiveOptions = {}): Promise<Live> {
  const venue = new ScriptedVenue();
  const world = await openWorld({ ...options, venue });
  let job: { close(): Promise<void> } | undefined;
  const live: Live = {
    ...world,
    venue,
    market: await world.openMarket(`live${Date.now()}`, undefined, { feeBps: 100 }),
    startJob: (first = venue, ...others) => world.startJob(first, ...others),
    renewJob: async () => {
      await job?.close();
      job = await live.startJob();
    },
    sentOf: async (orderId) => {
      const rows = await world.sql<{ ourId: string }[]>`select our_id from transmissions where order_id = ${orderId}`;
      return rows.flatMap((row) => venue.received.get(row.ourId) ?? []);
    },
  };
  if (options.job !== false) {
    await live.renewJob();
  }
  if (options.keepTrading === true) {
    world.add(keepTrading(world.sql));
  }
  return live;
}

function keepTrading(sql: Sql): { close(): Promise<unknown> } {
  let resuming: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // a database that is away is asked again
    resuming = resuming.then(() => resumeTrading(sql, 'paper')).catch(() => {});
  }, RESUME_MS);
  return {
    close: () => {
      clearInterval(timer);
      return resuming;
    },
  };
}

async function send(url: string, method: string, { key, user, body, headers }: TestRequest): Promise<TestResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(typeof key === 'string' && { authorization: `Bearer ${key}` }),
      ...(user !== undefined && { 'x-service-user': user }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
