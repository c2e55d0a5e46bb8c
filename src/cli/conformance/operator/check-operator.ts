/**
 * The operator conformance kit: trades a day of a new customer for each round, passes its events on in the way of the round, and
 * compares the operator's books with the instructions to the cent.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { InlayClient } from '../../../client/create-client.ts';
import type { Comparison } from '../../compare/compare-records.ts';
import type { EventTap } from './event-tap.ts';
import { type Balance, compareBalance, explainDifference, instructedBalance, readBalance } from './operator-books.ts';
import { ROUNDS, type Round } from './rounds.ts';
import type { Endpoint } from './send-events.ts';
import { tradeDay, type WithinBudget } from './trade-day.ts';

export interface OperatorUnderTest {
  readonly client: InlayClient;
  readonly withinBudget: WithinBudget;
  readonly contractId: string;
  readonly tap: EventTap;
  readonly endpoint: Endpoint;
  /** Address of the operator's books. */
  readonly books: string;
  /** How long the operator has to book what it was sent. */
  readonly settleMs: number;
}

export interface RoundResult {
  readonly round: string;
  readonly customer: string;
  readonly ok: boolean;
  readonly instructed: Balance;
  readonly booked: Balance;
  /** What is wrong, each with its amount; empty if nothing is. */
  readonly differences: readonly string[];
  /** What an operator does wrong that this round shows. */
  readonly shows: string;
}

/** The service delivers within seconds; a worker that is away is noticed. */
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

/** The operator may book after it acknowledged. */
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
