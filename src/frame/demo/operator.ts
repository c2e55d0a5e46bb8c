/**
 * The state of the demo operator, which its page shows: its customer, its ledger, and its messages. It mints sessions on the
 * operator's server, and reads from there the webhooks that arrived and the feed.
 */
import { signal } from '@preact/signals';
import type { FeedPage } from '../../wire/feed.ts';
import type { Position } from '../../wire/position.ts';
import { applyDelivery, applyItem, OPENING, type WebhookDelivery } from './cash-ledger.ts';

const POLL_MS = 1_500;

export const user = signal(sessionStorage.getItem('user') ?? newUser());

export const ledger = signal(OPENING);
export const positions = signal<readonly Position[]>([]);
export const sessionId = signal<string | null>(null);
export type Speaker = 'frame' | 'page' | 'webhook';
/** The latest messages of frame, page and webhooks, newest first. */
export const talk = signal<readonly { readonly id: number; readonly from: Speaker; readonly text: string }[]>([]);
/** The place in the feed up to which it was read. */
let cursor: string | null = null;
/** Number of the last delivery that was processed. */
let heard = 0;
/** Number of the last message in `talk`. */
let said = 0;

export function newUser(): string {
  const name = `demo-${Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
  sessionStorage.setItem('user', name);
  return name;
}

export function note(from: Speaker, text: string): void {
  talk.value = [{ id: ++said, from, text }, ...talk.value].slice(0, 12);
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${path}: ${response.status}`);
  }
  return (await response.json()) as Answer;
}

/** @returns the token of a new session */
export async function mint(): Promise<string> {
  const minted = await request<{ token: string; sessionId: string }>('POST', '/demo/session', { user: user.value });
  sessionId.value = minted.sessionId;
  return minted.token;
}

export async function revoke(): Promise<void> {
  await request('DELETE', `/demo/session/${sessionId.value}`).catch(() => {});
}

export async function resolve(positionId: string, resolution: 'WIN' | 'LOSS' | 'VOID'): Promise<void> {
  await request('POST', '/demo/resolutions', { user: user.value, positionId, resolution }).catch(() => {});
}

/** Reads webhooks and feed at an interval, for as long as the page is open. */
export async function follow(): Promise<void> {
  try {
    const mail = await request<{ events: (WebhookDelivery & { number: number })[]; last: number }>(
      'GET',
      `/demo/webhooks?${new URLSearchParams({ user: user.value, after: String(heard) })}`,
    );
    heard = mail.last;
    for (const event of mail.events) {
      ledger.value = applyDelivery(ledger.value, event);
      note('webhook', event.dedupeKey);
    }
    const query = new URLSearchParams({ user: user.value, ...(cursor !== null && { cursor }) });
    const state = await request<{
      positions: Position[];
      feed: Omit<FeedPage, 'nextCursor'> & { nextCursor: string | null };
    }>('GET', `/demo/state?${query}`);
    cursor = state.feed.nextCursor ?? cursor;
    positions.value = state.positions;
    for (const item of state.feed.items) {
      ledger.value = applyItem(ledger.value, item);
    }
  } catch {
    // The next poll repeats the calls.
  }
  window.setTimeout(follow, POLL_MS);
}
