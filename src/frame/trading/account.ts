/** What the service says of the customer before a quote: fee rate, balance, the most that can be staked, what the place permits. */
import { computed, effect, signal } from '@preact/signals';
import type { FrameAccount } from '../../wire/embed.ts';
import { call, returns } from '../service.ts';
import { session } from '../session/session.ts';
import { traded } from './deal.ts';
import { centsOf, minorOf } from './estimate.ts';

export const account = signal<FrameAccount | null>(null);

/** Until the account is read nothing is forbidden: a quote decides. */
export const mayBuy = computed(() => account.value?.mayBuy ?? true);
export const maySell = computed(() => account.value?.maySell ?? true);

/** Starts when the session is ready; reads again after each trade. */
export function followAccount(): void {
  effect(() => {
    const isReady = session.value.status === 'ready';
    if (isReady && traded.value + returns.value >= 0) {
      readAccount();
    }
  });
}

/** Also after a refusal, because limits and places change while the frame is open. */
export function readAccount(): void {
  void call<FrameAccount>('/account').then(
    (read) => {
      account.value = read;
    },
    () => {},
  );
}

/** The limit that a stake is above, if it is above one. @param stake as typed */
export function exceededBy(stake: string): FrameAccount['largestStake'] {
  const largest = account.value?.largestStake ?? null;
  const minor = centsOf(stake);
  return largest !== null && minor !== null && minor > minorOf(largest.amount) ? largest : null;
}
