/**
 * The statement of a closed period as text: RFC 8785 JSON with every account's opening and closing balance, the movements of
 * customers' and operators' money, the checkpoint of the log that holds every entry, and the hash of the statement before.
 * The same figures give the same bytes. Pure.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { formatMinor } from '../../money/usd.ts';
import type { AccountingPeriod } from './periods.ts';

/** What sql/functions/ledger/period_statement.sql answers: signed cents as text, debit positive. */
export interface PeriodFigures {
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

/** The statement that its note signs. Amounts are decimal dollars, a debit is positive. */
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
  /** Signed, over all items of the feed up to the last that was recorded when the period was closed. */
  readonly checkpoint: string;
  /** SHA-256 of the note of the statement before; null for the first period. */
  readonly previous: string | null;
}

/** @param previousNote of the period before. @throws Error if debits and credits do not explain an account's balances. */
export function composeStatement(
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

/** The text that is signed; it ends with a newline, as the format of signed notes wants. */
export function statementText(statement: PeriodStatement): string {
  return `${canonicalize(statement)}\n`;
}

/** SHA-256, hexadecimal. */
export function noteHash(note: string): string {
  return createHash('sha256').update(note).digest('hex');
}
