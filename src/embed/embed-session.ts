/** What an embed session is, and how it is shown. A token acts for one customer of one operator only. */
import type { EmbedSessionFacts } from '../wire/embed/embed-session.ts';

/** Requests per minute on the embed surface (contract 35.4). */
export const SESSION_RATE_LIMIT = 300;

const MINUTE_MS = 60_000;

export type ThemeValue = string | number | boolean;

export interface EmbedSession {
  readonly sessionId: string;
  readonly operatorId: string;
  readonly externalUserId: string;
  /** The origin that calls must come from, or null. */
  readonly origin: string | null;
  readonly locale: string | null;
  readonly region: string | null;
  readonly country: string | null;
  readonly subdivision: string | null;
  readonly theme: Readonly<Record<string, ThemeValue>>;
  readonly operatorBookId: string | null;
  readonly expiresAt: Date;
}

/** For the current minute. */
export interface SessionUsage {
  readonly requests: number;
  readonly resetsAt: Date;
}

/** The end of the wall-clock minute of `now`. */
export function minuteEnd(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}

export function renderSession(session: EmbedSession, usage: SessionUsage, now: Date): EmbedSessionFacts {
  const leftSeconds = Math.ceil((session.expiresAt.getTime() - now.getTime()) / 1000);
  return {
    sessionId: session.sessionId,
    expiresAt: session.expiresAt.toISOString(),
    expiresInSeconds: Math.max(0, leftSeconds),
    operatorId: session.operatorId,
    externalUserId: session.externalUserId,
    origin: session.origin,
    locale: session.locale,
    region: session.region as EmbedSessionFacts['region'],
    jurisdiction: session.country === null ? null : { country: session.country, subdivision: session.subdivision },
    theme: session.theme,
    usage: { requests: usage.requests, limit: SESSION_RATE_LIMIT, resetsAt: usage.resetsAt.toISOString() },
    ...(session.operatorBookId === null ? {} : { operatorBookId: session.operatorBookId }),
  };
}
