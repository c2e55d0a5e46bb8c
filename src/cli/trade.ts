/**
 * Shared by `quote`, `order`, `buy` and `sell`: their flags, the requests made from them, and the purchase or sale that asks a
 * person before it orders. The API alone validates the values.
 */
import { randomUUID } from 'node:crypto';
import { Flags } from '@oclif/core';
import type { paths } from '../client/api-types.ts';
import { ApiError, type InlayClient } from '../client/create-client.ts';
import type { Order, Quote } from '../client/shapes.ts';
import type { Side } from '../core/terms.ts';
import { usage } from './failure.ts';
import { readNumber } from './flags.ts';

export const orderFlags = {
  'reserve-reference': Flags.string({
    helpValue: 'REF',
    summary: 'Your own reference of the reserve; it confirms the reserve in the same call.',
  }),
  intent: Flags.option({
    options: ['record_intent', 'simulate'] as const,
    summary:
      'What is done with the order; by default record_intent for live operators and simulate for sandbox operators.',
  })(),
  'max-slippage': Flags.string({
    helpValue: 'PRICE',
    summary: 'Largest change of the price to the worse that is accepted, in dollars per contract.',
  }),
};

interface OrderFlags {
  readonly 'reserve-reference'?: string | undefined;
  readonly intent?: 'record_intent' | 'simulate' | undefined;
  readonly 'max-slippage'?: string | undefined;
}

interface Consent {
  readonly client: InlayClient;
  readonly user: string;
  readonly sized: ReturnType<typeof quoteBody>;
  readonly flags: OrderFlags;
  /** The caller's own id. An order with such an id is sent only once, because a refusal uses up its key. */
  readonly clientOrderId: string | undefined;
  /** Whether a person can answer; a script with --yes accepts only one price. */
  readonly canAskAgain: boolean;
  /** Shows the quote and asks. @throws if the answer is no. */
  ask(quote: Quote): Promise<void>;
  note(text: string): void;
}

/** Refusals after which nothing was filled and a new price can be offered. */
const ASK_AGAIN: readonly string[] = ['price_moved', 'quote_expired'];
const MOST_QUOTES = 5;

/**
 * Quotes, asks and orders. If the price moves or expires between question and answer, a new price is quoted and needs a new
 * answer.
 * @returns the order and the quote that it accepted
 * @throws ApiError if the service refuses, and the errors of `ask`
 */
export async function tradeWithConsent(consent: Consent): Promise<Order & { quote: Quote }> {
  const { client, user, flags } = consent;
  for (let quotes = 1; ; quotes += 1) {
    const quote = await client.post('/api/v1/quotes', { user, body: consent.sized });
    await consent.ask(quote);
    const clientOrderId = consent.clientOrderId ?? randomUUID();
    if (consent.clientOrderId === undefined) {
      // needed to look up an order whose outcome is unknown
      consent.note(`clientOrderId ${clientOrderId}`);
    }
    try {
      const body = orderBody(quote.quoteId, clientOrderId, flags);
      return { ...(await client.post('/api/v1/orders', { user, body })), quote };
    } catch (error) {
      const mayAskAgain = consent.canAskAgain && consent.clientOrderId === undefined && quotes < MOST_QUOTES;
      if (!mayAskAgain || !(error instanceof ApiError) || !ASK_AGAIN.includes(error.code)) {
        throw error;
      }
      consent.note(`${error.message} Here is the new price.`);
    }
  }
}

type BodyOf<P extends '/api/v1/quotes' | '/api/v1/orders'> =
  paths[P]['post']['requestBody']['content']['application/json'];

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

/** @throws a usage failure if the slippage is not a price from 0 to below 1 dollar. */
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
