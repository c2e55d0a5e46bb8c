/**
 * Makes and keeps the signed statements of closed periods. A statement is made once; from then on its stored bytes are the
 * statement, and the figures are only computed again to check it. Owns `period_statements`.
 */
import {
  NoteError,
  originOf,
  readCheckpoint,
  signCheckpoint,
  signNote,
  verifyNote,
} from '../../core/log-format/notes.ts';
import type { Sql } from '../../db/client.ts';
import { currentLogKey, getSigner, type LogSigner, logKeyAt } from '../transparency-log/log-signer.ts';
import { rootAt } from '../transparency-log/prove-feed.ts';
import { sealFeedThrough } from '../transparency-log/seal-feed.ts';
import { composeStatement, type PeriodFigures, type PeriodStatement, statementText } from './compose-statement.ts';
import { type AccountingPeriod, getPeriod } from './periods.ts';

export interface KeptStatement {
  /** The bytes: a signed note of C2SP signed-note. */
  readonly note: string;
  readonly statement: PeriodStatement;
}

/**
 * The statement of a closed period, which is made if the process that closed the period died before it was.
 * @param signer signs the statement, and the checkpoint over the feed of that time, with the key that the log had then.
 */
export async function keepStatement(sql: Sql, signer: LogSigner, period: AccountingPeriod): Promise<KeptStatement> {
  const { operatorId, number } = period;
  const kept = await findNote(sql, operatorId, number);
  if (kept !== undefined) {
    return { note: kept, statement: readStatement(kept) };
  }
  const { throughSequence } = period;
  await sealFeedThrough(sql, signer, operatorId, throughSequence);
  const key = await logKeyAt(sql, operatorId, await currentLogKey(sql, operatorId, signer), throughSequence);
  const signing = getSigner(operatorId, key, signer);
  const root = Buffer.from(await rootAt(sql, operatorId, throughSequence));
  const checkpoint = signCheckpoint({ origin: originOf(operatorId), size: throughSequence, root }, signing);
  const statement = composeStatement(
    period,
    await readFigures(sql, period),
    checkpoint,
    await previousNote(sql, signer, period),
  );
  const made = signNote(statementText(statement), originOf(operatorId), signing);
  // of two processes that made it, the first one's is the statement
  await sql`
    insert into period_statements (operator_id, number, note) values (${operatorId}, ${number}, ${made})
    on conflict (operator_id, number) do nothing`;
  const note = (await findNote(sql, operatorId, number)) ?? made;
  return { note, statement: readStatement(note) };
}

export interface StatementVerdict {
  /** Null if signature, figures, checkpoint and the statement before agree. */
  readonly fault: string | null;
}

/**
 * Checks a kept statement against its signature, the entries of today, the log, and the statement before it.
 * @param key any verifier key of the log
 */
export async function verifyStatement(
  sql: Sql,
  signer: LogSigner,
  key: string,
  period: AccountingPeriod,
  { note, statement }: KeptStatement,
): Promise<StatementVerdict> {
  try {
    verifyNote(note, await logKeyAt(sql, period.operatorId, key, period.throughSequence));
  } catch (error) {
    if (error instanceof NoteError) {
      return { fault: `the signature: ${error.message}` };
    }
    throw error;
  }
  const { size, root } = readCheckpoint(statement.checkpoint);
  if (size !== period.throughSequence || !root.equals(await rootAt(sql, period.operatorId, size))) {
    return { fault: `the log of today does not begin with the ${size} items of the checkpoint` };
  }
  const today = composeStatement(
    period,
    await readFigures(sql, period),
    statement.checkpoint,
    await previousNote(sql, signer, period),
  );
  return statementText(today) === statementText(statement)
    ? { fault: null }
    : { fault: 'the entries of today give other figures' };
}

async function findNote(sql: Sql, operatorId: string, number: number): Promise<string | undefined> {
  const [row] = await sql<{ note: string }[]>`
    select note from period_statements where operator_id = ${operatorId} and number = ${number}`;
  return row?.note;
}

async function readFigures(sql: Sql, { operatorId, number }: AccountingPeriod): Promise<PeriodFigures> {
  const [row] = await sql<{ figures: string }[]>`
    select period_statement(${operatorId}, ${number})::text as figures`;
  return JSON.parse(row?.figures ?? '{}') as PeriodFigures;
}

async function previousNote(sql: Sql, signer: LogSigner, { operatorId, number }: AccountingPeriod) {
  if (number === 1) {
    return null;
  }
  return (await keepStatement(sql, signer, await getPeriod(sql, operatorId, number - 1))).note;
}

/** The JSON of the note; its signature is checked by `verifyStatement`. */
function readStatement(note: string): PeriodStatement {
  return JSON.parse(note.slice(0, note.indexOf('\n'))) as PeriodStatement;
}
