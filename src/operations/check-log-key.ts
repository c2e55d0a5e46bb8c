/** Whether the key that signs checkpoints can be read. */
import type { Environment } from '../core/environment.ts';
import { loadLogSigner } from '../ledger/transparency-log/log-signer.ts';
import type { Check } from './check.ts';

export function checkLogKey(environment: Environment): Check {
  const name = 'log key';
  const { logKeyFile } = environment;
  try {
    loadLogSigner(environment, { current: '' });
    return { name, ok: true, detail: logKeyFile ?? 'checkpoints are signed with a key derived from INLAY_SECRET' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${reason}; feeds keep their last checkpoints` };
  }
}
