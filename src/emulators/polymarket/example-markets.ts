/** A few markets for a first look at the emulator: a question with a fee, and one of a field that excludes each other. */
import type { PolymarketEmulator } from './emulator.ts';

const MONTH_MS = 30 * 86_400_000;

const EXAMPLES = [
  { name: 'rain', title: 'Will it rain?', best: 400_000n, negRisk: false, feeRate: 50_000n },
  { name: 'rate-cut', title: 'Will the rate be cut?', best: 720_000n, negRisk: true, feeRate: 0n },
] as const;

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

/** The books as they were at first, whatever was traded. @param count micro-contracts at each price */
export function fillExamples(emulator: PolymarketEmulator, count = 500_000_000n): void {
  const ladder = (from: bigint, step: bigint) => [0n, 1n, 2n].map((index) => ({ price: from + step * index, count }));
  for (const { name, best } of EXAMPLES) {
    emulator.control({ do: 'book', name, bids: ladder(best, -10_000n), asks: ladder(best + 20_000n, 10_000n) });
  }
}
