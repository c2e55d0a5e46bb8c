/** A few markets for a first look at the emulator: a question, and a ladder of two. Tests make their own. */
import type { KalshiEmulator } from './emulator.ts';

const MONTH_MS = 30 * 86_400_000;

const EXAMPLES = [
  { ticker: 'KXEXAMPLE-RAIN', eventTicker: 'KXEXAMPLE', title: 'Will it rain?', yes: 400_000n, no: 580_000n },
  { ticker: 'KXLADDER-T100', eventTicker: 'KXLADDER', title: 'Above 100', yes: 720_000n, no: 260_000n },
  { ticker: 'KXLADDER-T110', eventTicker: 'KXLADDER', title: 'Above 110', yes: 310_000n, no: 670_000n },
] as const;

export function listExamples(emulator: KalshiEmulator): void {
  const closeTime = new Date(Date.now() + MONTH_MS);
  for (const { ticker, eventTicker, title } of EXAMPLES) {
    emulator.control({
      do: 'market',
      ticker,
      eventTicker,
      title,
      rules: `${title} Resolves by the source.`,
      closeTime,
    });
  }
  fillExamples(emulator);
}

/** The books as they were at first, whatever was traded. @param count micro-contracts at each price */
export function fillExamples(emulator: KalshiEmulator, count = 500_000_000n): void {
  const ladder = (best: bigint) => [0n, 10_000n, 20_000n].map((step) => ({ price: best - step, count }));
  for (const { ticker, yes, no } of EXAMPLES) {
    emulator.control({ do: 'book', ticker, yes: ladder(yes), no: ladder(no) });
  }
}
