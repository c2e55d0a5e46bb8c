/**
 * Stored signing secrets after a rotation: encrypts them under the current INLAY_SECRET instead of a previous one, and
 * reports which this process can decrypt. The secrets themselves do not change.
 */
import type { Sql } from '../db/client.ts';
import type { SecretBox } from './endpoint-secret.ts';
import { listEndpoints } from './endpoints.ts';

/**
 * Leaves secrets that cannot be decrypted; they are reported when they are needed.
 * @returns how many were changed
 */
export async function resealSecrets(sql: Sql, box: SecretBox): Promise<number> {
  let moved = 0;
  for (const { endpointId, operatorId, secretSealed } of await listEndpoints(sql)) {
    if (box.isCurrent(secretSealed)) {
      continue;
    }
    const sealed = reseal(box, endpointId, secretSealed);
    if (sealed === undefined) {
      continue;
    }
    // Compared with the value that was read, so that a rotation in between takes precedence.
    const { count } = await sql`
      update webhook_endpoints set secret_sealed = ${sealed}
      where operator_id = ${operatorId} and endpoint_id = ${endpointId} and secret_sealed = ${secretSealed}`;
    moved += count;
  }
  return moved;
}

function reseal(box: SecretBox, endpointId: string, sealed: string): string | undefined {
  try {
    return box.seal(endpointId, box.open(endpointId, sealed));
  } catch {
    return undefined;
  }
}

export interface SecretCounts {
  readonly total: number;
  /** Decrypted only by a previous INLAY_SECRET; they are encrypted under the current one within an hour. */
  readonly previous: number;
  /** Endpoints whose secret cannot be decrypted: nothing can be sent to them. */
  readonly unreadable: readonly string[];
}

/** Whether this process can decrypt the stored signing secrets. Decrypts each once and returns none of them. */
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
