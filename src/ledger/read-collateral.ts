/** Reads an operator's collateral to show it: balances and last movements, of one moment. */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import type { Collateral } from '../wire/reconciliation/collateral.ts';

interface Row {
  readonly available: bigint;
  readonly committed: bigint;
  readonly movements: Collateral['movements'];
}

/** @param limit of the movements, newest first. */
export async function readCollateralStatement(sql: Sql, operatorId: string, limit: number): Promise<Collateral> {
  const [row] = await asOperator<Row[]>(
    sql,
    operatorId,
    sql`
    select coalesce((select -b.balance from account_balances b
        where b.operator_id = ${operatorId} and b.account_id = 'collateral:available'), 0) as available,
      coalesce((select -b.balance from account_balances b
        where b.operator_id = ${operatorId} and b.account_id = 'collateral:committed'), 0) as committed,
      (select coalesce(json_agg(json_build_object('id', f.item_id, 'sequence', f.position, 'kind', f.detail ->> 'kind',
          'amount', f.money ->> 'amount', 'availableAfter', f.money ->> 'balanceAfter', 'committedAfter', f.money ->> 'committedAfter',
          'memo', f.detail ->> 'memo', 'reference', m.reference, 'externalUserId', f.external_user_id, 'orderId', f.order_id,
          'positionId', f.position_id, 'ledgerEntryId', f.detail ->> 'ledgerEntryId',
          'occurredAt', to_char(f.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by f.position desc), '[]')
        from (select * from feed_item_rows where operator_id = ${operatorId} and type = 'collateral.moved' order by position >> 8 desc, position desc limit ${limit}) f
          left join collateral_movements m on m.operator_id = f.operator_id and m.sequence = f.position) as movements`,
  );
  const { available, committed, movements } = row ?? { available: 0n, committed: 0n, movements: [] };
  return {
    currency: 'USD',
    available: formatMinor(available),
    committed: formatMinor(committed),
    total: formatMinor(available + committed),
    movements,
  };
}
