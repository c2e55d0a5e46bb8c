/** The chart of accounts (docs/ledger.md). Accounts that hold someone's money are liabilities and never overdrawn. */

/** Simulated money of a sandbox customer, free to stake. */
export const walletAccount = (externalUserId: string): string => `wallet:${externalUserId}`;
/** Simulated money of a sandbox customer, held for an open order. */
export const holdAccount = (externalUserId: string): string => `hold:${externalUserId}`;

export const ACCOUNTS = {
  /** Test money that was issued. */
  sandboxFloat: 'sandbox:float',
  /** What the operator deposited with the service, and its two uses. */
  collateralDeposits: 'deposits',
  collateralAvailable: 'collateral:available',
  collateralCommitted: 'collateral:committed',
  /** The operator's own cash, for simulated orders of a live tenant, which move neither wallet nor collateral. */
  operatorCash: 'operator:cash',
  /** What open positions cost, without fees. */
  stakes: 'stakes',
  platformFees: 'fees:platform',
  venueFees: 'fees:venue',
  /** Fees that an annulled market gave back. */
  feesReturned: 'fees:returned',
  /** What markets won or lost against the stakes placed in them. */
  result: 'result',
  /** What a venue took beyond the amount sent to it; ours to bear. */
  overrun: 'overrun',
} as const;

/** Where the money of an order comes from and returns to: free, and held while the order is open. */
export interface Funds {
  readonly available: string;
  readonly held: string;
}

export function walletFunds(externalUserId: string): Funds {
  return { available: walletAccount(externalUserId), held: holdAccount(externalUserId) };
}

export const collateralFunds: Funds = { available: ACCOUNTS.collateralAvailable, held: ACCOUNTS.collateralCommitted };
export const operatorCashFunds: Funds = { available: ACCOUNTS.operatorCash, held: ACCOUNTS.operatorCash };
