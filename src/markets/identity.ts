/** Ids and slugs of events and contracts: permanent for the same listing, opaque, without the name of a venue. Pure. */
import { createHash } from 'node:crypto';

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 26;
const SLUG_LENGTH = 80;

/**
 * @param groupKey the group of listings that are known to be one contract; they share its id whichever venue is read
 * first
 */
export function contractIdOf(venue: string, listingId: string, groupKey: string | null): string {
  return `ctr_${digest('contract', venue, listingId, groupKey)}`;
}

export function eventIdOf(venue: string, venueEventId: string, groupKey: string | null): string {
  return `evt_${digest('event', venue, venueEventId, groupKey)}`;
}

function digest(kind: string, venue: string, venueId: string, groupKey: string | null): string {
  const name = groupKey === null ? ['listing', venue, venueId] : ['group', groupKey];
  const bytes = createHash('sha256')
    .update(JSON.stringify([kind, ...name]))
    .digest();
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text.slice(0, ID_LENGTH);
}

/** The slug of a title: lower-case ASCII words joined by hyphens. Ingestion makes duplicates distinct. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'event' : slug;
}
