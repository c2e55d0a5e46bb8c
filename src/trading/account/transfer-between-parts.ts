/** Moves cash of our account between two parts of a venue: recorded first, then sent, once and for all under its reference. */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import type { PartTransfer, PartTransfers } from '../../venues/account.ts';
import { VenueUnknown } from '../../venues/port.ts';
import { findTransfer, type RecordedTransfer, recordAsked, recordRefused, recordTaken } from './part-transfers.ts';

export interface NewTransfer extends PartTransfer {
  readonly venue: string;
  readonly reference: string;
  readonly requestedBy: string;
}

/**
 * The same reference again sends nothing and returns what is known of the first transfer.
 * @returns undefined if an equal transfer under another reference has no answer yet, so that nothing was sent
 * @throws idempotency_conflict if the reference was used for another transfer
 */
export async function transferBetweenParts(
  sql: Sql,
  transfers: PartTransfers,
  wanted: NewTransfer,
): Promise<RecordedTransfer | undefined> {
  const { venue, reference, from, to, amountMinor } = wanted;
  if (await recordAsked(sql, wanted)) {
    await send(sql, transfers, wanted);
  }
  const kept = await findTransfer(sql, venue, reference);
  if (kept !== undefined && (kept.from !== from || kept.to !== to || kept.amountMinor !== amountMinor)) {
    throw refuse('idempotency_conflict', 'This reference was used for another transfer.');
  }
  return kept;
}

/** A missing answer leaves the transfer as it was recorded: the list of the venue decides. */
async function send(sql: Sql, transfers: PartTransfers, { venue, reference, ...transfer }: NewTransfer): Promise<void> {
  try {
    const answer = await transfers.send(transfer);
    if ('refusal' in answer) {
      await recordRefused(sql, venue, reference, answer.refusal);
    } else {
      await recordTaken(sql, venue, reference, answer.transferId);
    }
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    if (error.notTaken) {
      await recordRefused(sql, venue, reference, error.message);
    }
  }
}
