/** Loads the data of a view. Keeps the old data while it reloads, and reloads when the service is available again or takes calls again. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { returns, ServiceRefusal } from './service.ts';

export interface Loading<Data> {
  readonly data: Data | null;
  /** The error code, or null. */
  readonly failed: string | null;
  readonly busy: boolean;
}

/** @param keys reload when one of them changes; a change of the first one also drops the old data. */
export function useLoading<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  keys: readonly unknown[],
): { readonly state: Signal<Loading<Data>>; readonly again: () => void } {
  const state = useSignal<Loading<Data>>({ data: null, failed: null, busy: true });
  const turn = useSignal(0);
  const shown = useSignal<unknown>(keys[0]);
  const returned = returns.value;
  useEffect(() => {
    const stop = new AbortController();
    let waiting: number | undefined;
    const kept = shown.peek() === keys[0] ? state.peek().data : null;
    shown.value = keys[0];
    state.value = { data: kept, failed: null, busy: true };
    load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) {
          state.value = { data, failed: null, busy: false };
        }
      },
      (error: unknown) => {
        if (stop.signal.aborted) {
          return;
        }
        const failed = error instanceof ServiceRefusal ? error.code : 'away';
        state.value = { ...state.peek(), failed, busy: false };
        if (error instanceof ServiceRefusal && typeof error.extra.retryAfterSeconds === 'number') {
          waiting = window.setTimeout(() => {
            turn.value += 1;
          }, error.extra.retryAfterSeconds * 1_000);
        }
      },
    );
    return () => {
      stop.abort();
      window.clearTimeout(waiting);
    };
  }, [...keys, turn.value, returned]);
  return {
    state,
    again: () => {
      turn.value += 1;
    },
  };
}
