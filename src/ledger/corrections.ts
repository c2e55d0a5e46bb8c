/** Corrects a ledger entry by a new entry that names it and reverses its lines; recorded entries never change. */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';

export interface Correction {
  readonly entryId: string;
  /** The reason, for readers of the ledger. */
  readonly memo: string;
  /** Id of the new entry; a repetition with the same one is answered as the first time. */
  readonly correctionId?: string;
  /** The date that the correction belongs to; left out, the time of recording. */
  readonly effectiveAt?: Date;
}

type Outcome =
  | 'posted'
  | 'not_found'
  | 'corrected'
  | 'period_closed'
  | 'insufficient_funds'
  | 'insufficient_collateral';

/**
 * @returns the id of the new entry. An entry is corrected once; a wrong correction is corrected by correcting the correction.
 * @throws unknown_entry, entry_corrected; insufficient_funds or insufficient_collateral if the money of a wallet or of the collateral is spent; period_closed if `effectiveAt` is in a closed period or in the future.
 */
export async function correctEntry(sql: Sql, operatorId: string, correction: Correction): Promise<string> {
  const correctionId = correction.correctionId ?? newId('ent');
  const [row] = await sql<{ outcome: Outcome; entryId: string }[]>`
    select outcome, entry_id from correct_entry(${operatorId}, ${correction.entryId}, ${correctionId}, ${correction.memo}, ${correction.effectiveAt ?? null})`;
  switch (row?.outcome) {
    case 'posted':
      return row.entryId;
    case 'corrected':
      if (row.entryId === correction.correctionId) {
        return row.entryId;
      }
      throw refuse('entry_corrected', undefined, { entryId: row.entryId });
    case 'insufficient_funds':
    case 'insufficient_collateral':
      throw refuse(row.outcome, 'The money that this correction takes back is spent.');
    case 'period_closed':
      throw refuse('period_closed');
    default:
      throw refuse('unknown_entry');
  }
}
