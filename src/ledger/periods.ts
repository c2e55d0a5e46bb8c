/**
 * Accounting periods of an operator and their signed statements. Periods follow one another without a gap, and the database
 * refuses an entry dated in a closed one. Owns `accounting_periods` and `period_statements`.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { refuse } from '../core/errors.ts';
import { NoteError, originOf, readCheckpoint, signCheckpoint, signNote, verifyNote } from '../core/log-format/notes.ts';
import type { Sql } from '../db/client.ts';
import { formatMinor } from '../money/usd.ts';
import { countFeed } from './log/log-store.ts';
import { rootAt } from './log/prove-log.ts';
import { currentLogKey, getSigner, type LogSigner, logKeyAt, sealFeedThrough } from './log/sign-log.ts';

export interface AccountingPeriod {
  readonly operatorId: string;
  readonly slug: string;
  readonly number: number;
  /** Inclusive; the first period begins at 1970-01-01. */
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  /** The last item of the feed when the period was closed; no later entry is dated in it. */
  readonly throughSequence: number;
  readonly closedBy: string;
  readonly closedAt: Date;
}

interface CloseAnswer {
  readonly outcome: 'closed' | 'repeated' | 'clock_behind' | 'in_future' | 'not_after';
  readonly number: number | null;
}

/**
 * Closes the period from the end of the last one until `until`. The log of the feed is extended first: if an item cannot be rendered, no
 * statement could be made, and no period is closed.
 * @param signer signs the log
 * @returns the period. A repetition returns the period as it was closed the first time.
 * @throws invalid_request if `until` is in the future, or not later than the end of the last closed period; service_unavailable while
 * recorded times are far ahead of the database's clock
 */
export async function closePeriod(
  sql: Sql,
  signer: LogSigner,
  operatorId: string,
  until: Date,
): Promise<AccountingPeriod & { repeated: boolean }> {
  await sealFeedThrough(sql, signer, operatorId, await countFeed(sql, operatorId));
  const [answer] = await sql<CloseAnswer[]>`
    select outcome, number from close_period(${operatorId}, ${until})`;
  switch (answer?.outcome) {
    case 'closed':
    case 'repeated':
      return {
        ...(await getPeriod(sql, operatorId, answer.number ?? undefined)),
        repeated: answer.outcome === 'repeated',
      };
    case 'clock_behind':
      throw refuse(
        'service_unavailable',
        'The last entry was recorded ahead of the clock of the database; no period is closed until the clock has caught up.',
      );
    case 'in_future':
      throw refuse('invalid_request', `A period ends in the past; ${until.toISOString()} is in the future.`);
    default: {
      const last = answer?.number === null ? undefined : await findPeriod(sql, operatorId, answer?.number);
      const end = last === undefined ? '1970-01-01' : last.endsAt.toISOString();
      throw refuse('invalid_request', `A period ends later than the last closed one, which ended at ${end}.`);
    }
  }
}

/**
 * @param operatorId null lists the periods of all operators
 * @returns oldest first
 */
export async function listPeriods(sql: Sql, operatorId: string | null): Promise<AccountingPeriod[]> {
  return sql<AccountingPeriod[]>`
    select p.operator_id as "operatorId", o.slug, p.number, p.starts_at as "startsAt", p.ends_at as "endsAt",
      p.through_position::float8 as "throughSequence", p.closed_by as "closedBy", p.closed_at as "closedAt"
    from accounting_periods p join operators o on o.operator_id = p.operator_id
    where ${operatorId}::text is null or p.operator_id = ${operatorId}
    order by o.slug, p.number`;
}

/**
 * @param number by default that of the last closed period
 * @throws unknown_period
 */
export async function getPeriod(sql: Sql, operatorId: string, number?: number): Promise<AccountingPeriod> {
  const period = await findPeriod(sql, operatorId, number);
  if (period === undefined) {
    throw refuse('unknown_period');
  }
  return period;
}

async function findPeriod(sql: Sql, operatorId: string, number?: number): Promise<AccountingPeriod | undefined> {
  const periods = await listPeriods(sql, operatorId);
  return number === undefined ? periods.at(-1) : periods.find((period) => period.number === number);
}

export interface KeptStatement {
  /** The bytes: a signed note of C2SP signed-note. */
  readonly note: string;
  readonly statement: PeriodStatement;
}

/**
 * Returns the statement of a closed period. It is made if the process that closed the period died before. Once made, its
 * stored bytes are the statement, and the figures are computed again only to check it.
 * @param signer signs the statement, and the checkpoint over the feed of that time, with the key that the log had then
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

/** The figures that sql/functions/ledger/periods.sql returns: signed cents as text, debit positive. */
interface PeriodFigures {
  readonly entries: number;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly opening: string;
    readonly debits: string;
    readonly credits: string;
    readonly closing: string;
  }[];
  /** A credit to the customer or operator is positive. */
  readonly movements: readonly {
    readonly side: 'hosted' | 'operator_collateral';
    readonly movementType: string;
    readonly entries: number;
    readonly amount: string;
  }[];
}

/** The statement that its note signs. Amounts are decimal dollars; a debit is positive. */
export interface PeriodStatement {
  readonly kind: 'inlay/period-statement';
  readonly version: 1;
  readonly operatorId: string;
  readonly period: number;
  readonly from: string;
  readonly to: string;
  readonly currency: 'USD';
  /** Entries dated in the period. */
  readonly entries: number;
  readonly accounts: PeriodFigures['accounts'];
  readonly movements: PeriodFigures['movements'];
  /** Signed, over all items of the feed that were recorded when the period was closed. */
  readonly checkpoint: string;
  /** SHA-256 of the note of the statement before; null for the first period. */
  readonly previous: string | null;
}

/**
 * Pure.
 * @param previousNote the note of the period before
 * @throws Error if debits and credits do not explain an account's balances
 */
function composeStatement(
  { operatorId, number, startsAt, endsAt }: AccountingPeriod,
  { entries, accounts, movements }: PeriodFigures,
  checkpoint: string,
  previousNote: string | null,
): PeriodStatement {
  const wrong = accounts.find(
    ({ opening, debits, credits, closing }) => BigInt(opening) + BigInt(debits) - BigInt(credits) !== BigInt(closing),
  );
  if (wrong !== undefined) {
    throw new Error(`the balances of ${wrong.accountId} of ${operatorId} do not follow from its entries`);
  }
  const dollars = (minor: string) => formatMinor(BigInt(minor));
  return {
    kind: 'inlay/period-statement',
    version: 1,
    operatorId,
    period: number,
    from: startsAt.toISOString(),
    to: endsAt.toISOString(),
    currency: 'USD',
    entries,
    accounts: accounts.map(({ accountId, opening, debits, credits, closing }) => ({
      accountId,
      opening: dollars(opening),
      debits: dollars(debits),
      credits: dollars(credits),
      closing: dollars(closing),
    })),
    movements: movements.map((movement) => ({ ...movement, amount: dollars(movement.amount) })),
    checkpoint,
    previous: previousNote === null ? null : noteHash(previousNote),
  };
}

/** The text that is signed: RFC 8785 JSON, so the same figures give the same bytes, and a newline, as notes require. */
function statementText(statement: PeriodStatement): string {
  return `${canonicalize(statement)}\n`;
}

/** SHA-256, hexadecimal. */
export function noteHash(note: string): string {
  return createHash('sha256').update(note).digest('hex');
}
