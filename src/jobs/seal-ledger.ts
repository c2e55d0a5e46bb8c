/** Seals the ledger every few seconds. A round that fails is tried again; what is unsealed is not lost. */
import type { Context } from '../context.ts';
import { sealLedger } from '../ledger/seal.ts';
import { tellTrouble } from './tell-trouble.ts';

const EVERY_MS = 3_000;

export function startSealing(context: Context): { close(): Promise<void> } {
  const trouble = tellTrouble(context.log, 'sealing', 'sealing the ledger failed and comes again');
  let running = Promise.resolve();
  let busy = false;
  const round = () => {
    if (busy) {
      return;
    }
    busy = true;
    running = sealLedger(context.sql)
      .then(() => trouble.over())
      .catch((error: unknown) => trouble.failed(error))
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
