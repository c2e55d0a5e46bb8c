/**
 * The operator conformance kit. In each round a new customer trades a day in the sandbox, the events of the day reach the operator in
 * another way, and the operator's books must match the instructions to the cent.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { InlayClient } from '../../client/create-client.ts';
import type { WebhookEvent } from '../../client/verify-webhook.ts';
import type { Comparison } from '../compare/compare-records.ts';
import {
  type Balance,
  compareBalance,
  explainDifference,
  instructedBalance,
  readBalance,
  tradeDay,
  type WithinBudget,
} from './operator-books.ts';
import { type Endpoint, type EventTap, sendEvent, sendInTurn } from './operator-webhooks.ts';

interface OperatorUnderTest {
  readonly client: InlayClient;
  readonly withinBudget: WithinBudget;
  readonly contractId: string;
  readonly tap: EventTap;
  readonly endpoint: Endpoint;
  /** Address of the operator's books. */
  readonly books: string;
  /** How many milliseconds the operator has to book the events. */
  readonly settleMs: number;
}

export interface RoundResult {
  readonly round: string;
  readonly customer: string;
  readonly ok: boolean;
  readonly instructed: Balance;
  readonly booked: Balance;
  /** A sentence for each difference, with its amount; empty if the books match. */
  readonly differences: readonly string[];
  /** The mistake of an operator that this round shows. */
  readonly shows: string;
}

/** The service delivers within seconds. If it takes longer than this, no worker is running. */
const DELIVERED_WITHIN_MS = 60_000;
const STEP_MS = 100;

export async function* checkOperator(operator: OperatorUnderTest): AsyncGenerator<RoundResult> {
  for (const round of ROUNDS) {
    yield await playRound(operator, round);
  }
}

async function playRound(operator: OperatorUnderTest, round: Round): Promise<RoundResult> {
  const customer = `conformance-${round.name.replace(' ', '-')}-${randomUUID()}`;
  const before = await readBalance(operator.books, customer);
  const day = await tradeDay(operator, customer);
  const events = await operator.tap.collect(day.events, DELIVERED_WITHIN_MS);
  const complaints = await round.deliver(operator.endpoint, events);
  const instructed = instructedBalance(before, day);
  const { booked, comparison } = await compareBooks(operator, customer, instructed);
  const differences = [...complaints, ...explainDifference(day, comparison)];
  return {
    round: round.name,
    customer,
    ok: differences.length === 0,
    instructed,
    booked,
    differences,
    shows: round.shows,
  };
}

/** Compares until the books match or the time is over, because an operator may book after it has acknowledged. */
async function compareBooks(
  { books, settleMs }: OperatorUnderTest,
  customer: string,
  instructed: Balance,
): Promise<{ booked: Balance; comparison: Comparison }> {
  const end = Date.now() + settleMs;
  for (;;) {
    const booked = await readBalance(books, customer);
    const comparison = await compareBalance(customer, booked, instructed);
    if (comparison.differing === 0 || Date.now() > end) {
      return { booked, comparison };
    }
    await wait(STEP_MS);
  }
}

interface Round {
  readonly name: string;
  /** The mistake of an operator that only this round shows. */
  readonly shows: string;
  /** @returns a sentence for each answer that is wrong */
  deliver(endpoint: Endpoint, events: readonly WebhookEvent[]): Promise<string[]>;
}

const ALTERED = '999.99';

/** The same day reaches the operator in each of these ways, because webhooks are delivered at least once and in any order. */
const ROUNDS: readonly Round[] = [
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

/** @returns the data with another order and other amounts */
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
