/** The service's clock as the browser knows it, so that a countdown is right on a device whose own clock is not. */
let aheadMs = 0;

/** @param date header of an answer, to the second. */
export function learnTime(date: string | null): void {
  const told = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(told)) {
    return;
  }
  const ahead = told + 500 - Date.now();
  // A header is exact to a second only: small differences are noise.
  aheadMs = Math.abs(ahead) < 1_500 ? 0 : ahead;
}

/** Milliseconds since the epoch, by the service. */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}
