/** A few contracts for a first look at the emulator: a question, and a ladder of two. Tests make their own. */
import type { GeminiEmulator } from './emulator.ts';
import { controlRequest } from './requests.ts';

const MONTH_MS = 30 * 86_400_000;

const EXAMPLES = [
  { symbol: 'GEMI-EXAMPLE-RAIN', eventTicker: 'EXAMPLE', title: 'Will it rain?', best: 400_000n },
  { symbol: 'GEMI-LADDER-T100', eventTicker: 'LADDER', title: 'Above 100', best: 720_000n, above: '100' },
  { symbol: 'GEMI-LADDER-T110', eventTicker: 'LADDER', title: 'Above 110', best: 310_000n, above: '110' },
] as const;

export function listExamples(emulator: GeminiEmulator): void {
  const expiresAt = new Date(Date.now() + MONTH_MS).toISOString();
  for (const { best: _, ...example } of EXAMPLES) {
    const { symbol, eventTicker, title } = example;
    const strike = 'above' in example ? { strike: { type: 'above', value: example.above } } : {};
    emulator.control(controlRequest.parse({ do: 'contract', symbol, eventTicker, title, expiresAt, ...strike }));
  }
  fillExamples(emulator);
}

/** The books as they were at first, whatever was traded. @param count micro-contracts at each price */
export function fillExamples(emulator: GeminiEmulator, count = 500_000_000n): void {
  const ladder = (from: bigint, step: bigint) => [0n, 1n, 2n].map((index) => ({ price: from + step * index, count }));
  for (const { symbol, best } of EXAMPLES) {
    emulator.control({ do: 'book', symbol, bids: ladder(best, -10_000n), asks: ladder(best + 20_000n, 10_000n) });
  }
}
