/** Looks at feeds, prices and deliveries by the clock, so that neither the number of scrapes nor `inlay top` shifts an objective. */

const EVERY_MS = 10_000;

/**
 * @param look counts one event of each; one that fails counts nothing
 * @returns a function that ends it. A look that takes longer than the interval is not joined by another one
 */
export function startObjectiveLooks(look: () => Promise<void>, everyMs = EVERY_MS): () => void {
  let isLooking = false;
  const timer = setInterval(() => {
    if (!isLooking) {
      isLooking = true;
      look()
        .catch(() => {})
        .finally(() => {
          isLooking = false;
        });
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
