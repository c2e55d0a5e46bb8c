/**
 * How the result of a contract is decided, as it may be published: the venue's rules without the names and addresses of venues, which
 * no public surface shows. The venue's own wording is kept word for word for the person who matches listings. Pure.
 */
import type { VenueMarket } from '../../venues/listing.ts';

export interface PublicRules {
  readonly text: string | null;
  /** What the result is read from, as its publisher is called. */
  readonly source: string | null;
  /** A public `http` or `https` address, never one of a venue. */
  readonly sourceUrl: string | null;
  /** When the venue expects the result. */
  readonly resolvesAt: Date | null;
}

const VENUE_ADDRESS =
  /\b(?:https?:\/\/)?(?:[a-z0-9-]+\.)*(?:(?:kalshi|polymarket)\.[a-z]{2,}|gemini\.com)[^\s)\]"'<>]*/gi;
/** Gemini alone may be what a question is about. */
const VENUE_NAME = /\b(?:the )?(?:kalshi|polymarket|gemini (?:titan|predictions?|exchange)(?: markets?)?)\b/gi;

/** @returns null if the venue publishes neither rules nor a source */
export function publicRules({
  rules,
  sources = [],
  resolvesAt = null,
}: Pick<VenueMarket, 'rules' | 'sources' | 'resolvesAt'>): PublicRules | null {
  const text = rules === null ? null : withoutVenues(rules);
  const names = sources.flatMap(({ name }) => (name === null ? [] : [withoutVenues(name)]));
  const source = names.filter((name) => name !== '').join(', ') || null;
  const sourceUrl = sources.map(({ url }) => publicAddress(url)).find((address) => address !== null) ?? null;
  return text === null && source === null && sourceUrl === null ? null : { text, source, sourceUrl, resolvesAt };
}

function withoutVenues(text: string): string {
  return text.replace(VENUE_ADDRESS, 'the site of the exchange').replace(VENUE_NAME, 'the exchange').trim();
}

function publicAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address) || address.search(VENUE_ADDRESS) >= 0) {
    return null;
  }
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
