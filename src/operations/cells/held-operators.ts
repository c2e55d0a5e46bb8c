/** Which operators a cell holds, and the beginnings of their keys. Reads only. */

import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';

export interface HeldOperator {
  readonly operatorId: string;
  readonly slug: string;
  readonly mode: Mode;
  /** Beginnings of its keys that are neither revoked nor expired. */
  readonly keyPrefixes: readonly string[];
}

/** The operators of one cell, by slug. */
export function listHeldOperators(sql: Sql): Promise<HeldOperator[]> {
  return sql<HeldOperator[]>`
    select o.operator_id, o.slug, o.mode, array(
      select k.prefix from api_keys k where k.operator_id = o.operator_id
        and (k.revoked_at is null or k.revoked_at > now()) and (k.expires_at is null or k.expires_at > now())
      order by k.prefix) as key_prefixes
    from operators o where o.operator_id <> all ((select operators_elsewhere())::text[]) order by o.slug`;
}
