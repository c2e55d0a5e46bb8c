/** An attempt as the claim would hand it out at a moment that a test decides. */
import type { Attempt, DueAttempt } from '../../src/trading/execution/attempts.ts';

export function dueAt(attempt: Attempt, now: Date): DueAttempt {
  const past = now.getTime() - attempt.expiresAt.getTime();
  return { ...attempt, expiredLong: past > 60_000, overdue: past > 10_000 };
}
