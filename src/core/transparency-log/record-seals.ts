/**
 * Seals of the records beside the feed (entries, lines, fills, settlements, ledger seals): how a record is marked, how a seal leads
 * to the one before, and the signed note over the newest one. `tools/verify/verify.py` computes the same.
 */
import { createHash } from 'node:crypto';
import { NoteError, type NoteSigner, signNote, splitNote, verifyNote } from './signed-note.ts';

/** Bytes of a mark. */
const MARK_BYTES = 12;
const MARK_DIGITS = MARK_BYTES * 2;

/** What a seal says, apart from its own hash. */
export interface RecordSealBody {
  readonly number: number;
  /** It has the records of feed positions after this one, */
  readonly after: number;
  /** up to this one, */
  readonly through: number;
  /** and the ledger seals up to this number. */
  readonly ledgerSeals: number;
  /** ISO-8601 in UTC with microseconds, as the export shows it. */
  readonly sealedAt: string;
  /** Marks of its records in their order, hexadecimal. */
  readonly marks: string;
}

/** @param record its line in an export */
export function markRecord(record: string): string {
  return createHash('sha256').update(record).digest('hex').slice(0, MARK_DIGITS);
}

export function splitMarks(marks: string): string[] {
  return marks.match(new RegExp(`.{${MARK_DIGITS}}`, 'g')) ?? [];
}

/** @param previous seal of the seal before, hexadecimal; empty for the first @returns the seal, hexadecimal */
export function sealOf(previous: string, body: RecordSealBody): string {
  const { number, after, through, ledgerSeals, sealedAt, marks } = body;
  const text = [previous, number, after, through, ledgerSeals, sealedAt, marks].join('\n');
  return createHash('sha256').update(text).digest('hex');
}

/** The end of a chain of seals, as it is signed. */
export interface SealedRecords {
  readonly origin: string;
  /** Items of the checkpoint beside which it was signed; the key of that size signs. */
  readonly size: number;
  /** Number of the newest seal. */
  readonly number: number;
  /** Hexadecimal. */
  readonly seal: string;
}

const FIRST_LINE = 'inlay-records/v1';

export function signSealedRecords({ origin, size, number, seal }: SealedRecords, signer: NoteSigner): string {
  return signNote(`${FIRST_LINE}\n${origin}\n${size}\n${number}\n${seal}\n`, origin, signer);
}

/** @throws NoteError if the signature is not valid or the text is not that of sealed records */
export function verifySealedRecords(note: string, key: string): SealedRecords {
  return readText(verifyNote(note, key));
}

/** Reads a note without checking its signature. @throws NoteError */
export function readSealedRecords(note: string): SealedRecords {
  return readText(splitNote(note).text);
}

function readText(text: string): SealedRecords {
  const [first, origin = '', size = '', number = '', seal = ''] = text.split('\n');
  if (first !== FIRST_LINE || !/^\d{1,15}$/.test(size) || !/^\d{1,15}$/.test(number) || !/^[0-9a-f]{64}$/.test(seal)) {
    throw new NoteError('not a note of sealed records');
  }
  return { origin, size: Number(size), number: Number(number), seal };
}
