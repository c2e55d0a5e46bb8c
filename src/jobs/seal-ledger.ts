/** Seals the ledger every few seconds. A round that fails is tried again; what is unsealed is not lost. */
import type { Context } from '../context.ts';
import { sealLedger } from '../ledger/seal.ts';
import { tellTrouble } from './failure-log.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 3_000;

export function startSealing({ reports, log }: Context): Rounds {
  return startRounds({
    everyMs: EVERY_MS,
    round: () => sealLedger(reports),
    ...tellTrouble(log, 'sealing', 'sealing the ledger failed and comes again'),
  });
}
