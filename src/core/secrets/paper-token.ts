/**
 * The token with which the service authenticates at the paper venues of its deployment, and how they check it. It is
 * derived from the root secret, so that no file has to be shared.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { deriveKey, type Secrets } from './secret.ts';

const PURPOSE = 'paper venue';

const tokenOf = (secret: string): string => deriveKey(secret, PURPOSE).toString('base64url');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function paperToken(secrets: Pick<Secrets, 'current'>): string {
  return tokenOf(secrets.current);
}

/**
 * @returns a check whether an `authorization` header belongs to this deployment; after a rotation, tokens of older
 * secrets are still valid
 */
export function createPaperTokenCheck(secrets: Secrets): (authorization: string | undefined) => boolean {
  const admitted = [secrets.current, ...secrets.previous].map((secret) => digest(`Bearer ${tokenOf(secret)}`));
  return (authorization = '') => {
    // All digests have the same length and all are compared, so the duration reveals nothing about the token.
    const given = digest(authorization);
    return admitted.filter((one) => timingSafeEqual(one, given)).length > 0;
  };
}
