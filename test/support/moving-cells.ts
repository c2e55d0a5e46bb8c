/** Two cells with a shared market and their jobs, behind HAProxy where there is one, and a partner that buys there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFeedSealing, startSealing } from '../../src/jobs/seals.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startWebhookJobs } from '../../src/jobs/webhooks.ts';
import { type Haproxy, hasHaproxy, startHaproxy } from './haproxy.ts';
import { seedMarket, setBook } from './market.ts';
import { askService, type PartnerAnswer } from './partner.ts';
import { commandRunner, type RunCommand } from './run-command.ts';
import { startTwoCells, type TestCell, type TwoCells } from './two-cells.ts';
import { until } from './until.ts';

const DEEP = { bids: [['0.55', '1000000']], asks: [['0.57', '1000000']] } as const;
const PRICES_MS = 1_000;
const PERSIST_MS = 240_000;

export interface MovingCells extends TwoCells {
  readonly inlay: RunCommand;
  /** What the command line reads. */
  readonly settings: Readonly<Record<string, string>>;
  /** Sends requests through HAProxy, or without it to this cell. */
  hold(cell: TestCell): Promise<void>;
  /** A POST if there is a body, else a GET. */
  call(key: string, path: string, user?: string, body?: object): Promise<PartnerAnswer>;
  /** A quote and an order, repeated for as long as the service answers 503, as partners do. */
  buy(key: string, user: string, clientOrderId: string): Promise<PartnerAnswer>;
  /** In the cell east. */
  openOperator(slug: string): Promise<{ readonly operatorId: string; readonly key: string }>;
}

/** Repeats a request for as long as the service is not available. */
async function persist(send: () => Promise<PartnerAnswer>): Promise<PartnerAnswer> {
  return until(
    () => send().catch((): PartnerAnswer => ({ status: 503, body: {} })),
    ({ status }) => status !== 503 && status !== 502,
    PERSIST_MS,
  );
}

export async function startMovingCells(): Promise<MovingCells> {
  const cells = await startTwoCells();
  const both = [cells.east, cells.west];
  const settings = {
    INLAY_CELLS_FILE: cells.cellsFile,
    INLAY_SECRET: 'a secret that only tests know',
    INLAY_DATA_DIR: cells.folder,
    INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
    NO_COLOR: '1',
    LOG_LEVEL: 'silent',
  };
  const inlay = await commandRunner(settings);
  const workers: { close(): Promise<void> }[] = [];
  const markets: Awaited<ReturnType<typeof seedMarket>>[] = [];
  for (const { database, service } of both) {
    // ingestion is left out: the market is the test's own
    for (const start of [startSettlement, startWebhookJobs, startSealing, startFeedSealing]) {
      workers.push(await start(service.context));
    }
    markets.push(await seedMarket(database.sql, 'shared', DEEP));
    await service.context.board.refresh();
  }
  const [market] = markets;
  if (market === undefined) {
    throw new Error('no market');
  }
  const prices = setInterval(() => {
    Promise.all(both.map(({ database }) => setBook(database.sql, market, DEEP))).catch(() => {});
  }, PRICES_MS);
  const proxy: Haproxy | undefined = hasHaproxy ? await startHaproxy() : undefined;
  let holder = cells.east;
  const call: MovingCells['call'] = (key, path, user, body) =>
    askService(proxy?.url ?? holder.service.url, key, body === undefined ? 'GET' : 'POST', path, user, body);
  return {
    ...cells,
    inlay,
    settings,
    hold: async (cell) => {
      holder = cell;
      const folder = join(cells.folder, 'haproxy');
      const { exitCode, stderr } = await inlay('cells', 'map', '--out', folder, '--bind', proxy?.bind ?? '*:8080');
      if (exitCode !== 0) {
        throw new Error(stderr);
      }
      await proxy?.load(readFileSync(join(folder, 'inlay-cells.cfg'), 'utf8'));
    },
    call,
    buy: async (key, user, clientOrderId) => {
      const wanted = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 2 };
      const quote = await persist(() => call(key, '/api/v1/quotes', user, wanted));
      return persist(() => call(key, '/api/v1/orders', user, { quoteId: quote.body.quoteId, clientOrderId }));
    },
    openOperator: async (slug) => {
      const { operatorId } = await cells.east.service.createOperator({ slug, platformFeeBps: 200 });
      const issued = await inlay(
        'keys',
        'issue',
        '--operator',
        slug,
        '--rate-limit',
        '6000',
        '--cell',
        'east',
        '--json',
      );
      return { operatorId, key: issued.json.apiKey };
    },
    close: async () => {
      delete process.env['INLAY_CELLS_FILE'];
      clearInterval(prices);
      await proxy?.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await cells.close();
    },
  };
}
