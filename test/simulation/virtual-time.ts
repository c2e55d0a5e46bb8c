/**
 * Time as a simulated process sees it. `Date`, `performance.now`, timers and `AbortSignal.timeout` are replaced once; each
 * call is answered by the process in whose asynchronous context it runs. Outside of a process they are the real ones.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The clocks and timers of one simulated process. */
export interface TimeKeeper {
  /** Milliseconds since 1970 by the clock of the machine that the process runs on. */
  wallMs(): number;
  monotonicMs(): number;
  startTimer(fire: () => void, delayMs: number, repeats: boolean): VirtualTimer;
}

export interface VirtualTimer {
  cancel(): void;
}

export const insideProcess = new AsyncLocalStorage<TimeKeeper>();

class TimerHandle {
  readonly #timer: VirtualTimer;
  constructor(timer: VirtualTimer) {
    this.#timer = timer;
  }
  cancel(): void {
    this.#timer.cancel();
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.dispose](): void {
    this.cancel();
  }
}

type Fire = (...args: unknown[]) => void;

/** Called once, before the code of the service is loaded. */
export function installVirtualTime(): void {
  const real = {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    now: performance.now.bind(performance),
    timeout: AbortSignal.timeout.bind(AbortSignal),
  };
  const nowMs = () => {
    const keeper = insideProcess.getStore();
    return keeper === undefined ? real.Date.now() : Math.floor(keeper.wallMs());
  };
  globalThis.Date = new Proxy(real.Date, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [nowMs()] : args),
    apply: () => new real.Date(nowMs()).toString(),
    get: (target, key) => (key === 'now' ? nowMs : Reflect.get(target, key)),
  });
  performance.now = () => insideProcess.getStore()?.monotonicMs() ?? real.now();

  const start =
    (repeats: boolean, fallback: typeof setTimeout | typeof setInterval) =>
    (fire: Fire, delayMs = 0, ...args: unknown[]) => {
      const keeper = insideProcess.getStore();
      return keeper === undefined
        ? fallback(fire, delayMs, ...args)
        : new TimerHandle(keeper.startTimer(() => fire(...args), delayMs, repeats));
    };
  const clear =
    (fallback: typeof clearTimeout) =>
    (timer: unknown): void => {
      if (timer instanceof TimerHandle) {
        timer.cancel();
      } else {
        fallback(timer as NodeJS.Timeout | undefined);
      }
    };
  Object.assign(globalThis, {
    setTimeout: start(false, real.setTimeout),
    setInterval: start(true, real.setInterval),
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  });
  AbortSignal.timeout = (delayMs) => {
    const keeper = insideProcess.getStore();
    if (keeper === undefined) {
      return real.timeout(delayMs);
    }
    const controller = new AbortController();
    const expire = () => controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
    keeper.startTimer(expire, delayMs, false);
    return controller.signal;
  };
}
