/**
 * Mints an embed session: POST /api/v1/embed-sessions, after its shape was validated. The refusals have the specified
 * order.
 */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { originOfAddress } from '../core/net/web-origin.ts';
import type { Sql } from '../db/client.ts';
import { type EmbedSessionInput, type EmbedSession as MintedSession, REGIONS } from '../wire/embed/embed-session.ts';
import { type EmbedSession, minuteEnd, renderSession } from './embed-session.ts';
import { insertSession } from './embed-sessions.ts';
import { isBindableBook } from './operator-books.ts';
import { type Keyring, mintToken } from './token.ts';

const BOOK_USER_ID = /^[A-Za-z0-9._:-]{1,128}$/;

export interface MintRequest {
  readonly operatorId: string;
  /** Id of the API key. */
  readonly keyId: string;
  readonly input: EmbedSessionInput;
  /** The jurisdiction of the input, with valid codes. */
  readonly jurisdiction: { readonly country: string; readonly subdivision: string | null } | null;
}

/**
 * @param keyring null if the deployment has no usable secret
 * @returns the session with its token, which is shown only once
 * @throws invalid_origin, invalid_region, invalid_operator_book, invalid_external_user_id, embed_unavailable
 */
export async function mintSession(
  sql: Sql,
  keyring: Keyring | null,
  now: Date,
  { operatorId, keyId, input, jurisdiction }: MintRequest,
): Promise<MintedSession> {
  const origin = input.returnOrigin === undefined ? null : originOfAddress(input.returnOrigin);
  if (input.returnOrigin !== undefined && origin === null) {
    throw refuse(
      'invalid_origin',
      'returnOrigin must be an https origin, or an http one on loopback, without credentials.',
    );
  }
  if (input.region !== undefined && !REGIONS.some((region) => region === input.region)) {
    throw refuse('invalid_region', `region is one of ${REGIONS.join(', ')}.`);
  }
  if (input.operatorBookId !== undefined) {
    if (!(await isBindableBook(sql, operatorId, input.operatorBookId))) {
      throw refuse('invalid_operator_book');
    }
    if (!BOOK_USER_ID.test(input.externalUserId)) {
      throw refuse('invalid_external_user_id');
    }
  }
  if (keyring === null) {
    throw refuse('embed_unavailable');
  }
  const { token, secretHash } = mintToken(keyring);
  const asked: Omit<EmbedSession, 'expiresAt'> = {
    sessionId: newId('ses'),
    operatorId,
    externalUserId: input.externalUserId,
    origin,
    locale: input.locale ?? null,
    region: input.region ?? null,
    country: jurisdiction?.country ?? null,
    subdivision: jurisdiction?.subdivision ?? null,
    theme: input.theme,
    operatorBookId: input.operatorBookId ?? null,
  };
  const expiresAt = await insertSession(sql, { ...asked, secretHash, ttlSeconds: input.ttlSeconds, mintedBy: keyId });
  const facts = renderSession({ ...asked, expiresAt }, { requests: 0, resetsAt: minuteEnd(now) }, now);
  const { sessionId, ...rest } = facts;
  return { sessionId, token, tokenType: 'embed_session', ...rest, expiresInSeconds: input.ttlSeconds };
}
