/** The token with which the service authenticates at the paper venues of its deployment, and how they check it. */
import { createTokenCheck, derivedToken } from './derived-token.ts';
import type { Secrets } from './secret.ts';

const PURPOSE = 'paper venue';

export function paperToken(secrets: Pick<Secrets, 'current'>): string {
  return derivedToken(secrets, PURPOSE);
}

/** @returns a check whether an `authorization` header belongs to this deployment */
export function createPaperTokenCheck(secrets: Secrets): (authorization: string | undefined) => boolean {
  return createTokenCheck(secrets, PURPOSE);
}
