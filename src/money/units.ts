/** The units of money: cents, micro-dollars, micro-contracts, and their products. */

/** A dollar in micro-dollars; also a contract in micro-contracts. */
export const ONE_DOLLAR_MICROS = 1_000_000n;

/** Price times quantity counts in 1e-12 dollars; a cent is this many of those. */
export const CENT = 10_000_000_000n;

/** Micro-dollars in a cent. */
export const MICROS_PER_CENT = 10_000n;

/** Millionths in one, for numbers that are only shown. */
export const MICROS = 1_000_000;

/** The most contracts of one quote, in micro-contracts: nine million million, which a bigint still holds (contract 2.10). */
export const MOST_CONTRACTS_MICROS = 9_000_000_000_000_000_000n;
