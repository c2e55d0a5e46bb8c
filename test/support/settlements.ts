/** The settlements of a database as rows: what the journal has of them, under the names of the register. */
import type { Sql } from '../../src/db/client.ts';

const SETTLEMENTS = `(
  select operator_id, 'stl_' || replace(digits::text, '-', '') as settlement_id, position_id, external_user_id, contract_id, side::text,
    resolution::text, resolution_version, outcome::text, quantity_micros, simulated,
    case outcome when 'won' then -coalesce(available, 0) else 0 end as settlement_credit_minor,
    case outcome when 'void' then -coalesce(available, 0) else 0 end as void_credit_minor,
    -coalesce(available, 0) - coalesce(stakes, 0) - fee_share_minor as realised_pnl_minor, recorded_at as settled_at
  from journal where kind = 'position_settled') settlement`;

/** For the `from` clause of a query, named `settlement`. */
export const settlementsIn = (sql: Sql) => sql.unsafe(SETTLEMENTS);
