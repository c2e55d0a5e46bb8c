/** Where quotes are kept. Quotes that wait while a statement is in flight are written by the next one together. */
import { createBatcher } from '../../core/batcher.ts';
import type { Sql } from '../../db/client.ts';
import type { BrokenLimits } from '../limit-refusal.ts';

/** Named as the SQL type `quote_command`. Integers travel as text, so that none passes through a float. */
export interface QuoteCommand {
  readonly operator_id: string;
  readonly external_user_id: string;
  readonly quote_id: string;
  readonly contract_id: string;
  readonly side: string;
  readonly action: string;
  readonly price_micros?: string;
  readonly fee_bps?: number;
  readonly authorization_minor?: string;
  readonly fee_minor?: string;
  readonly trade_minor?: string;
  readonly quantity?: string;
  readonly payout_minor?: string;
  readonly hold_seconds?: number;
  readonly simulated?: boolean;
  readonly venue?: string;
  readonly routing_reason?: string;
  readonly considered_venues?: number;
  readonly routable?: boolean;
  readonly book?: object;
  readonly book_revision?: string;
  readonly refusal?: string;
}

export interface QuoteVerdict {
  /** Null where the quote was written. */
  readonly code: string | null;
  readonly limits: BrokenLimits | null;
  readonly expires_at: Date;
}

export type IssueQuotes = (command: QuoteCommand) => Promise<QuoteVerdict>;

const MAX_BATCH = 128;
const CONCURRENCY = 2;

export function openQuotes(sql: Sql): IssueQuotes {
  return createBatcher<QuoteCommand, QuoteVerdict>(
    async (commands) => {
      const batch = JSON.stringify(commands.map((command, index) => ({ number: index + 1, ...command })));
      return sql<
        QuoteVerdict[]
      >`select code, limits, expires_at from issue_quotes(${batch}::text::json) order by number`;
    },
    { maxBatch: MAX_BATCH, concurrency: CONCURRENCY, retryAlone: true },
  );
}
