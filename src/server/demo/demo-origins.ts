/** Which frame origins the demo's tenant keeps when its page is opened. Pure. */

/** An operator has at most this many (`operator-settings.ts`). */
const MOST_ORIGINS = 10;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/;

/**
 * Adds origins to the registered ones, in order of registration. If there are more than ten, the oldest loopback origins
 * are dropped first, because the port of a development machine may change each time; other origins follow, oldest first.
 * @param registered oldest first
 * @param wanted at most ten; all of them are in the result, at its end
 */
export function withOrigins(registered: readonly string[], wanted: readonly string[]): string[] {
  const added = [...new Set(wanted)];
  const others = registered.filter((origin) => !added.includes(origin));
  const surplus = Math.max(0, others.length + added.length - MOST_ORIGINS);
  const dropped = new Set(
    others.toSorted((a, b) => Number(LOOPBACK.test(b)) - Number(LOOPBACK.test(a))).slice(0, surplus),
  );
  return [...others.filter((origin) => !dropped.has(origin)), ...added];
}
