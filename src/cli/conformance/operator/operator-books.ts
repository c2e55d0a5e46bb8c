/**
 * How the operator's books are read: `GET <address>/<customer>` answers `{ "available": "9990.00", "held": "5.00" }`, decimal
 * dollars. The customer may be unknown to the operator; the answer is then the balance that such a customer starts with.
 */
import { z } from 'zod';
import { Failure } from '../../failure.ts';

export interface Balance {
  /** Cents that the customer can use. */
  readonly available: bigint;
  /** Cents that are reserved for open orders. */
  readonly held: bigint;
}

const DEADLINE_MS = 10_000;
const amount = z.string().regex(/^-?\d+\.\d\d$/, 'decimal dollars with two places');
const shape = z.object({ available: amount, held: amount });

/** @param text decimal dollars with two places; absent is zero */
export function parseCents(text: string | null | undefined): bigint {
  return BigInt((text ?? '0.00').replace('.', ''));
}

/** @throws Failure if there is no such answer */
export async function readBalance(address: string, customer: string): Promise<Balance> {
  const url = `${address.replace(/\/+$/, '')}/${encodeURIComponent(customer)}`;
  const unreadable = (reason: string) =>
    new Failure('books_unreadable', `${url} does not answer with a balance: ${reason}.`, {
      next: 'It must answer 200 with {"available": "9990.00", "held": "0.00"}.',
    });
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw unreadable(cause instanceof Error ? cause.message : String(cause));
  }
  const body: unknown = await answer.json().catch(() => undefined);
  const balance = shape.safeParse(body);
  if (answer.status !== 200 || !balance.success) {
    throw unreadable(answer.status === 200 ? 'another shape' : `HTTP ${answer.status}`);
  }
  return { available: parseCents(balance.data.available), held: parseCents(balance.data.held) };
}
