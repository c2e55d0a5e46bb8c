/**
 * Quote, ask, order: what `buy` and `sell` share. If the price moves or expires between question and answer, a new
 * price is quoted and needs a new answer.
 */
import { randomUUID } from 'node:crypto';
import { ApiError, type InlayClient } from '../client/create-client.ts';
import type { Order, Quote } from '../client/shapes.ts';
import { type OrderFlags, orderBody, type quoteBody } from './flags.ts';

/** The accepted price is no longer valid; nothing was filled and a new price can be offered. */
const ASK_AGAIN: readonly string[] = ['price_moved', 'quote_expired'];
const MOST_QUOTES = 5;

export interface Consent {
  readonly client: InlayClient;
  readonly user: string;
  readonly sized: ReturnType<typeof quoteBody>;
  readonly flags: OrderFlags;
  /** The caller's own id; such an order is sent only once, because a refusal uses up its key. */
  readonly clientOrderId: string | undefined;
  /** Whether a person can answer; a script with --yes accepts only one price. */
  readonly canAskAgain: boolean;
  /** Shows the quote and asks. @throws if the answer is no. */
  ask(quote: Quote): Promise<void>;
  note(text: string): void;
}

/** @throws ApiError if the service refuses, and the errors of `ask`. */
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
