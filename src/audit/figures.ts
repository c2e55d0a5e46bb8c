/** The figures of a report, in signed cents: the balances of the auditor's books, and the movements of the journal since a moment. */
import type { Sql } from '../db/client.ts';

/** One side of an operator's statement: its accounts as they are kept, and as they follow from the journal. */
export interface StatementFigures {
  readonly accounts: bigint;
  readonly opening: bigint;
  readonly ending: bigint;
  readonly expected: bigint;
}

export interface Figures {
  readonly sequence: bigint;
  readonly auditedAt: Date;
  readonly debits: bigint;
  readonly credits: bigint;
  readonly entries: bigint;
  readonly lines: bigint;
  readonly accounts: bigint;
  readonly exits: bigint;
  readonly agrees: bigint;
  readonly disagrees: bigint;
  readonly hosted: StatementFigures;
  readonly collateral: StatementFigures;
}

interface FiguresRow extends Omit<Figures, 'hosted' | 'collateral'> {
  readonly hostedAccounts: bigint;
  readonly hostedOpening: bigint;
  readonly hostedEnding: bigint;
  readonly hostedExpected: bigint;
  readonly collateralAccounts: bigint;
  readonly collateralOpening: bigint;
  readonly collateralEnding: bigint;
  readonly collateralExpected: bigint;
}

/**
 * The ending of a statement is the balance of its accounts as they are kept; the expected ending follows from the journal.
 * @param from the figures of entries, lines, debits and exits count rows recorded from then on; null counts all rows
 */
export async function readFigures(sql: Sql, operatorId: string, from: Date | null): Promise<Figures> {
  const [row] = await sql<FiguresRow[]>`
    with progress as (select * from audit.progress where operator_id = ${operatorId}),
      book as (
        select sum(debits)::bigint as debits, sum(debits - balance)::bigint as credits, sum(lines)::bigint as lines, count(*) as accounts,
          count(*) filter (where account_id like 'wallet:%' or account_id like 'hold:%') as hosted_accounts,
          coalesce(-sum(balance) filter (where account_id like 'wallet:%' or account_id like 'hold:%'), 0)::bigint as hosted,
          count(*) filter (where account_id like 'collateral:%') as collateral_accounts,
          coalesce(-sum(balance) filter (where account_id like 'collateral:%'), 0)::bigint as collateral
        from audit.accounts where operator_id = ${operatorId}
      ), later as (
        select coalesce(-sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'wallet'), 0)::bigint as hosted,
          coalesce(-sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'collateral'), 0)::bigint as collateral
        from journal where operator_id = ${operatorId} and sequence > coalesce((select sequence from progress), 0)
      ), kept as (
        select coalesce((select -sum(available + held) from wallets where operator_id = ${operatorId}), 0)::bigint as hosted,
          coalesce((select -(collateral_available + collateral_committed) from operator_ledgers where operator_id = ${operatorId}), 0)::bigint as collateral
      ), since as (
        select count(*) filter (where num_nonnulls(available, held, stakes, result, platform_fees, venue_fees, other) > 0) as entries,
          coalesce(sum(num_nonnulls(available, held, stakes, result, platform_fees, venue_fees, other)), 0)::bigint as lines,
          coalesce(sum(greatest(available, 0) + greatest(held, 0) + greatest(stakes, 0) + greatest(result, 0) + greatest(platform_fees, 0)
            + greatest(venue_fees, 0) + greatest(other, 0)), 0)::bigint as debits,
          coalesce(-sum(least(available, 0) + least(held, 0) + least(stakes, 0) + least(result, 0) + least(platform_fees, 0)
            + least(venue_fees, 0) + least(other, 0)), 0)::bigint as credits,
          coalesce(-sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'wallet'), 0)::bigint as hosted,
          coalesce(-sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'collateral'), 0)::bigint as collateral,
          count(*) filter (where (kind = 'contracts_sold' or kind = 'order_executed' and action = 'sell' and quantity_micros > 0)) as exits,
          count(*) filter (where (kind = 'contracts_sold' or kind = 'order_executed' and action = 'sell' and quantity_micros > 0) and venue_agrees) as agrees,
          count(*) filter (where (kind = 'contracts_sold' or kind = 'order_executed' and action = 'sell' and quantity_micros > 0) and not venue_agrees) as disagrees
        from journal where ${from}::timestamptz is not null and operator_id = ${operatorId} and recorded_at >= ${from}
      )
    select coalesce(progress.sequence, 0) as sequence, coalesce(progress.audited_at, now()) as audited_at,
      case when ${from}::timestamptz is null then coalesce(book.debits, 0) else since.debits end as debits,
      case when ${from}::timestamptz is null then coalesce(book.credits, 0) else since.credits end as credits,
      case when ${from}::timestamptz is null then coalesce(progress.entries, 0) else since.entries end as entries,
      case when ${from}::timestamptz is null then coalesce(book.lines, 0) else since.lines end as lines,
      book.accounts,
      case when ${from}::timestamptz is null then coalesce(progress.exits, 0) else since.exits end as exits,
      case when ${from}::timestamptz is null then coalesce(progress.agrees, 0) else since.agrees end as agrees,
      case when ${from}::timestamptz is null then coalesce(progress.disagrees, 0) else since.disagrees end as disagrees,
      book.hosted_accounts, kept.hosted as hosted_ending, book.hosted + later.hosted as hosted_expected,
      case when ${from}::timestamptz is null then 0::bigint else kept.hosted - since.hosted end as hosted_opening,
      book.collateral_accounts, kept.collateral as collateral_ending, book.collateral + later.collateral as collateral_expected,
      case when ${from}::timestamptz is null then 0::bigint else kept.collateral - since.collateral end as collateral_opening
    from book cross join later cross join kept cross join since left join progress on true`;
  if (row === undefined) {
    throw new Error('an aggregate query returned no row');
  }
  return {
    ...row,
    hosted: {
      accounts: row.hostedAccounts,
      opening: row.hostedOpening,
      ending: row.hostedEnding,
      expected: row.hostedExpected,
    },
    collateral: {
      accounts: row.collateralAccounts,
      opening: row.collateralOpening,
      ending: row.collateralEnding,
      expected: row.collateralExpected,
    },
  };
}
