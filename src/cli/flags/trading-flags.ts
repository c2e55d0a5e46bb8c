/** Flags that quote, order and buy share, and the request bodies made from them. The API validates the values. */

import { Flags } from '@oclif/core';
import type { paths } from '../../client/api-types.ts';
import type { Side } from '../../core/terms.ts';
import { usage } from '../failure.ts';
import { readNumber } from './numbers.ts';

type BodyOf<P extends '/api/v1/quotes' | '/api/v1/orders'> =
  paths[P]['post']['requestBody']['content']['application/json'];

export const userFlag = {
  user: Flags.string({ helpValue: 'USER', required: true, summary: 'Your own id of the customer.' }),
};

export const orderFlags = {
  'reserve-reference': Flags.string({ helpValue: 'REF', summary: 'Confirms your reserve in the same call.' }),
  intent: Flags.option({
    options: ['record_intent', 'simulate'] as const,
    summary: 'By default record_intent for live tenants and simulate for sandbox tenants.',
  })(),
  'max-slippage': Flags.string({
    helpValue: 'PRICE',
    summary: 'How much worse the price may get, in dollars per contract.',
  }),
};

export interface OrderFlags {
  readonly 'reserve-reference'?: string | undefined;
  readonly intent?: 'record_intent' | 'simulate' | undefined;
  readonly 'max-slippage'?: string | undefined;
}

export function orderBody(quoteId: string, clientOrderId: string, flags: OrderFlags): BodyOf<'/api/v1/orders'> {
  const slippage = flags['max-slippage'];
  return {
    quoteId,
    clientOrderId,
    ...(flags.intent === undefined ? {} : { executionIntent: flags.intent }),
    ...(flags['reserve-reference'] === undefined ? {} : { reserveReference: flags['reserve-reference'] }),
    ...(slippage === undefined ? {} : { maxSlippage: readNumber('max-slippage', slippage, { atLeast: 0, below: 1 }) }),
  };
}

/** A buy has a stake, a sell a number of contracts. @throws a usage failure if they are mixed. */
export function quoteBody(
  marketId: string,
  side: Side,
  flags: { readonly sell?: boolean; readonly stake?: string | undefined; readonly contracts?: string | undefined },
): BodyOf<'/api/v1/quotes'> {
  if (flags.sell === true) {
    if (flags.contracts === undefined || flags.stake !== undefined) {
      throw usage('A sell needs --contracts.');
    }
    return { marketId, side, action: 'sell', contracts: readNumber('contracts', flags.contracts, { above: 0 }) };
  }
  if (flags.stake === undefined || flags.contracts !== undefined) {
    throw usage('A buy needs --stake; --contracts is for --sell.');
  }
  return { marketId, side, action: 'buy', stake: readNumber('stake', flags.stake, { above: 0 }) };
}
