/** The address of a market in the operator's own page, which the page gives to the frame as the parameter `share`. Pure. */

/**
 * @param template an address with `{event}` in it, such as `https://casino.example/markets?event={event}`
 * @param origins registered ones; an address elsewhere is ignored, so that the frame cannot advertise another site
 * @returns null if there is no usable template
 */
export function shareAddress(template: string | null, origins: readonly string[], event: string): string | null {
  if (template?.includes('{event}') !== true) {
    return null;
  }
  const address = URL.parse(template.replaceAll('{event}', encodeURIComponent(event)));
  return address !== null && origins.includes(address.origin) ? address.href : null;
}
