/**
 * Measures the values that `GET /api/health` returns, and returns them. Only a database that does not respond makes the service unhealthy.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { shareReads } from '../../core/deadline.ts';
import type { Board } from '../../markets/board/board.ts';
import type { VenueFeed } from '../../markets/board/board-state.ts';
import { type OrderDatabase, tryOrderLocks } from '../../trading/orders/orders.ts';
import type { Api } from '../http/api.ts';

interface Health {
  readonly status: 'ok' | 'degraded' | 'starting' | 'unhealthy';
  readonly database: 'up' | 'down';
  readonly markets: { readonly total: number; readonly open: number; readonly resolved: number };
  readonly stream: {
    readonly running: boolean;
    readonly subscriptions: number;
    readonly openContracts: number;
    readonly streamPricedContracts: number;
    readonly restPricedContracts: number;
  };
  /** Constant: the service quotes the book without a margin and without a spread limit. */
  readonly pricing: { readonly houseEdgeBps: number; readonly maxUsableSpread: number };
  readonly timestamp: string;
}

type Counts = Pick<Health, 'markets'> & Pick<Health, 'stream'>;

const DATABASE_TIMEOUT_MS = 2_000;
/** The whole catalogue is read once per minute. A feed that has missed several of these reads is stale. */
const SYNC_STALE_MS = 5 * 60_000;
const CONFIRMATION_STALE_MS = 60_000;
const BOARD_STALE_SECONDS = 30;

/** Responds with 503 if the database does not respond or the process stops. All requests that wait share one probe. */
export function createHealthHandler(app: Pick<Api, 'isStopping'>, context: ApiContext) {
  // The probe uses the pool of the orders.
  const probe = shareReads<OrderDatabase>(
    () => tryOrderLocks(context.sql),
    DATABASE_TIMEOUT_MS,
    () => 'down',
  );
  return async function answerHealth(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const health = describeHealth(context, await probe());
    reply.header('cache-control', 'no-store');
    if (app.isStopping) {
      reply.code(503).send({ ...health, status: 'unhealthy' });
    } else {
      reply.code(health.database === 'up' ? 200 : 503).send(health);
    }
  };
}

function describeHealth(context: ApiContext, database: OrderDatabase): Health {
  const now = context.clock.now();
  const statuses = { up: statusOf(context, now), locked: 'degraded', down: 'unhealthy' } as const;
  return {
    status: statuses[database],
    database: database === 'down' ? 'down' : 'up',
    ...countBoard(context.board, now),
    pricing: { houseEdgeBps: 0, maxUsableSpread: 1 },
    timestamp: now.toISOString(),
  };
}

/** The service is starting until a venue was read and its open markets have their first books. */
function statusOf({ board, books }: ApiContext, now: Date): 'ok' | 'degraded' | 'starting' {
  if (books.failing) {
    return 'degraded';
  }
  const feeds = [...board.feeds.values()];
  const open = [...board.contracts.values()].filter(({ status }) => status === 'open');
  const isPriced = open.length === 0 || open.some((contract) => contract.books.length > 0);
  if (board.contracts.size === 0 || feeds.every(({ lastSyncAt }) => lastSyncAt === null) || !isPriced) {
    return 'starting';
  }
  const isUsable = (feed: VenueFeed) => !feed.stopped && isFresh(feed, board.databaseTime(now));
  return board.staleSeconds(now) <= BOARD_STALE_SECONDS && feeds.every(isUsable) ? 'ok' : 'degraded';
}

/** @param now by the database's clock, like the times of the feed */
function isFresh({ connected, confirmedAt, lastSyncAt }: VenueFeed, now: Date): boolean {
  const confirmed = confirmedAt !== null && now.getTime() - confirmedAt.getTime() <= CONFIRMATION_STALE_MS;
  const synced = lastSyncAt !== null && now.getTime() - lastSyncAt.getTime() <= SYNC_STALE_MS;
  return connected && confirmed && synced;
}

function countBoard(board: Board, now: Date): Counts {
  const markets = { total: 0, open: 0, resolved: 0 };
  const stream = { subscriptions: 0, openContracts: 0, streamPricedContracts: 0, restPricedContracts: 0 };
  for (const { status, books } of board.contracts.values()) {
    markets.total += 1;
    markets.open += status === 'open' ? 1 : 0;
    markets.resolved += status === 'resolved' || status === 'voided' ? 1 : 0;
    const streamed = books.filter(({ feed }) => feed === 'websocket').length;
    stream.subscriptions += streamed;
    if (status === 'open') {
      stream.openContracts += 1;
      stream.streamPricedContracts += streamed > 0 ? 1 : 0;
      stream.restPricedContracts += streamed === 0 && books.length > 0 ? 1 : 0;
    }
  }
  const running = board.feeds.values().some((feed) => isFresh(feed, board.databaseTime(now)));
  return { markets, stream: { running, ...stream } };
}
