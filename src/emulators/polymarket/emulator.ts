/**
 * Polymarket as a process on loopback: order book, catalogue and positions on one port. It verifies the signatures of wallets,
 * requests and orders, matches orders against its books, charges the documented fees, settles trades after a while or lets them
 * fail, and keeps accounts.
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

/** @param port 0 takes a free one. @param seed makes ids and random faults repeatable. */
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
      // trades move on with time, not only when somebody asks
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
