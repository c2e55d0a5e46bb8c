/**
 * The collateral of an operator: deposits and withdrawals by the service operator, and the statement that shows balances
 * and last movements. A movement is one statement under the operator's counter, so a repeated or concurrent call moves
 * money once.
 */
import { refuse } from '../core/errors.ts';
import { newDigits } from '../core/ids.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import type { FeedItem } from '../wire/feed.ts';
import type { Collateral } from '../wire/reconciliation.ts';
import { JOURNAL_CHANNEL } from './journal.ts';
import { JOURNAL_ENTRY } from './journal-row.ts';
import { readLastItems } from './read-feed.ts';
import { countItems, type PlacedItem } from './render/items.ts';

export interface CollateralMovement {
  /** The service operator's reference; the id of its feed item if none was given. */
  readonly reference: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly amountMinor: bigint;
  readonly recordedAt: Date;
  /** The operator's collateral right after the movement, in cents. */
  readonly availableMinor: bigint;
  readonly committedMinor: bigint;
}

interface Moved {
  readonly outcome:
    | 'moved'
    | 'repeated'
    | 'reference_used'
    | 'period_closed'
    | 'not_compared'
    | 'total_changed'
    | 'insufficient_collateral';
  readonly recordedAt: Date;
  readonly availableMinor: bigint;
  readonly committedMinor: bigint;
}

/**
 * Deposits or withdraws collateral.
 * @param amountMinor cents, above 0
 * @param reference unique among the operator's deposits and withdrawals, 1 to 200 characters; null makes one
 * @param effectiveAt when the money moved at the bank; null is the time of recording
 * @returns the movement. If the reference was used before with this kind and amount, the movement that was recorded then.
 * @throws insufficient_collateral if less is available than is withdrawn; idempotency_conflict if the reference belongs to
 * another movement; period_closed if `effectiveAt` is in a closed period or in the future; service_unavailable for a
 * withdrawal after a loss of commits, until the accounts at the venues have been compared
 */
export async function moveCollateral(
  sql: Sql,
  operatorId: string,
  kind: 'deposit' | 'withdrawal',
  amountMinor: bigint,
  reference: string | null = null,
  effectiveAt: Date | null = null,
): Promise<CollateralMovement> {
  if (amountMinor <= 0n) {
    throw refuse('invalid_request', 'The amount is a whole number of cents above 0.');
  }
  const entry = movementOf(operatorId, kind === 'deposit' ? amountMinor : -amountMinor, reference, effectiveAt);
  const { recordedAt, availableMinor, committedMinor } = refuseUnmoved(await record(sql, entry, null));
  return { reference: entry.reference, kind, amountMinor, recordedAt, availableMinor, committedMinor };
}

/**
 * Deposits or withdraws the difference to `totalMinor` cents, available and committed together. A repetition moves nothing.
 * @param mayWithdraw false if a withdrawal needs approval: then it only deposits
 * @throws insufficient_collateral if more is committed than that; approval_required if it may not withdraw;
 * service_unavailable as in `moveCollateral`
 */
export async function setCollateral(
  sql: Sql,
  operatorId: string,
  totalMinor: bigint,
  mayWithdraw = true,
): Promise<void> {
  for (;;) {
    const { available, committed } = await readBalances(sql, operatorId);
    const total = available + committed;
    if (total === totalMinor) {
      return;
    }
    if (totalMinor < total && !mayWithdraw) {
      throw refuse(
        'approval_required',
        'Less collateral is a withdrawal, which needs approval: use operators collateral withdraw.',
      );
    }
    const moved = await record(sql, movementOf(operatorId, totalMinor - total, null, null), total);
    if (moved.outcome !== 'total_changed') {
      refuseUnmoved(moved);
      return;
    }
  }
}

/** The row of a movement. @param changeMinor cents, above zero into the collateral */
function movementOf(operatorId: string, changeMinor: bigint, reference: string | null, effectiveAt: Date | null) {
  const digits = newDigits();
  const row = {
    operatorId,
    kind: 'collateral_moved',
    digits,
    funds: 'collateral',
    available: -changeMinor,
    otherAccount: 'deposits',
    other: changeMinor,
    effectiveAt,
    reference: reference ?? `mov_${digits}`,
  } as const;
  return { ...row, items: countItems(row) };
}

/** @param totalMinor the collateral on which the movement was decided; null if any will do */
async function record(sql: Sql, entry: ReturnType<typeof movementOf>, totalMinor: bigint | null): Promise<Moved> {
  const [moved] = await sql<Moved[]>`
    select * from move_collateral(${entry.operatorId}, ${totalMinor}, (${JOURNAL_ENTRY.toArray([entry])}::text::journal_row[])[1])`;
  if (moved === undefined) {
    throw refuse('internal_error');
  }
  // who waits for the next row of the journal would look a second later, so that a lost notification costs no more than that
  await sql`select pg_notify(${JOURNAL_CHANNEL}, '')`.catch(() => {});
  return moved;
}

function refuseUnmoved(moved: Moved): Moved {
  switch (moved.outcome) {
    case 'insufficient_collateral':
      throw refuse('insufficient_collateral', `Only ${formatMinor(moved.availableMinor)} is available.`);
    case 'not_compared':
      throw refuse(
        'service_unavailable',
        'The books lost commits: no collateral leaves before the account at each venue was compared with them.',
      );
    case 'period_closed':
      throw refuse('period_closed');
    case 'reference_used':
      throw refuse('idempotency_conflict', 'This reference was used for another movement of collateral.');
    default:
      return moved;
  }
}

type CollateralItem = Extract<FeedItem, { type: 'collateral.moved' }>;

/**
 * Reads the balances and the last movements.
 * @param limit the number of movements, newest first
 */
export async function readCollateralStatement(sql: Sql, operatorId: string, limit: number): Promise<Collateral> {
  const moved = (await readLastItems(sql, operatorId, ['collateral.moved'], limit)).toReversed();
  const [{ available, committed }, references] = await Promise.all([
    readBalances(sql, operatorId),
    asOperator<{ sequence: bigint; reference: string }[]>(
      sql,
      operatorId,
      sql`
        select sequence, reference from collateral_references
        where operator_id = ${operatorId} and sequence = any (${moved.map(({ sequence }) => String(sequence))}::bigint[])`,
    ),
  ]);
  const referenceOf = new Map(references.map(({ sequence, reference }) => [sequence, reference]));
  return {
    currency: 'USD',
    available: formatMinor(available),
    committed: formatMinor(committed),
    total: formatMinor(available + committed),
    movements: moved.map((item) => renderMovement(item, referenceOf.get(item.sequence) ?? null)),
  };
}

async function readBalances(
  sql: Sql,
  operatorId: string,
): Promise<{ readonly available: bigint; readonly committed: bigint }> {
  const [balances] = await asOperator<{ available: bigint; committed: bigint }[]>(
    sql,
    operatorId,
    sql`
    select -collateral_available as available, -collateral_committed as committed
    from operator_ledgers where operator_id = ${operatorId}`,
  );
  return balances ?? { available: 0n, committed: 0n };
}

function renderMovement(item: PlacedItem, reference: string | null): Collateral['movements'][number] {
  const money = item.money as CollateralItem['money'];
  const detail = item.detail as CollateralItem['detail'];
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
