/**
 * Compares an export of records with their seals, and names the first record that differs. It trusts only the end of the chain of
 * seals, whose signature the caller has checked.
 */
import { markRecord, type RecordSealBody, type SealedRecords, sealOf, splitMarks } from './record-seals.ts';

/** A line of the export, parsed. */
export interface RecordLine {
  readonly text: string;
  readonly record: string;
  readonly position: number;
}

/** The lines of seals come first. */
export interface SealLine extends RecordSealBody {
  readonly text: string;
  readonly record: 'record_seals';
  readonly seal: string;
}

export interface RecordFault {
  /** Name of the table. */
  readonly record: string;
  /** Position in the feed; of a seal its number; null if the note over the seals is wrong. */
  readonly position: number | null;
  /** The row that differs; null if it is missing. */
  readonly row: string | null;
  readonly reason: string;
}

interface Place {
  readonly seal: number;
  /** From 1, in the order of the export: by name of the record, then by position. */
  readonly place: number;
}

/** @returns the first fault, or null if all records that were sealed are as they were, and how many those are */
export async function replayRecords(
  lines: AsyncIterable<RecordLine | SealLine>,
  signed: SealedRecords,
): Promise<{ readonly records: number; readonly fault: RecordFault | null }> {
  const unseen = new Map<string, Place>();
  let records = 0;
  let newest: Pick<SealLine, 'number' | 'seal' | 'through' | 'ledgerSeals'> = {
    number: 0,
    seal: '',
    through: 0,
    ledgerSeals: 0,
  };
  let notSealed: RecordFault | null = null;
  for await (const line of lines) {
    if (isSeal(line)) {
      if (line.number <= newest.number || line.number > signed.number) {
        continue;
      }
      const seal = sealOf(newest.seal, line);
      if (line.number !== newest.number + 1 || seal !== line.seal) {
        const reason = 'the seal differs from the one that was made';
        return { records, fault: { record: 'record_seals', position: newest.number + 1, row: line.text, reason } };
      }
      newest = line;
      splitMarks(line.marks).forEach((mark, n) => {
        unseen.set(mark, { seal: line.number, place: n + 1 });
      });
      continue;
    }
    if (unseen.delete(markRecord(line.text)) || unseen.delete(markRecord(withoutFee(line.text)))) {
      records += 1;
      continue;
    }
    const { record, position, text: row } = line;
    if (position <= (record === 'ledger_seals' ? newest.ledgerSeals : newest.through)) {
      return { records, fault: { record, position, row, reason: 'the record differs from the sealed one' } };
    }
    notSealed ??= { record, position, row, reason: 'the record is not sealed, and a sealed one is missing' };
  }
  if (newest.number !== signed.number || newest.seal !== signed.seal) {
    const reason = `the seals do not lead to seal ${signed.number}, which was signed`;
    return { records, fault: { record: 'record_seals', position: newest.number + 1, row: null, reason } };
  }
  const [missing] = unseen.values();
  if (missing !== undefined && notSealed === null) {
    const reason = `record ${missing.place} of the seal is missing`;
    return { records, fault: { record: 'record_seals', position: missing.seal, row: null, reason } };
  }
  return { records, fault: missing === undefined ? null : notSealed };
}

function isSeal(line: RecordLine | SealLine): line is SealLine {
  return line.record === 'record_seals';
}

/** A venue may report the fee of a fill after the fill was sealed. */
const withoutFee = (text: string): string => text.replace(/"fee_micros":-?\d+,/, '');
