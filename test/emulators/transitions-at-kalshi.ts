/**
 * The states of an order at the emulated Kalshi. An order never rests there: it is open while a fill that it counts is neither listed nor
 * reported by the stream.
 */
import { fillExamples, listExamples, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { renderFill } from '../../src/emulators/kalshi/render.ts';
import type { Account, Fill } from '../../src/emulators/kalshi/state.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { ALWAYS, type TransitionExchange } from './transition-exchange.ts';

const TICKER = 'KXEXAMPLE-RAIN';
const KEY_ID = 'key-1';
const SEND = 'POST /portfolio/events/orders';
const LOOK_UP = 'GET /portfolio/orders';
const FILLS = 'GET /portfolio/fills';

export async function openKalshiTransitions(): Promise<TransitionExchange> {
  const emulator = await startKalshiEmulator();
  listExamples(emulator);
  const keyFile = newKalshiKey(emulator, KEY_ID);
  const account = emulator.state.accounts.get(KEY_ID) as Account;
  const { faults } = emulator;

  const streamLoses = (share: number) => emulator.control({ do: 'fill_reports', fault: 'drop', share });

  /** From now on the list of fills shows these alone, and the stream loses a fill of each order. */
  function list(fills: readonly object[]): void {
    faults.clear();
    streamLoses(1);
    faults.arm({ kind: 'status', status: 200, body: { fills, cursor: '' } }, FILLS, ALWAYS);
  }

  function fillsOfNewest(): readonly Fill[] {
    const newest = [...account.orders.keys()].at(-1);
    return account.fills.filter(({ orderId }) => orderId === newest);
  }

  /** Ten contracts at the best price, and many at the next. */
  function thinBook(): void {
    const no = [
      { price: 580_000n, count: 10_000_000n },
      { price: 570_000n, count: 500_000_000n },
    ];
    emulator.control({ do: 'book', ticker: TICKER, yes: [{ price: 400_000n, count: 500_000_000n }], no });
  }

  return {
    venue: 'kalshi',
    listingId: TICKER,
    environment: {
      INLAY_KALSHI_URL: emulator.url,
      INLAY_KALSHI_KEY_ID: KEY_ID,
      INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
    },
    sends: 'POST /trade-api/v2/portfolio/events/orders',
    reach: {
      'submitted, silent': {
        arm: () => faults.arm({ kind: 'timeout_after_apply' }, SEND),
        // not before: nothing is sent while the account cannot be compared
        advance: () => faults.arm({ kind: 'status', status: 500 }, LOOK_UP, ALWAYS),
        end: 'filled',
      },
      'submitted, working': { arm: () => list([]), end: 'filled' },
      'partially_filled, working': {
        arm: () => {
          thinBook();
          list([]);
        },
        asks: 2,
        advance: () => list(fillsOfNewest().slice(0, 1).map(renderFill)),
        end: 'filled',
      },
      'partially_filled, fee unknown': {
        arm: () => list([]),
        advance: () => list(fillsOfNewest().map((fill) => ({ ...renderFill(fill), fee_cost: null }))),
        end: 'filled',
      },
      'partially_filled, closed': { arm: () => faults.arm({ kind: 'partial', count: 10_000_000n }, SEND) },
      filled: { arm: () => undefined },
      rejected: {
        arm: () => {
          const body = { code: 'market_inactive', message: 'MARKET_INACTIVE' };
          faults.arm({ kind: 'status', status: 400, body }, SEND);
        },
      },
      'cancelled by the venue': { arm: () => faults.arm({ kind: 'partial', count: 0n }, SEND) },
    },
    calm: () => {
      faults.clear();
      streamLoses(0);
      fillExamples(emulator);
    },
    orders: () => account.orders.size,
    held: () => account.positions.get(TICKER) ?? 0n,
    close: () => emulator.close(),
  };
}
