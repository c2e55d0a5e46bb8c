/** The service's clock as estimated by the browser, so that a countdown is right even if the device's clock is wrong. */
let aheadMs = 0;

/** @param date the Date header of an answer, accurate to a second. */
export function learnTime(date: string | null): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(sent)) {
    return;
  }
  const ahead = sent + 500 - Date.now();
  // The header is accurate to a second only, so small differences are noise.
  aheadMs = Math.abs(ahead) < 1_500 ? 0 : ahead;
}

/** Milliseconds since 1970, on the service's clock. */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}
