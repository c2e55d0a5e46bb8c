/** Gemini as a process on loopback: it verifies signatures and nonces, matches orders against its books, charges the fee of its schedule and keeps accounts. */
import { type Emulator, startEmulator } from '../emulator.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import { type ControlRequest, controlRequest } from './requests.ts';
import { answer, refusal } from './routes.ts';
import { type ExchangeState, newState, timeOf } from './state.ts';
import { openEmulatedStream } from './stream.ts';
import { readSigned } from './verify.ts';

/** Ids have 17 digits, more than a number keeps. */
const FIRST_ID = 145_000_000_000_000_001n;
const ID_STEP = 2n;

export type GeminiEmulator = Emulator<ExchangeState, ControlRequest>;

/** @param port 0 takes a free one. @param seed makes random faults repeatable. */
export async function startGeminiEmulator(port = 0, seed?: number): Promise<GeminiEmulator> {
  const state = newState();
  const used = new Map<string, Set<number>>();
  let lastId = FIRST_ID;
  const ids = {
    next: () => {
      lastId += ID_STEP;
      return lastId;
    },
  };
  return startEmulator(port, {
    state,
    ids: seededIds(seed),
    controlRequest,
    now: () => timeOf(state),
    openStream: (server) => openEmulatedStream(server, state),
    apply: (request, stream) => applyControl({ state, stream }, request),
    answer({ request, method, path, query, fault }) {
      const now = timeOf(state);
      const signed = readSigned(state, request.headers, path, now, used);
      if (signed !== undefined && 'status' in signed) {
        return signed;
      }
      const mostCount = fault?.kind === 'partial' ? fault.count : undefined;
      return answer(state, { method, path, query, now, signed, mostCount }, ids);
    },
    refusal,
  });
}
