/** Moves signing secrets from a previous INLAY_SECRET to the one of now, so that the previous one can be dropped. The secrets stay what they are. */
import type { Sql } from '../../db/client.ts';
import type { SecretBox } from './endpoint-secret.ts';
import { listEndpoints } from './endpoints.ts';

/** @returns how many were moved. One that cannot be opened is left alone: it is told where it is needed. */
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
    // Compared with what was read, so that a rotation in between wins.
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
