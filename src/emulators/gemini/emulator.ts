/** Gemini as a process on loopback: it verifies signatures and nonces, matches orders against its books, charges the fee of its schedule and keeps accounts. It can list a few example contracts. */
import { type Emulator, startEmulator } from '../emulator.ts';
import { seededIds } from '../seeded-ids.ts';
import { applyControl } from './control.ts';
import { type ControlRequest, controlRequest, readSigned } from './requests.ts';
import { answer, refusal } from './routes.ts';
import { type ExchangeState, newState, timeOf } from './state.ts';
import { openEmulatedStream } from './stream.ts';

/** Ids have 17 digits, more than a number keeps. */
const FIRST_ID = 145_000_000_000_000_001n;
const ID_STEP = 2n;

export type GeminiEmulator = Emulator<ExchangeState, ControlRequest>;

/** @param port 0 takes a free one. @param seed makes random faults repeatable */
export async function startGeminiEmulator(port = 0, seed?: number): Promise<GeminiEmulator> {
  const state = newState();
  const used = new Map<string, Set<number>>();
  let lastId = FIRST_ID;
  const seeded = seededIds(seed);
  const ids = {
    next: () => {
      lastId += ID_STEP;
      return lastId;
    },
    // as recorded: a UUID that begins with the seconds since 1970
    clientId: (at: Date) => Math.floor(at.getTime() / 1_000).toString(16) + seeded.next().slice(8),
  };
  return startEmulator(port, {
    state,
    ids: seeded,
    controlRequest,
    now: () => timeOf(state),
    openStream: (server) => openEmulatedStream(server, state),
    apply: (request, stream) => applyControl({ state, stream }, request),
    answer({ request, method, path, query, body, fault }) {
      const now = timeOf(state);
      const signed = readSigned(state, { headers: request.headers, path, body }, now, used);
      if (signed !== undefined && 'status' in signed) {
        return signed;
      }
      const mostCount = fault?.kind === 'partial' ? fault.count : undefined;
      return answer(state, { method, path, query, now, signed, mostCount }, ids);
    },
    refusal,
  });
}

const MONTH_MS = 30 * 86_400_000;

/** A question and a ladder of two contracts. Tests make their own. */
const EXAMPLES = [
  { symbol: 'GEMI-EXAMPLE-RAIN', eventTicker: 'EXAMPLE', title: 'Will it rain?', best: 400_000n },
  { symbol: 'GEMI-LADDER-T100', eventTicker: 'LADDER', title: 'Above 100', best: 720_000n, above: '100' },
  { symbol: 'GEMI-LADDER-T110', eventTicker: 'LADDER', title: 'Above 110', best: 310_000n, above: '110' },
] as const;

/** Lists a few contracts for a first look at the emulator. */
export function listExamples(emulator: GeminiEmulator): void {
  const expiresAt = new Date(Date.now() + MONTH_MS).toISOString();
  for (const { best: _, ...example } of EXAMPLES) {
    const { symbol, eventTicker, title } = example;
    const strike = 'above' in example ? { strike: { type: 'above', value: example.above } } : {};
    emulator.control(controlRequest.parse({ do: 'contract', symbol, eventTicker, title, expiresAt, ...strike }));
  }
  fillExamples(emulator);
}

/** Restores the books of the examples after trades. @param count micro-contracts at each price */
export function fillExamples(emulator: GeminiEmulator, count = 500_000_000n): void {
  const ladder = (from: bigint, step: bigint) => [0n, 1n, 2n].map((index) => ({ price: from + step * index, count }));
  for (const { symbol, best } of EXAMPLES) {
    emulator.control({ do: 'book', symbol, bids: ladder(best, -10_000n), asks: ladder(best + 20_000n, 10_000n) });
  }
}
