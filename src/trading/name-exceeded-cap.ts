/** Which cap of the account refused an order. */
import type { Refusal } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { capToRefusal } from './refusals.ts';

/** Read after the refusal, so that an accepted order pays nothing for it. */
export async function nameExceededCap(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  authorizationMinor: bigint,
): Promise<Refusal> {
  const [row] = await sql<{ cap: string | null }[]>`
    select exceeded_cap(o, ${externalUserId}, ${authorizationMinor}) as cap from operators o where o.operator_id = ${operatorId}`;
  return capToRefusal(row?.cap ?? null);
}
