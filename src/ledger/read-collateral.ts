/** Reads an operator's collateral to show it: balances and last movements. */
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import type { FeedItem } from '../wire/feed.ts';
import type { Collateral } from '../wire/reconciliation.ts';
import { readLastItems } from './read-feed.ts';
import type { PlacedItem } from './render/feed-item.ts';

type Moved = Extract<FeedItem, { type: 'collateral.moved' }>;

/** @param limit of the movements, newest first. */
export async function readCollateralStatement(sql: Sql, operatorId: string, limit: number): Promise<Collateral> {
  const moved = (await readLastItems(sql, operatorId, ['collateral.moved'], limit)).toReversed();
  const [[balances], references] = await Promise.all([
    asOperator<{ available: bigint; committed: bigint }[]>(
      sql,
      operatorId,
      sql`
        select -collateral_available as available, -collateral_committed as committed
        from operator_ledgers where operator_id = ${operatorId}`,
    ),
    asOperator<{ sequence: bigint; reference: string }[]>(
      sql,
      operatorId,
      sql`
        select sequence, reference from collateral_movements
        where operator_id = ${operatorId} and sequence = any (${moved.map(({ sequence }) => String(sequence))}::bigint[])`,
    ),
  ]);
  const referenceOf = new Map(references.map(({ sequence, reference }) => [sequence, reference]));
  const { available, committed } = balances ?? { available: 0n, committed: 0n };
  return {
    currency: 'USD',
    available: formatMinor(available),
    committed: formatMinor(committed),
    total: formatMinor(available + committed),
    movements: moved.map((item) => renderMovement(item, referenceOf.get(item.sequence) ?? null)),
  };
}

function renderMovement(item: PlacedItem, reference: string | null): Collateral['movements'][number] {
  const money = item.money as Moved['money'];
  const detail = item.detail as Moved['detail'];
  return {
    id: item.id,
    sequence: Number(item.sequence),
    kind: detail.kind,
    amount: money.amount,
    availableAfter: money.balanceAfter,
    committedAfter: money.committedAfter,
    memo: detail.memo ?? '',
    reference,
    externalUserId: item.externalUserId,
    orderId: item.orderId,
    positionId: item.positionId,
    ledgerEntryId: detail.ledgerEntryId ?? '',
    occurredAt: item.occurredAt,
  };
}
