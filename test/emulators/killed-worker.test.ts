/** A worker is killed while an exchange holds its order: the next worker asks, sends nothing again, and books what was filled. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listExamples as listKalshi, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { listExamples as listPolymarket, startPolymarketEmulator } from '../../src/emulators/polymarket/emulator.ts';
import { controlRequest } from '../../src/emulators/polymarket/requests.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { KEY, keyFileWith, SIGNER } from './polymarket-venue.ts';

const WORKER = fileURLToPath(new URL('./exchange-worker.ts', import.meta.url));
const SLOWEST_MS = 90_000;
const KALSHI_LISTING = 'KXEXAMPLE-RAIN';

let kalshi: Awaited<ReturnType<typeof startKalshiEmulator>>;
let polymarket: Awaited<ReturnType<typeof startPolymarketEmulator>>;
let service: World;
let environment: Record<string, string>;
let worker: ChildProcess;

beforeAll(async () => {
  kalshi = await startKalshiEmulator();
  listKalshi(kalshi);
  const keyFile = newKalshiKey(kalshi, 'k');
  polymarket = await startPolymarketEmulator(0, 1);
  listPolymarket(polymarket);
  polymarket.control(controlRequest.parse({ do: 'wallet', signer: SIGNER, cash: '1000' }));
  polymarket.control(controlRequest.parse({ do: 'settlement', minedMs: 100, finalMs: 200 }));
  environment = {
    INLAY_VENUES: 'kalshi,polymarket',
    INLAY_KALSHI_URL: kalshi.url,
    INLAY_KALSHI_KEY_ID: 'k',
    INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
    INLAY_POLYMARKET_URL: polymarket.url,
    INLAY_POLYMARKET_CATALOGUE_URL: polymarket.url,
    INLAY_POLYMARKET_DATA_URL: polymarket.url,
    INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFileWith(KEY),
  };
  service = await openWorld({ environment });
  worker = startWorker();
});
afterAll(async () => {
  worker.kill('SIGKILL');
  await service.close();
  await Promise.all([kalshi.close(), polymarket.close()]);
});

function startWorker(): ChildProcess {
  return spawn(process.execPath, [WORKER, service.database.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      DATABASE_URL: service.database.url,
      INLAY_DATA_DIR: service.context.environment.dataDir,
      LOG_LEVEL: 'silent',
    },
  });
}

async function kill(): Promise<void> {
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
}

test.each(['kalshi', 'polymarket'] as const)(
  'at %s the order is there once, and filled in the books',
  async (venue) => {
    const [market] = polymarket.state.markets.values();
    const { contractId: marketId } = await service.listed(
      venue,
      venue === 'kalshi' ? KALSHI_LISTING : (market?.tokens[0] ?? ''),
    );
    const tenant = await service.tenant();
    const quote = { marketId, stake: 5 };
    const orders = () =>
      venue === 'kalshi'
        ? [...(kalshi.state.accounts.get('k')?.orders.keys() ?? [])]
        : [...(polymarket.state.accounts.get(SIGNER.toLowerCase())?.orders.keys() ?? [])];
    const arrived = orders().length;
    await until(async () => expect((await tenant.quote('ann', quote)).status).toBe(200), SLOWEST_MS);
    // the exchange takes the order and its answer never comes
    if (venue === 'kalshi') {
      kalshi.faults.arm({ kind: 'timeout_after_apply' }, 'POST /portfolio/events/orders');
    } else {
      polymarket.faults.arm({ kind: 'timeout_after_apply' }, 'POST /order');
    }
    const placing = tenant.place('ann', { reserveReference: 'held' }, quote);
    await until(() => expect(orders().length).toBe(arrived + 1), SLOWEST_MS);
    await kill();
    const { orderId } = (await placing).body;
    expect(await tenant.read(orderId)).toMatchObject({ transmissionState: 'unknown' });
    worker = startWorker();
    await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
    expect(orders()).toHaveLength(arrived + 1);
    expect(await tenant.audit()).toEqual([]);
  },
  240_000,
);
