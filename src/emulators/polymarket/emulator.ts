/**
 * Polymarket as a process on loopback: order book, catalogue and positions on one port. It verifies the signatures of wallets, requests
 * and orders, matches orders against its books, charges the documented fees, settles trades after a while or lets them fail, and keeps
 * accounts. It can list a few example markets.
 */
import { type Emulator, startEmulator } from '../emulator.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import { advance } from './match-order.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { answer } from './routes.ts';
import { type ExchangeState, newState, timeOf } from './state.ts';
import { openEmulatedStream } from './stream.ts';

const TICK_MS = 50;

export type PolymarketEmulator = Emulator<ExchangeState, ControlRequest>;

/** @param port 0 takes a free one. @param seed makes ids and random faults repeatable */
export async function startPolymarketEmulator(port = 0, seed?: number): Promise<PolymarketEmulator> {
  const state = newState();
  const ids = seededIds(seed);
  return startEmulator(port, {
    state,
    ids,
    controlRequest,
    now: () => timeOf(state),
    openStream(server) {
      const stream = openEmulatedStream(server, state);
      // trades advance with time and not only at a request
      const ticking = setInterval(() => {
        if (stream.followed) {
          advance(state, timeOf(state), ids);
          stream.publish();
        }
      }, TICK_MS);
      return {
        ...stream,
        close() {
          clearInterval(ticking);
          stream.close();
        },
      };
    },
    apply: (request, stream) => applyControl({ state, stream }, request),
    answer({ request: { headers }, method, path, query, text, body, fault }) {
      const now = timeOf(state);
      advance(state, now, ids);
      return answer(state, { method, path, query, text, body, headers, now }, ids, fault);
    },
    refusal: (status, error) => ({ status, body: { error } }),
  });
}

const MONTH_MS = 30 * 86_400_000;

/** A question with a fee, and one of a field whose markets exclude each other. */
const EXAMPLES = [
  { name: 'rain', title: 'Will it rain?', best: 400_000n, negRisk: false, feeRate: 50_000n },
  { name: 'rate-cut', title: 'Will the rate be cut?', best: 720_000n, negRisk: true, feeRate: 0n },
] as const;

/** Lists a few markets for a first look at the emulator. */
export function listExamples(emulator: PolymarketEmulator): void {
  const closeTime = new Date(Date.now() + MONTH_MS);
  for (const { name, title, negRisk, feeRate } of EXAMPLES) {
    emulator.control({
      do: 'market',
      name,
      title,
      rules: `${title} Resolves by the source.`,
      outcomes: ['Yes', 'No'],
      closeTime,
      tick: 10_000n,
      minimum: 5_000_000n,
      negRisk,
      protocol: 'v1',
      feeRate,
    });
  }
  fillExamples(emulator);
}

/** Restores the books of the examples after trades. @param count micro-shares at each price */
export function fillExamples(emulator: PolymarketEmulator, count = 500_000_000n): void {
  const ladder = (from: bigint, step: bigint) => [0n, 1n, 2n].map((index) => ({ price: from + step * index, count }));
  for (const { name, best } of EXAMPLES) {
    emulator.control({ do: 'book', name, bids: ladder(best, -10_000n), asks: ladder(best + 20_000n, 10_000n) });
  }
}
