/**
 * Quote, ask, order: what `buy` and `sell` share. Where the price moved or its time ran out between question and answer, a new
 * price is quoted and asked about, since nobody agreed to it yet.
 */
import { randomUUID } from 'node:crypto';
import { ApiError } from '../client/api-error.ts';
import type { InlayClient } from '../client/create-client.ts';
import type { Order, Quote } from '../client/shapes.ts';
import { type OrderFlags, orderBody, type quoteBody } from './flags/trading-flags.ts';

/** The customer agreed to a price that no longer holds; nothing was filled and a new price can be offered. */
const ASK_AGAIN: readonly string[] = ['price_moved', 'quote_expired'];
const MOST_QUOTES = 5;

export interface Consent {
  readonly client: InlayClient;
  readonly user: string;
  readonly sized: ReturnType<typeof quoteBody>;
  readonly flags: OrderFlags;
  /** The caller's own id; such an order is sent once, since its key is used up by a refusal. */
  readonly clientOrderId: string | undefined;
  /** Whether a person answers; a script that said --yes agreed to one price alone. */
  readonly canAskAgain: boolean;
  /** Shows the quote and asks. @throws where the answer is no. */
  ask(quote: Quote): Promise<void>;
  note(text: string): void;
}

/** @throws ApiError where the service refuses, and whatever `ask` throws. */
export async function tradeWithConsent(consent: Consent): Promise<Order & { quote: Quote }> {
  const { client, user, flags } = consent;
  for (let quotes = 1; ; quotes += 1) {
    const quote = await client.post('/api/v1/quotes', { user, body: consent.sized });
    await consent.ask(quote);
    const clientOrderId = consent.clientOrderId ?? randomUUID();
    if (consent.clientOrderId === undefined) {
      // an order of unknown outcome is looked up by it
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
