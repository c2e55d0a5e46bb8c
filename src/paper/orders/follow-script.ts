/**
 * The result of an order according to its script; without a script it fills from the book. Decides, and changes
 * nothing.
 */
import type { PaperOrder } from './order.ts';
import type { Script } from './script.ts';

const MILLION = 1_000_000n;

/** How the response is delivered. */
export type Delivery = 'answer' | 'twice' | 'hang' | 'reset' | 'error' | 'garbage';

export interface Course extends Pick<PaperOrder, 'state' | 'lookup'> {
  readonly delivery: Delivery;
  /** Micro-contracts to fill at once. */
  readonly fill: number;
  /** Whether to fill what the book lacks at the limit price. */
  readonly beyond: boolean;
  readonly reason: string | null;
  /** Fills completely by itself after this many milliseconds. */
  readonly finishAfterMs: number | null;
}

/** @param step quantities are multiples of this many micro-contracts */
export function followScript(script: Script | undefined, quantity: number, step: number): Course {
  const filled: Course = {
    state: 'closed',
    lookup: 'open',
    delivery: 'answer',
    fill: quantity,
    beyond: true,
    reason: null,
    finishAfterMs: null,
  };
  switch (script?.word) {
    case undefined:
    case 'late':
      return { ...filled, beyond: false };
    case 'reject':
      return { ...filled, fill: 0, state: 'rejected', reason: script.reason };
    case 'partial': {
      const share = (BigInt(quantity) * BigInt(script.millionths)) / MILLION;
      return { ...filled, fill: Number(share - (share % BigInt(step))) };
    }
    case 'working':
      return { ...filled, fill: 0, state: 'working', finishAfterMs: script.afterMs };
    case 'fill-after-cancel':
      return { ...filled, fill: 0, state: 'working' };
    case 'forget':
      return { ...filled, fill: 0, lookup: 'forgotten', delivery: 'hang' };
    case 'silence':
      return { ...filled, lookup: 'silent', delivery: 'hang' };
    default:
      return { ...filled, delivery: DELIVERIES[script?.word ?? 'fill'] ?? 'answer' };
  }
}

const DELIVERIES: Partial<Record<Script['word'], Delivery>> = {
  timeout: 'hang',
  twice: 'twice',
  reset: 'reset',
  error: 'error',
  garbage: 'garbage',
};
