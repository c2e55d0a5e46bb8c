/** Ledger entries of an order: hold, release, fill and exit (docs/ledger.md). */
import type { Fact } from '../../core/fact.ts';
import { ACCOUNTS, collateralFunds, type Funds, operatorCashFunds, walletFunds } from '../../ledger/accounts.ts';
import { postEntry } from '../../ledger/entry.ts';

/** Where an order's money comes from: the simulated wallet, the operator's collateral, or the operator's own cash. */
export function fundsOf(mode: 'sandbox' | 'live', simulated: boolean, externalUserId: string): Funds {
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

/** A buy's fill: the debit leaves `source`, the trade amount becomes stakes, fees are earned. Cents. */
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

/** An exit: what the contracts cost leaves stakes, the proceeds are credited, the market's result is the difference. */
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
