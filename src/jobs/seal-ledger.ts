/** Seals the ledger every few seconds. A round that fails is tried again; what is unsealed is not lost. */
import type { Context } from '../context.ts';
import { sealLedger } from '../ledger/seal.ts';

const EVERY_MS = 3_000;

export function startSealing(context: Context): { close(): Promise<void> } {
  let running = Promise.resolve();
  let busy = false;
  const round = () => {
    if (busy) {
      return;
    }
    busy = true;
    running = sealLedger(context.sql)
      .then(() => {})
      .catch((error: unknown) => context.log.warn({ err: error }, 'sealing the ledger failed and comes again'))
      .finally(() => {
        busy = false;
      });
  };
  const timer = setInterval(round, EVERY_MS);
  round();
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
