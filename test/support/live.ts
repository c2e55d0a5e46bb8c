/** A running service with the transmission job against a scripted venue, and tenants that trade on it through HTTP. */
import { expect } from 'vitest';
import { openContext } from '../../src/context.ts';
import type { Mode } from '../../src/core/terms.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { moveCollateral } from '../../src/ledger/move-collateral.ts';
import type { Operator } from '../../src/operators/operator.ts';
import type { OperatorSettings } from '../../src/operators/operator-settings.ts';
import { runReport } from '../../src/reconciliation/report/run-report.ts';
import { resumeTrading } from '../../src/trading/account/trading-stop.ts';
import type { OrderToPlace } from '../../src/venues/order.ts';
import type { Venue } from '../../src/venues/port.ts';
import type { AnyJson } from './any-json.ts';
import { audit } from './audit.ts';
import { readEventsOf } from './events.ts';
import { readItems } from './items.ts';
import { seedMarket, type TestMarket } from './market.ts';
import { onlyVenue, ScriptedVenue } from './scripted-venue.ts';
import { startTestService, type TestResponse, type TestService, type TestServiceOptions } from './service.ts';

export interface Live {
  readonly service: TestService;
  readonly venue: ScriptedVenue;
  readonly market: TestMarket;
  /** Starts another worker's transmission on the same database. */
  startJob(venue?: Venue): Promise<{ close(): Promise<void> }>;
  /** A live one has 1,000.00 of collateral and both gates open, where nothing else is said. */
  tenant(settings?: { mode?: Mode; collateralMinor?: bigint } & OperatorSettings): Promise<Tenant>;
  /** What was sent for an order, by the venue's own record. */
  sentOf(orderId: string): Promise<readonly OrderToPlace[]>;
  close(): Promise<void>;
}

export interface Tenant {
  readonly operator: Operator;
  readonly key: string;
  quote(user: string, body?: object): Promise<TestResponse>;
  /** Quotes, and places the order under a key of its own. */
  place(user: string, order?: object, quote?: object): Promise<TestResponse>;
  order(user: string, body: object): Promise<TestResponse>;
  read(orderId: string): Promise<AnyJson>;
  confirm(orderId: string, body?: object): Promise<TestResponse>;
  cancel(orderId: string): Promise<TestResponse>;
  /** The order's states as the feed tells them, `from>to`. */
  told(orderId: string): Promise<string[]>;
  /** Types of the webhook events of the order. */
  events(orderId: string): Promise<string[]>;
  set(column: string, value: unknown): Promise<void>;
  audit(): Promise<string[]>;
}

let tenants = 0;
let keys = 0;

const RESUME_MS = 200;

interface LiveOptions extends TestServiceOptions {
  readonly job?: boolean;
  /**
   * Resumes trading whenever it has stopped: for venues whose account says something else than the books on purpose, or that
   * take the place of each other. What stops trading is the subject of test/live/venue-stop.test.ts.
   */
  readonly keepTrading?: boolean;
}

export async function startLive(options: LiveOptions = {}): Promise<Live> {
  const service = await startTestService(options);
  let resuming = Promise.resolve();
  const resume = async () => {
    await resumeTrading(service.sql, 'paper', 'a test');
  };
  const keepTrading = () => {
    resuming = resuming.then(resume);
  };
  const keeper = options.keepTrading === true ? setInterval(keepTrading, RESUME_MS) : undefined;
  const venue = new ScriptedVenue();
  const market = await seedMarket(service.sql, `live${Date.now()}`, undefined, { feeBps: 100 });
  await service.context.board.refresh();
  const contexts: { close(): Promise<void> }[] = [];
  const startJob = async (from: Venue = venue) => {
    const context = openContext(service.context.environment, service.database.url, 'worker');
    contexts.push(context);
    return startTransmission(context, onlyVenue(from));
  };
  const job = options.job === false ? null : await startJob();
  return {
    service,
    venue,
    market,
    startJob,
    tenant: (settings) => openTenant(service, market, settings),
    sentOf: async (orderId) => {
      const rows = await service.sql<{ ourId: string }[]>`select our_id from transmissions where order_id = ${orderId}`;
      return rows.flatMap((row) => venue.received.get(row.ourId) ?? []);
    },
    close: async () => {
      clearInterval(keeper);
      await resuming;
      await job?.close();
      await Promise.all(contexts.map((context) => context.close()));
      await service.close();
    },
  };
}

/** The report of the service itself has to agree with the auditor, who knows none of its code. */
async function criticalFindings(service: TestService, operatorId: string): Promise<string[]> {
  const { findings } = await runReport(service.sql, operatorId);
  return findings
    .filter(({ severity }) => severity === 'critical')
    .map(({ check, subjectId, detail }) => `${check} of ${subjectId}: ${detail}`);
}

/** @param market the contract that is traded where a quote names none. */
export async function openTenant(
  service: TestService,
  { contractId }: Pick<TestMarket, 'contractId'>,
  { mode = 'live', collateralMinor = 100_000n, ...settings }: Parameters<Live['tenant']>[0] = {},
): Promise<Tenant> {
  tenants += 1;
  const operator = await service.createOperator({
    slug: `tenant-${tenants}`,
    mode,
    platformFeeBps: 200,
    executionConfirmed: true,
    ...settings,
  });
  const key = (await service.issueKey(operator)).apiKey;
  if (mode === 'live' && collateralMinor > 0n) {
    await moveCollateral(service.sql, operator.operatorId, 'deposit', collateralMinor);
  }
  const { operatorId } = operator;
  const tenant: Tenant = {
    operator,
    key,
    quote: (user, body = {}) =>
      service.request('POST', '/api/v1/quotes', {
        key,
        user,
        body: { marketId: contractId, side: 'YES', action: 'buy', stake: 10, ...body },
      }),
    order: (user, body) => service.request('POST', '/api/v1/orders', { key, user, body }),
    place: async (user, order = {}, quote = {}) => {
      const quoted = await tenant.quote(user, quote);
      expect(quoted.status, quoted.text).toBe(200);
      keys += 1;
      return tenant.order(user, { quoteId: quoted.body.quoteId, clientOrderId: `key-${keys}`, ...order });
    },
    read: async (orderId) => (await service.request('GET', `/api/v1/orders/${orderId}?fills=true`, { key })).body,
    confirm: (orderId, body) =>
      service.request('POST', `/api/v1/orders/${orderId}/confirm-reserve`, { key, ...(body && { body }) }),
    cancel: (orderId) => service.request('POST', `/api/v1/orders/${orderId}/cancel`, { key }),
    told: async (orderId) => {
      const items = await readItems(service.sql, operatorId);
      return items
        .filter((item) => item.orderId === orderId && item.type === 'order.state_changed')
        .map(({ detail }) => `${detail.fromState ?? ''}>${detail.toState}`);
    },
    events: async (orderId) => (await readEventsOf(service.sql, operatorId, orderId)).map(({ type }) => type),
    set: async (column, value) => {
      await service.sql`update operators set ${service.sql({ [column]: value } as never)} where operator_id = ${operatorId}`;
    },
    audit: async () => [...(await audit(service.sql, operatorId)), ...(await criticalFindings(service, operatorId))],
  };
  return tenant;
}
