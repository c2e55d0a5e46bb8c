/** Whether this process can decrypt the stored signing secrets. Decrypts each once and returns none of them. */
import type { Sql } from '../../db/client.ts';
import type { SecretBox } from './endpoint-secret.ts';
import { listEndpoints } from './endpoints.ts';

export interface SecretCounts {
  readonly total: number;
  /** Decrypted only by a previous INLAY_SECRET; they are encrypted under the current one within an hour. */
  readonly previous: number;
  /** Endpoints whose secret cannot be decrypted: nothing can be sent to them. */
  readonly unreadable: readonly string[];
}

export async function inspectSecrets(sql: Sql, box: SecretBox): Promise<SecretCounts> {
  const endpoints = await listEndpoints(sql);
  const unreadable = endpoints
    .filter(({ endpointId, secretSealed }) => !opens(box, endpointId, secretSealed))
    .map(({ endpointId }) => endpointId);
  const previous = endpoints.filter(({ secretSealed }) => !box.isCurrent(secretSealed)).length - unreadable.length;
  return { total: endpoints.length, previous: Math.max(0, previous), unreadable };
}

function opens(box: SecretBox, endpointId: string, sealed: string): boolean {
  try {
    box.open(endpointId, sealed);
    return true;
  } catch {
    return false;
  }
}
