/** Waits for an item of the reconciliation feed that was written since the file began. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mismatches } from '../match.ts';
import { type ActionPorts, type Answer, answer, type Fields } from './action-ports.ts';

const STEP_MS = 200;

/** @param where what the item must match, like a body. @returns the item as a 200, or a 404 after the timeout. */
export async function awaitItem(ports: ActionPorts, type: string, user: unknown, where: unknown): Promise<Answer> {
  const deadline = performance.now() + ports.eventTimeoutMs;
  let cursor = ports.feedStart;
  for (;;) {
    const page = await ports.api.send<{ items?: Fields[]; nextCursor: string; hasMore: boolean }>(
      'GET',
      '/api/v1/reconciliation/feed',
      {
        query: { type, externalUserId: user === undefined ? undefined : String(user), cursor, limit: 500 },
        signal: ports.signal,
      },
    );
    if (page.status >= 400 && page.status !== 404) {
      return page;
    }
    const found = page.body.items?.find((item) => where === undefined || mismatches(where, item).length === 0);
    if (found !== undefined) {
      return answer(200, found);
    }
    cursor = page.body.items === undefined ? cursor : page.body.nextCursor;
    if (performance.now() > deadline) {
      return answer(404, {
        error: 'not_found',
        message: `No matching ${type} item arrived within ${ports.eventTimeoutMs / 1000} s.`,
      });
    }
    if (page.body.hasMore !== true) {
      await sleep(STEP_MS, undefined, { signal: ports.signal });
    }
  }
}
