/** Time zones by their IANA names, such as Europe/Zagreb. */

/** Letters, digits and separators only, so that a name can be written into a statement. */
const NAME = /^[A-Za-z][\w+/-]{0,63}$/;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return NAME.test(name);
  } catch {
    return false;
  }
}
