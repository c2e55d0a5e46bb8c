/**
 * A token for one purpose between processes of the deployment, and how it is checked. It is derived from the root secret, so
 * that no file has to be shared.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { deriveKey, type Secrets } from './secret.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param purpose no two purposes have the same token */
export function derivedToken({ current }: Pick<Secrets, 'current'>, purpose: string): string {
  return deriveKey(current, purpose).toString('base64url');
}

/**
 * @returns a check whether an `authorization` header belongs to this deployment; after a rotation, tokens of older
 * secrets are still valid
 */
export function createTokenCheck(
  { current, previous }: Secrets,
  purpose: string,
): (authorization: string | undefined) => boolean {
  const admitted = [current, ...previous].map((secret) =>
    digest(`Bearer ${derivedToken({ current: secret }, purpose)}`),
  );
  return (authorization = '') => {
    // All digests have the same length and all are compared, so the duration reveals nothing about the token.
    const given = digest(authorization);
    return admitted.filter((one) => timingSafeEqual(one, given)).length > 0;
  };
}
