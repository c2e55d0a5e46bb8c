/** Looks at feeds, prices and deliveries by the clock, so that neither the number of scrapes nor `inlay top` shifts an objective. */

const EVERY_MS = 10_000;

/**
 * @param look counts one event of each; it does not throw
 * @returns a function that ends it. A look that takes longer than the interval is not joined by another one
 */
export function startObjectiveLooks(look: () => Promise<void>, everyMs = EVERY_MS): () => void {
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
