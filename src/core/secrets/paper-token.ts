/** What the service shows to the paper venues of its deployment, and how those judge it. Derived from the root secret, so that no file is shared. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { deriveKey, type Secrets } from './secret.ts';

const PURPOSE = 'paper venue';

const tokenOf = (secret: string): string => deriveKey(secret, PURPOSE).toString('base64url');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function paperToken(secrets: Pick<Secrets, 'current'>): string {
  return tokenOf(secrets.current);
}

/** @returns whether an `authorization` header is of this deployment; that of an older secret still is after a rotation. */
export function judgePaperToken(secrets: Secrets): (authorization: string | undefined) => boolean {
  const admitted = [secrets.current, ...secrets.previous].map((secret) => digest(`Bearer ${tokenOf(secret)}`));
  return (authorization = '') => {
    // Digests are of one length, and all are compared: the time tells nothing about the token.
    const given = digest(authorization);
    return admitted.filter((one) => timingSafeEqual(one, given)).length > 0;
  };
}
