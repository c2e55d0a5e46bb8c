/** The order's states, row by row, at both emulated exchanges: over HTTP and WebSocket, with what feed and webhooks tell of each. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/emulators/faults.ts';
import { startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { fillExamples as fillKalshi, listExamples as listKalshi } from '../../src/emulators/kalshi/example-markets.ts';
import { marketNamed } from '../../src/emulators/polymarket/control.ts';
import { startPolymarketEmulator } from '../../src/emulators/polymarket/emulator.ts';
import {
  fillExamples as fillPolymarket,
  listExamples as listPolymarket,
} from '../../src/emulators/polymarket/example-markets.ts';
import { controlRequest } from '../../src/emulators/polymarket/requests.ts';
import { openTenant } from '../support/live.ts';
import { type Exchange, type ExchangeRow, waitFor } from './exchange-row.ts';
import { type LiveExchange, startLiveExchange } from './live-exchange.ts';
import { KEY, keyFileWith, SIGNER } from './polymarket-venue.ts';
import { ROWS_BEFORE_SENDING } from './rows-before-sending.ts';
import { ROWS_ONCE_SENT } from './rows-once-sent.ts';

interface Side {
  readonly live: LiveExchange;
  /** The next order there meets it. */
  arm(fault: Fault): void;
  refill(): void;
  /** Ids of the orders that are there: ours, or the exchange's own. */
  orderIds(): readonly string[];
  /** Orders there that may still be filled. */
  open(): number;
  close(): Promise<void>;
}

async function openKalshiSide(): Promise<Side> {
  const emulator = await startKalshiEmulator();
  listKalshi(emulator);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = join(mkdtempSync(join(tmpdir(), 'inlay-rows-')), 'key.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  emulator.control({ do: 'key', keyId: 'k', publicKey: publicPem, cash: 10_000_000_000n });
  const live = await startLiveExchange('kalshi', 'KXEXAMPLE-RAIN', {
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: 'k',
    INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
  });
  const orders = () => [...(emulator.state.accounts.get('k')?.orders.values() ?? [])];
  return {
    live,
    arm: (fault) => emulator.faults.arm(fault, 'POST /portfolio/events/orders'),
    refill: () => fillKalshi(emulator),
    orderIds: () => orders().map(({ clientOrderId }) => clientOrderId),
    open: () => orders().filter(({ status }) => status === 'resting').length,
    close: () => emulator.close(),
  };
}

async function openPolymarketSide(): Promise<Side> {
  const emulator = await startPolymarketEmulator(0, 1);
  listPolymarket(emulator);
  const tell = (request: object) => emulator.control(controlRequest.parse(request));
  tell({ do: 'wallet', signer: SIGNER, cash: '10000' });
  tell({ do: 'settlement', minedMs: 100, finalMs: 300 });
  const live = await startLiveExchange('polymarket', marketNamed(emulator.state, 'rain').tokens[0], {
    INLAY_POLYMARKET_URL: emulator.url,
    INLAY_POLYMARKET_CATALOGUE_URL: emulator.url,
    INLAY_POLYMARKET_DATA_URL: emulator.url,
    INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFileWith(KEY),
  });
  const orders = () => [...(emulator.state.accounts.get(SIGNER.toLowerCase())?.orders.values() ?? [])];
  return {
    live,
    arm: (fault) => emulator.faults.arm(fault, 'POST /order'),
    refill: () => fillPolymarket(emulator),
    orderIds: () => orders().map(({ hash }) => hash),
    open: () => orders().filter(({ status }) => status === 'LIVE' || status === 'DELAYED').length,
    close: () => emulator.close(),
  };
}

const OPEN: Readonly<Record<Exchange, () => Promise<Side>>> = {
  kalshi: openKalshiSide,
  polymarket: openPolymarketSide,
};
const ROWS = [...ROWS_BEFORE_SENDING, ...ROWS_ONCE_SENT];
const LONGEST = { timeout: 180_000 };

describe.each(['kalshi', 'polymarket'] as const)('a live order at %s', (exchange) => {
  const possible = ROWS.filter(({ at }) => !isNever(at[exchange]));
  let side: Side;
  beforeAll(async () => {
    side = await OPEN[exchange]();
  });
  afterAll(async () => {
    await side?.live.close();
    await side?.close();
  });
  beforeEach(() => side.refill());

  test.each(possible)('$row', LONGEST, async ({ at, settings, drive, told, events, ends, debited, there }) => {
    const { live } = side;
    const fault = at[exchange];
    if (fault !== 'none' && !isNever(fault)) {
      side.arm(fault);
    }
    const tenant = await openTenant(live.service, live, { collateralMinor: 100_000n, ...settings });
    const orderId = await drive(tenant);
    await waitFor(tenant, orderId, ends.status, ends.transmissionState);
    const order = await tenant.read(orderId);
    expect(order).toMatchObject(ends);
    expect(await tenant.told(orderId)).toEqual(told);
    expect(await tenant.events(orderId)).toEqual(events);
    expect(order.operatorMoney.authorizationAmount).toBe('10.00');
    if (debited) {
      expect(order.operatorMoney.actualDebit).not.toBe('0.00');
    } else {
      expect(order.operatorMoney).toMatchObject({ actualDebit: '0.00', releaseAmount: '10.00', tradeAmount: '0.00' });
    }
    const attempts = await live.service.sql<{ ourId: string; venueRef: string | null }[]>`
      select our_id, venue_ref from transmissions where order_id = ${orderId}`;
    const ours = attempts.flatMap(({ ourId, venueRef }) => [ourId, venueRef]);
    expect(side.orderIds().filter((id) => ours.includes(id))).toHaveLength(there);
    expect(await tenant.audit()).toEqual([]);
  });

  test('rows that do not happen here need an order that stays open, and none did', () => {
    expect(possible.length).toBeGreaterThan(ROWS.length - 2);
    expect(side.open()).toBe(0);
  });
});

function isNever(at: ExchangeRow['at'][Exchange]): at is { readonly never: string } {
  return typeof at === 'object' && 'never' in at;
}
