/** Names our account at a venue without revealing it, so that two cells notice that they trade in the same one. */
import { createHash } from 'node:crypto';
import type { VenueSettings } from '../../core/venue-settings.ts';

/** @returns null if there are no credentials, or if the key cannot be read now */
export async function accountNameOf(venue: string, { kalshi, polymarket }: VenueSettings): Promise<string | null> {
  if (venue === 'kalshi' && kalshi.keyId !== undefined && kalshi.privateKeyFile !== undefined) {
    return digestOf(`${venue} ${kalshi.keyId} ${kalshi.subaccount ?? 0}`);
  }
  if (venue === 'polymarket' && polymarket.privateKeyFile !== undefined) {
    const { openWallet } = await import('../polymarket/wallet.ts');
    try {
      const wallet = openWallet({ ...polymarket, privateKeyFile: polymarket.privateKeyFile });
      return digestOf(`${venue} ${wallet.funder().toLowerCase()}`);
    } catch {
      // the adapter reports a key that cannot be read
    }
  }
  return null;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
