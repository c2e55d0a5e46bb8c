/** Where quotes are kept. Quotes that arrive while a statement is running are written together by the next one. */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Action, Side } from '../../core/terms.ts';
import { callByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { rowType } from '../../db/row-type.ts';
import type { BrokenLimits } from '../refusals.ts';
import type { RoutingReason } from './routing.ts';

/** What every quote has, priced or refused. */
interface QuoteHead {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quoteId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly action: Action;
  /** The revision of the book that was read; missing if the contract is not on the board. */
  readonly bookRevision?: bigint;
}

/** What a priced quote adds. Amounts are cents, the price micro-dollars, the quantity micro-contracts. */
interface QuotePrice {
  readonly priceMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly feeMinor: bigint;
  readonly tradeMinor: bigint;
  readonly quantity: bigint;
  readonly payoutMinor: bigint;
  readonly holdSeconds: number;
  readonly simulated: boolean;
  readonly venue: string;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly routable: boolean;
  /** The best levels of each side, price and quantity in millionths as text. */
  readonly book: { readonly bids: readonly string[][]; readonly asks: readonly string[][] };
}

/** A quote as it was decided: priced, or refused by the market. The statement checks operator and customer before that refusal. */
export type QuoteCommand =
  | (QuoteHead & QuotePrice & { readonly refusal?: undefined })
  | (QuoteHead & Partial<Record<keyof QuotePrice, undefined>> & { readonly refusal: ErrorCode });

export const QUOTE_COMMAND = rowType<QuoteHead & Partial<QuotePrice> & { readonly refusal?: ErrorCode | undefined }>({
  operatorId: 'text',
  externalUserId: 'text',
  quoteId: 'text',
  contractId: 'text',
  side: 'text',
  action: 'text',
  priceMicros: 'bigint',
  feeBps: 'integer',
  authorizationMinor: 'bigint',
  feeMinor: 'bigint',
  tradeMinor: 'bigint',
  quantity: 'bigint',
  payoutMinor: 'bigint',
  holdSeconds: 'integer',
  simulated: 'boolean',
  venue: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  routable: 'boolean',
  book: 'jsonb',
  bookRevision: 'bigint',
  refusal: 'text',
});

/** A refusal; `book_changed` asks to price the quote again. */
export type QuoteCode = ErrorCode | 'limits' | 'jurisdiction' | 'book_changed';

export interface QuoteVerdict {
  /** Null if the quote was written. */
  readonly code: QuoteCode | null;
  readonly limits: BrokenLimits | null;
  readonly expiresAt: Date;
}

export type IssueQuotes = (command: QuoteCommand) => Promise<QuoteVerdict>;

const MAX_BATCH = 128;
const CONCURRENCY = 2;

export function createIssueQuotes(sql: Sql): Batcher<QuoteCommand, QuoteVerdict> {
  return createBatcher<QuoteCommand, QuoteVerdict>(
    (commands) =>
      callByOperator(
        sql,
        commands,
        (operatorId, own) => sql<QuoteVerdict[]>`
          select code, limits, expires_at
          from issue_quotes(${operatorId}, ${QUOTE_COMMAND.toArray(own)}::text::quote_command[]) order by number`,
      ),
    {
      name: 'record quotes',
      maxBatch: MAX_BATCH,
      concurrency: CONCURRENCY,
      retryAlone: true,
    },
  );
}
