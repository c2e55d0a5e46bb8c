/** The ways in which the same day of a customer reaches the operator. Webhooks are delivered at least once and in any order. */
import type { WebhookEvent } from '../../../client/verify-webhook.ts';
import { type Endpoint, sendEvent, sendInTurn } from './send-events.ts';

export interface Round {
  readonly name: string;
  /** What an operator does wrong that only this round shows. */
  readonly shows: string;
  /** @returns complaints about answers */
  deliver(endpoint: Endpoint, events: readonly WebhookEvent[]): Promise<string[]>;
}

const ALTERED = '999.99';

export const ROUNDS: readonly Round[] = [
  { name: 'in order', shows: 'wrong amounts, or an event that was dropped', deliver: sendInTurn },
  {
    name: 'permuted',
    shows: 'that the books depend on the order of arrival',
    deliver: (endpoint, events) => sendInTurn(endpoint, [...events].reverse()),
  },
  {
    name: 'repeated',
    shows: 'that an event is booked again if its dedupeKey was seen before',
    deliver: async (endpoint, events) => {
      const complaints: string[] = [];
      for (const event of events) {
        const both = await Promise.all([sendInTurn(endpoint, [event]), sendInTurn(endpoint, [event])]);
        complaints.push(...both.flat());
      }
      return [...complaints, ...(await sendInTurn(endpoint, events))];
    },
  },
  {
    name: 'late',
    shows: 'that a fill is dropped because its position was settled before it arrived',
    deliver: async (endpoint, events) => {
      const isFill = ({ type }: WebhookEvent) => type === 'order.filled';
      const others = await sendInTurn(
        endpoint,
        events.filter((event) => !isFill(event)),
      );
      return [...others, ...(await sendInTurn(endpoint, events.filter(isFill)))];
    },
  },
  {
    name: 'lost',
    shows: 'that the feed is not read: events of money never arrive',
    deliver: (endpoint, events) =>
      sendInTurn(
        endpoint,
        events.filter(({ type }) => type === 'order.intent_recorded'),
      ),
  },
  {
    name: 'forged',
    shows: 'that a signature is not checked',
    deliver: async (endpoint, events) => {
      const complaints = await sendInTurn(endpoint, events);
      const fill = events.find(({ type }) => type === 'order.filled');
      const forged = { ...fill, dedupeKey: `${fill?.dedupeKey}-forged`, data: alter(fill?.data) } as WebhookEvent;
      const status = await sendEvent({ ...endpoint, secret: 'whsec_of_somebody_else' }, forged);
      return status !== null && status >= 200 && status < 300
        ? [...complaints, `an event with a wrong signature is answered ${status}`]
        : complaints;
    },
  },
];

/** The same event about another order and other money. */
function alter(data: unknown): unknown {
  const { orderId, fillId, operatorMoney, ...rest } = data as {
    orderId: string;
    fillId: string;
    operatorMoney: object;
  };
  return {
    ...rest,
    orderId: `${orderId}0`,
    fillId: `${fillId}0`,
    operatorMoney: { ...operatorMoney, authorizationAmount: ALTERED, actualDebit: ALTERED, tradeAmount: ALTERED },
  };
}
