/**
 * The recent trades of a contract, kept in memory since the process started. Venues report the volume of a contract
 * with its last price, or each trade, which a worker adds up for its listing. Each rise of such a sum is one entry.
 */
import { MICROS } from '../../money/decimal.ts';
import type { ContractTrades } from '../../wire/catalogue.ts';
import type { Board } from '../board/board.ts';
import type { BoardContract } from '../event.ts';

const MOST_TRADES = 20;

interface ReportedTrade {
  readonly at: Date;
  /** Price of YES. */
  readonly priceMicros: bigint;
  readonly quantityMicros: bigint;
}

export interface RecentTrades {
  /** Newest first, at most 20. */
  of(contractId: string): ContractTrades;
}

/** A sum that rises with each trade. */
interface Traded {
  readonly source: string;
  readonly quantityMicros: bigint;
  /** The price of YES in the last trade. */
  readonly priceMicros: bigint | null;
  readonly at: Date;
  /** Whether the sum begins at 0 again when a worker starts. Otherwise, a sum that falls was corrected. */
  readonly restarts: boolean;
}

/** Follows the board from now on. Earlier trades are not known. */
export function createRecentTrades(board: Pick<Board, 'contracts' | 'onChange'>): RecentTrades {
  /** The last sums, by contract and source. */
  const sums = new Map<string, ReadonlyMap<string, bigint>>();
  const trades = new Map<string, readonly ReportedTrade[]>();
  for (const contract of board.contracts.values()) {
    remember(contract.contractId, tradedOf(contract));
  }

  function remember(contractId: string, traded: readonly Traded[]): void {
    sums.set(contractId, new Map(traded.map(({ source, quantityMicros }) => [source, quantityMicros])));
  }

  function follow(contractId: string): void {
    const contract = board.contracts.get(contractId);
    if (contract === undefined) {
      sums.delete(contractId);
      trades.delete(contractId);
      return;
    }
    const before = sums.get(contractId);
    const traded = tradedOf(contract);
    remember(contractId, traded);
    const found = before === undefined ? [] : traded.flatMap((sum) => tradeSince(before.get(sum.source) ?? 0n, sum));
    if (found.length > 0) {
      trades.set(contractId, [...found, ...(trades.get(contractId) ?? [])].slice(0, MOST_TRADES));
    }
  }

  board.onChange(({ contracts }) => {
    for (const contractId of contracts) {
      follow(contractId);
    }
  });

  return {
    of: (contractId) => ({
      contractId,
      trades: (trades.get(contractId) ?? []).map(({ at, priceMicros, quantityMicros }) => ({
        at: at.toISOString(),
        price: Number(priceMicros) / MICROS,
        contracts: Number(quantityMicros) / MICROS,
      })),
    }),
  };
}

/**
 * The sums of a contract, which may trade at several venues. Books of contracts that were matched with it do not count.
 */
function tradedOf({ volumeMicros, lastPriceMicros, updatedAt, books }: BoardContract): Traded[] {
  const volume = {
    source: '',
    quantityMicros: volumeMicros,
    priceMicros: lastPriceMicros,
    at: updatedAt,
    restarts: false,
  };
  return [
    volume,
    ...books.flatMap(({ venue, listingId, matched, traded, updatedAt: at }) =>
      traded === null || matched ? [] : [{ ...traded, source: `${venue} ${listingId}`, at, restarts: true }],
    ),
  ];
}

function tradeSince(before: bigint, { quantityMicros, priceMicros, at, restarts }: Traded): ReportedTrade[] {
  const rise = restarts && quantityMicros < before ? quantityMicros : quantityMicros - before;
  return rise > 0n && priceMicros !== null ? [{ at, priceMicros, quantityMicros: rise }] : [];
}
