/**
 * Seals the records beside the feed up to the newest checkpoint: entries, lines, fills, settlements and ledger seals with all
 * columns. It runs behind the money statements. Workers may race; one of them adds a seal and the other drops its work.
 */
import { originOf } from '../../core/transparency-log/checkpoint.ts';
import { markRecord, sealOf, signSealedRecords } from '../../core/transparency-log/record-seals.ts';
import type { Sql } from '../../db/client.ts';
import { findSigner, type LogSigner } from './log-signer.ts';
import { addRecordSeal, listRecords, listUnsealedRecords, type SealedThrough } from './sealed-records.ts';

/** Feed positions and ledger seals of one seal. They bound the memory of a run. */
const POSITIONS = 5_000;
const LEDGER_SEALS = 50;

/**
 * @param keepGoing false once the worker closes.
 * @returns how many seals were added.
 * @throws the first error, after the records of all other operators were sealed.
 */
export async function sealRecords(sql: Sql, signer: LogSigner, keepGoing: () => boolean = () => true): Promise<number> {
  let added = 0;
  const failures: unknown[] = [];
  for (const debt of await listUnsealedRecords(sql)) {
    try {
      let next: SealedThrough | null = debt;
      while (next !== null && keepGoing() && (next.through < next.size || next.ledgerSeals < next.ledgerSeal)) {
        next = await sealRange(sql, signer, next);
        added += next === null ? 0 : 1;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return added;
}

/** @returns how far the records are sealed now, or null if another worker sealed first or no configured key signed the checkpoint. */
async function sealRange(sql: Sql, signer: LogSigner, sealed: SealedThrough): Promise<SealedThrough | null> {
  const { operatorId, size, checkpoint, through: after, ledgerSeals: sealsAfter } = sealed;
  const key = findSigner(operatorId, checkpoint, signer);
  if (key === undefined) {
    return null;
  }
  const through = Math.min(size, after + POSITIONS);
  const ledgerSeals = Math.min(sealed.ledgerSeal, sealsAfter + LEDGER_SEALS);
  const records = await listRecords(sql, operatorId, { after, through, sealsAfter, ledgerSeals });
  const number = sealed.number + 1;
  const marks = records.map(markRecord).join('');
  const sealedAt = new Date().toISOString().replace('Z', '000Z');
  const seal = sealOf(sealed.seal, { number, after, through, ledgerSeals, sealedAt, marks });
  const note = signSealedRecords({ origin: originOf(operatorId), size, number, seal }, key);
  const row = { operatorId, number, after, through, ledgerSeals, marks, seal, note, sealedAt };
  return (await addRecordSeal(sql, row)) ? { ...sealed, number, through, ledgerSeals, seal } : null;
}
