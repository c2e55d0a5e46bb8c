/** The address of a market in the operator's own page. Apart from `share.tsx`, and pure, because its test loads no browser. */

/**
 * @param template the parameter `share` that the page gives to the frame: an address with `{event}` in it, for example
 *   `https://casino.example/markets?event={event}`
 * @param origins the registered origins; an address at another origin is ignored, so that the frame cannot advertise another site
 * @returns null if there is no usable template
 */
export function shareAddress(template: string | null, origins: readonly string[], event: string): string | null {
  if (template?.includes('{event}') !== true) {
    return null;
  }
  const address = URL.parse(template.replaceAll('{event}', encodeURIComponent(event)));
  return address !== null && origins.includes(address.origin) ? address.href : null;
}
