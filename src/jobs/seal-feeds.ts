/** Appends new feed items to the operators' logs and signs checkpoints, so that none is more than ten seconds behind its feed. */
import type { Context } from '../context.ts';
import { loadLogSigner } from '../ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../ledger/transparency-log/seal-feed.ts';
import { tellTrouble } from './failure-log.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 2_000;

export function startFeedSealing({ sql, log, environment, secrets }: Context): Rounds {
  const signer = loadLogSigner(environment, secrets);
  return startRounds({
    everyMs: EVERY_MS,
    round: (goesOn) => sealFeeds(sql, signer, goesOn),
    ...tellTrouble(log, 'feed log', 'could not append to the feed logs; will retry'),
  });
}
