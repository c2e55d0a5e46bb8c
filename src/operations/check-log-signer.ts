/** Whether the key that signs checkpoints can be used: it signs a text that is no checkpoint. */
import type { Environment } from '../core/environment.ts';
import { signNote } from '../core/transparency-log/signed-note.ts';
import { loadLogSigner } from '../ledger/transparency-log/log-signer.ts';
import type { Check } from './check.ts';

export async function checkLogSigner(environment: Environment): Promise<Check> {
  const name = 'log signer';
  const { logKeyFile, logSigner } = environment;
  if (logKeyFile === undefined && logSigner === undefined) {
    return { name, ok: true, detail: 'checkpoints are signed with a key derived from INLAY_SECRET' };
  }
  try {
    await signNote('inlay doctor\n', 'doctor', loadLogSigner(environment, { current: '' }));
    return { name, ok: true, detail: logSigner ?? String(logKeyFile) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${reason}; feeds keep their last checkpoints` };
  }
}
