/** Ledger entries of an order: hold, release, fill, exit and overrun (docs/ledger.md). Amounts are cents. */
import type { Fact } from '../core/fact.ts';
import type { Mode } from '../core/terms.ts';
import { ACCOUNTS, collateralFunds, type Funds, operatorCashFunds, walletFunds } from './accounts.ts';
import { postEntry } from './entry.ts';

/** Where an order's money comes from: the simulated wallet, the operator's collateral, or the operator's own cash. */
export function fundsOf(mode: Mode, simulated: boolean, externalUserId: string): Funds {
  if (mode === 'sandbox') {
    return walletFunds(externalUserId);
  }
  return simulated ? operatorCashFunds : collateralFunds;
}

export function holdEntry(orderId: string, funds: Funds, amountMinor: bigint): Fact | null {
  return postEntry({
    movementType: 'ORDER_HOLD',
    memo: 'Authorization held',
    referenceType: 'order',
    referenceId: orderId,
    lines: [
      [funds.available, amountMinor],
      [funds.held, -amountMinor],
    ],
  });
}

export function releaseEntry(orderId: string, funds: Funds, amountMinor: bigint): Fact | null {
  return postEntry({
    movementType: 'ORDER_RELEASE',
    memo: 'Authorization released',
    referenceType: 'order',
    referenceId: orderId,
    lines: [
      [funds.held, amountMinor],
      [funds.available, -amountMinor],
    ],
  });
}

/** The fill of a buy: the debit leaves `source`, the trade amount becomes stakes, and the fees are earned. */
export function fillEntry(
  orderId: string,
  source: string,
  money: { readonly tradeMinor: bigint; readonly platformFeeMinor: bigint; readonly venueFeeMinor: bigint },
): Fact | null {
  const { tradeMinor, platformFeeMinor, venueFeeMinor } = money;
  return postEntry({
    movementType: 'ORDER_FILL',
    memo: 'Contracts bought',
    referenceType: 'order',
    referenceId: orderId,
    lines: [
      [source, tradeMinor + platformFeeMinor + venueFeeMinor],
      [ACCOUNTS.stakes, -tradeMinor],
      [ACCOUNTS.platformFees, -platformFeeMinor],
      [ACCOUNTS.venueFees, -venueFeeMinor],
    ],
  });
}

/** An exit: the cost of the contracts leaves stakes, the proceeds are credited, and the difference is the market's result. */
export function exitEntry(
  orderId: string,
  target: string,
  exit: {
    readonly stakeShareMinor: bigint;
    readonly proceedsMinor: bigint;
    readonly platformFeeMinor: bigint;
    readonly venueFeeMinor: bigint;
  },
): Fact | null {
  const { stakeShareMinor, proceedsMinor, platformFeeMinor, venueFeeMinor } = exit;
  const paid = proceedsMinor + platformFeeMinor + venueFeeMinor;
  return postEntry({
    movementType: 'POSITION_EXIT',
    memo: 'Contracts sold',
    referenceType: 'order',
    referenceId: orderId,
    lines: [
      [ACCOUNTS.stakes, stakeShareMinor],
      [ACCOUNTS.result, paid - stakeShareMinor],
      [target, -proceedsMinor],
      [ACCOUNTS.platformFees, -platformFeeMinor],
      [ACCOUNTS.venueFees, -venueFeeMinor],
    ],
  });
}

/** @param overrunMinor what the venue took beyond the amount sent; below zero what it paid beyond the quantity sent. */
export function overrunEntry(orderId: string, overrunMinor: bigint): Fact | null {
  return postEntry({
    movementType: 'VENUE_OVERRUN',
    memo:
      overrunMinor > 0n ? 'Taken by the venue beyond the amount sent' : 'Paid by the venue beyond the quantity sent',
    referenceType: 'order',
    referenceId: orderId,
    lines: [
      [ACCOUNTS.overrun, overrunMinor],
      [ACCOUNTS.venueFees, -overrunMinor],
    ],
  });
}
