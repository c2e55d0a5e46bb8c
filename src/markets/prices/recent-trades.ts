/**
 * What was traded lately, as the venues report it: a venue publishes the volume of a contract and the price of its last trade, so
 * each rise of the volume is one entry. Kept in memory since the process started; it reads no table and invents nothing.
 */
import { MICROS } from '../../money/units.ts';
import type { ContractTrades } from '../../wire/contracts.ts';
import type { Board } from '../board/board.ts';

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

/** Follows the board from now on; what was traded before is not known. */
export function createRecentTrades(board: Pick<Board, 'contracts' | 'onChange'>): RecentTrades {
  const volumes = new Map<string, bigint>();
  const trades = new Map<string, readonly ReportedTrade[]>();
  for (const { contractId, volumeMicros } of board.contracts.values()) {
    volumes.set(contractId, volumeMicros);
  }

  function follow(contractId: string): void {
    const contract = board.contracts.get(contractId);
    if (contract === undefined) {
      volumes.delete(contractId);
      trades.delete(contractId);
      return;
    }
    const { volumeMicros, lastPriceMicros, updatedAt } = contract;
    const before = volumes.get(contractId);
    volumes.set(contractId, volumeMicros);
    if (before === undefined || volumeMicros <= before || lastPriceMicros === null) {
      return;
    }
    const trade = { at: updatedAt, priceMicros: lastPriceMicros, quantityMicros: volumeMicros - before };
    trades.set(contractId, [trade, ...(trades.get(contractId) ?? [])].slice(0, MOST_TRADES));
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
