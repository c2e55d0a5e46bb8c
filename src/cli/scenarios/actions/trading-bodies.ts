/** Fields of the trading actions as the bodies of their requests. */
import { randomUUID } from 'node:crypto';
import type { Fields } from './action-ports.ts';

export function quoteBody(fields: Fields): Fields {
  const { contract, side, stake, contracts } = fields;
  const sized = contracts === undefined ? { action: 'buy', stake } : { action: 'sell', contracts };
  return { marketId: contract, side: typeof side === 'string' ? side.toUpperCase() : side, ...sized };
}

export function orderBody(quoteId: unknown, fields: Fields): Fields {
  const { clientOrderId, intent, reserveReference, maxSlippage } = fields;
  return {
    quoteId,
    clientOrderId: clientOrderId === undefined ? randomUUID() : String(clientOrderId),
    ...(intent === undefined ? {} : { executionIntent: intent }),
    ...(reserveReference === undefined ? {} : { reserveReference: String(reserveReference) }),
    ...(maxSlippage === undefined ? {} : { maxSlippage }),
  };
}
