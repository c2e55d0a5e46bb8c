/** Bodies that work as they are, by operation: fields that exclude each other cannot be derived from a schema. */
const BUY = { marketId: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0', side: 'YES', action: 'buy', stake: 20 };

export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  createQuote: BUY,
  createFrameQuote: BUY,
  createOrder: { quoteId: 'qt_0192f1c4a7', clientOrderId: 'order-1001' },
  createFrameOrder: { quoteId: 'qt_0192f1c4a7', clientOrderId: 'order-1001' },
  confirmReserve: { reserveReference: 'hold-1001' },
  cancelOrder: {},
  mintEmbedSession: { externalUserId: 'player-1', locale: 'en', ttlSeconds: 900, theme: { mode: 'dark' } },
  putJurisdiction: { country: 'US', subdivision: 'NJ' },
  putCustomerLimits: { maxWagerMinor: 5000, periodStakeMinor: 20000, periodHours: 24 },
  createDepositAddress: { symbol: 'USDC', chainId: 1 },
  armScenario: { kind: 'partial_fill', fillFraction: 0.5 },
  resolvePosition: { positionId: 'pos_0192f1c4a7', resolution: 'WIN' },
};
