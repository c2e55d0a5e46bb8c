/**
 * The auditor's own arithmetic, from the specification: what a quote authorizes, what fills cost and bring, what leaves a position
 * by an exit, and what a resolution pays. Amounts are cents, prices micro-dollars, quantities micro-contracts, weights the product of
 * price and quantity (1e-12 dollars). It shares no code with what charges and pays.
 */
import type { Sql } from '../db/client.ts';

/** 1e-12 dollars in a cent. */
const CENT = 10_000_000_000n;
const MICROS_PER_CENT = 10_000n;
const DOLLAR_MICROS = 1_000_000n;

export const up = (value: bigint, by: bigint): bigint => (value > 0n ? (value + by - 1n) / by : 0n);
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The fee at a rate of an amount, rounded up. */
export const feeAt = (amount: bigint, bps: number): bigint => up(amount * BigInt(bps), 10_000n);

/** What an amount buys at a price: contracts, rounded down. */
export const contractsFor = (tradeMinor: bigint, priceMicros: bigint): bigint =>
  priceMicros > 0n ? (tradeMinor * CENT) / priceMicros : 0n;

/** What contracts bring at a price, rounded down to the cent. */
export const notionalOf = (weight: bigint): bigint => weight / CENT;

/** The order's part of a charge. */
export interface Charge {
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

interface Filled {
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly feeMicros: bigint | null;
}

const weightOf = (fills: readonly Filled[]) => fills.reduce((sum, fill) => sum + fill.quantity * fill.priceMicros, 0n);
const feesOf = (fills: readonly Filled[]) => fills.reduce((sum, fill) => sum + (fill.feeMicros ?? 0n), 0n);

export const sumOf = (fills: readonly Filled[]) => ({
  quantity: fills.reduce((sum, fill) => sum + fill.quantity, 0n),
  weight: weightOf(fills),
});

interface BuyTerms {
  readonly quotedTradeMinor: bigint;
  readonly quotedFeeMinor: bigint;
}

/** A buy's charge: cost up to the cent and the venue's fee up to the cent, both within the trade amount, and their share of our fee. */
export function chargeOfBuy(terms: BuyTerms, fills: readonly Filled[]): Charge {
  const tradeMinor = smaller(terms.quotedTradeMinor, up(weightOf(fills), CENT));
  const venueFeeMinor = smaller(up(feesOf(fills), MICROS_PER_CENT), terms.quotedTradeMinor - tradeMinor);
  const share =
    terms.quotedTradeMinor === 0n
      ? 0n
      : up(terms.quotedFeeMinor * (tradeMinor + venueFeeMinor), terms.quotedTradeMinor);
  return { tradeMinor, venueFeeMinor, platformFeeMinor: smaller(terms.quotedFeeMinor, share) };
}

/**
 * A sell's charge, of the fills whose fee is known: the venue's fee out of what they brought, ours out of what is left. Proceeds that
 * were told do not fall: what would lower them is left out of our fee first, and then of the venue's.
 */
export function chargeOfSell(feeBps: number, fills: readonly Filled[], before: Charge): Charge {
  const known = fills.filter((fill) => fill.feeMicros !== null);
  const tradeMinor = notionalOf(weightOf(known));
  const venueFeeMinor = smaller(up(feesOf(known), MICROS_PER_CENT), tradeMinor);
  const platformFeeMinor = smaller(feeAt(tradeMinor, feeBps), tradeMinor - venueFeeMinor);
  const told = before.tradeMinor - before.platformFeeMinor - before.venueFeeMinor;
  if (tradeMinor - venueFeeMinor - platformFeeMinor >= told) {
    return { tradeMinor, venueFeeMinor, platformFeeMinor };
  }
  const venue = smaller(venueFeeMinor, tradeMinor - told - before.platformFeeMinor);
  return { tradeMinor, venueFeeMinor: venue, platformFeeMinor: tradeMinor - told - venue };
}

/** What a venue took beyond what the customer was charged (positive), or paid beyond what was sold (negative). */
export function overrunOf(action: string, fills: readonly Filled[], charge: Charge, gainedMinor: bigint): bigint {
  const weight = weightOf(fills);
  const fees = feesOf(fills) * DOLLAR_MICROS;
  if (action === 'buy') {
    return larger(0n, up(weight + fees, CENT) - charge.tradeMinor - charge.venueFeeMinor);
  }
  const due = smaller(up(fees, CENT), notionalOf(weight));
  return larger(0n, up(fees - weight, CENT)) + due - charge.venueFeeMinor - gainedMinor;
}

interface Held {
  readonly quantity: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: bigint;
}

/** What an exit takes out of a position: its share of cost and of entry fees, rounded down; what is left of the weight of prices. */
export function shareOf({ quantity, costBasisMinor, entryFeesMinor, priceWeight }: Held, exited: bigint) {
  const left = quantity - exited;
  return {
    costMinor: (costBasisMinor * exited) / quantity,
    feesMinor: (entryFeesMinor * exited) / quantity,
    weightLeft: (priceWeight * left) / quantity,
  };
}

/** The average price of contracts, rounded half up; fees are not in it. */
export const averageOf = (weight: bigint, quantity: bigint): bigint =>
  quantity === 0n ? 0n : (2n * weight + quantity) / (2n * quantity);

/** What a resolution pays for a position, and in which word. @param yesWorthMicros of a split */
export function payoutOf(
  {
    side,
    quantity,
    costBasisMinor,
  }: { readonly side: string; readonly quantity: bigint; readonly costBasisMinor: bigint },
  resolution: string,
  yesWorthMicros: bigint | null,
): { readonly creditMinor: bigint; readonly outcome: string } {
  if (resolution === 'VOID') {
    return { creditMinor: costBasisMinor, outcome: 'void' };
  }
  if (resolution === 'SPLIT') {
    const yes = yesWorthMicros ?? 0n;
    return { creditMinor: (quantity * (side === 'YES' ? yes : DOLLAR_MICROS - yes)) / CENT, outcome: 'void' };
  }
  return side === resolution
    ? { creditMinor: quantity / MICROS_PER_CENT, outcome: 'won' }
    : { creditMinor: 0n, outcome: 'lost' };
}

/** What an operator's statement says of one side: its own accounts, as they are kept and as the journal makes them. */
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
 * The figures of a report: what the auditor's books hold, and what the journal has moved since a moment. Signed cents.
 *
 * @param from the figures of entries, lines, debits and exits are of what was recorded from then on; null is everything. The ending of a
 * statement is what its accounts are kept as; expected is what the journal makes of them, corrections left out.
 */
export async function readFigures(sql: Sql, operatorId: string, from: Date | null): Promise<Figures> {
  const [row] = await sql<FiguresRow[]>`
    with progress as (select * from audit.progress where operator_id = ${operatorId}),
      book as (
        select sum(debits)::bigint as debits, sum(debits - balance)::bigint as credits, sum(lines)::bigint as lines, count(*) as accounts,
          count(*) filter (where account_id like 'wallet:%' or account_id like 'hold:%') as hosted_accounts,
          coalesce(-sum(balance - corrected) filter (where account_id like 'wallet:%' or account_id like 'hold:%'), 0)::bigint as hosted,
          count(*) filter (where account_id like 'collateral:%') as collateral_accounts,
          coalesce(-sum(balance - corrected) filter (where account_id like 'collateral:%'), 0)::bigint as collateral
        from audit.accounts where operator_id = ${operatorId}
      ), later as (
        select coalesce(-sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'wallet'), 0)::bigint as hosted,
          coalesce(-sum(coalesce(available, 0) + coalesce(held, 0)) filter (where funds = 'collateral'), 0)::bigint as collateral
        from journal where operator_id = ${operatorId} and kind <> 'entry_corrected'
          and sequence > coalesce((select sequence from progress), 0)
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
          count(*) filter (where (kind = 'contracts_sold' or kind = 'order_executed' and action = 'sell' and quantity > 0)) as exits,
          count(*) filter (where (kind = 'contracts_sold' or kind = 'order_executed' and action = 'sell' and quantity > 0) and venue_agrees) as agrees,
          count(*) filter (where (kind = 'contracts_sold' or kind = 'order_executed' and action = 'sell' and quantity > 0) and not venue_agrees) as disagrees
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
