/** Says which cap of the account refused an order: `over_tenant_exposure` is one code for four of them (rulings 11). */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

const MEANING = new Map([
  ['player_exposure', 'The order would exceed the open exposure that one customer may have on this account.'],
  ['total_exposure', 'The order would exceed the open exposure that all customers together may have on this account.'],
  ['player_orders', 'The customer has as many live orders in 24 hours as one customer may have on this account.'],
  ['total_orders', 'The account has as many live orders in 24 hours as it may have.'],
]);

/** Asked after the refusal, so that an order that passes pays nothing for it; what changed since may leave no cap to name. */
export async function nameExceededCap(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  authorizationMinor: bigint,
): Promise<Refusal> {
  const [row] = await sql<{ cap: string | null }[]>`
    select exceeded_cap(o, ${externalUserId}, ${authorizationMinor}) as cap from operators o where o.operator_id = ${operatorId}`;
  const cap = row?.cap ?? undefined;
  return refuse('over_tenant_exposure', cap && MEANING.get(cap), cap === undefined ? {} : { cap });
}
