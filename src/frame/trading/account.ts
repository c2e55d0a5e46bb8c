/** The fee rate and, in practice mode, the balance of the customer; read again after each trade. */
import { effect, signal } from '@preact/signals';
import type { FrameAccount } from '../../wire/embed/frame-account.ts';
import { call, returns } from '../service.ts';
import { session } from '../session/session.ts';
import { traded } from './deal.ts';

export const account = signal<FrameAccount | null>(null);

/** Starts when the session is ready. */
export function followAccount(): void {
  effect(() => {
    const isReady = session.value.status === 'ready';
    if (isReady && traded.value + returns.value >= 0) {
      void call<FrameAccount>('/account').then(
        (read) => {
          account.value = read;
        },
        () => {},
      );
    }
  });
}
