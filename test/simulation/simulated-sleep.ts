/** Stands in for `node:timers/promises` under the service: a pause lasts by the clock of the process that makes it. */

interface PauseOptions {
  readonly signal?: AbortSignal;
}

/** @throws AbortError where `signal` is aborted meanwhile. */
export function setTimeout<T = undefined>(delayMs?: number, value?: T, { signal }: PauseOptions = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new DOMException('The operation was aborted', 'AbortError'));
    if (signal?.aborted) {
      fail();
      return;
    }
    const timer = globalThis.setTimeout(() => resolve(value as T), delayMs);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        fail();
      },
      { once: true },
    );
  });
}
