/** Waits for a webhook: a real delivery if a receiver is listening, otherwise the feed item of the emitted event. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookEvent } from '../../../client/verify-webhook.ts';
import { type ActionPorts, type Answer, answer, type Fields } from './action-ports.ts';
import { awaitItem } from './await-item.ts';

const STEP_MS = 50;

/**
 * @returns a 200 with the event, `delivered` true and its payload in `data`; without a receiver `delivered` is false and `data`
 *   null. A 404 after the timeout.
 */
export async function awaitDelivery(ports: ActionPorts, fields: Fields): Promise<Answer> {
  const { deliveries, eventTimeoutMs, signal } = ports;
  if (!deliveries.isOpen) {
    deliveries.tellOfNone();
    return awaitRaised(ports, fields);
  }
  const deadline = performance.now() + eventTimeoutMs;
  for (;;) {
    const found = deliveries.events.slice(ports.deliveredBefore).find((event) => isWanted(event, fields));
    if (found !== undefined) {
      const { orderId = null, positionId = null } = found.data as Fields;
      return answer(200, { delivered: true, orderId, positionId, ...found });
    }
    if (performance.now() > deadline) {
      const refused = deliveries.refusals.length;
      return answer(404, {
        error: 'not_found',
        message: `No such ${fields['type']} delivery arrived within ${eventTimeoutMs / 1000} s${refused === 0 ? '' : `; ${refused} arrived with a bad signature`}.`,
      });
    }
    await sleep(STEP_MS, undefined, { signal });
  }
}

function isWanted({ type, dedupeKey, data }: WebhookEvent, fields: Fields): boolean {
  const { externalUserId, orderId, positionId } = data as Fields;
  const pairs = [
    [fields['type'], type],
    [fields['dedupeKey'], dedupeKey],
    [fields['user'], externalUserId],
    [fields['order'], orderId],
    [fields['position'], positionId],
  ];
  return pairs.every(([wanted, actual]) => wanted === undefined || String(wanted) === actual);
}

async function awaitRaised(ports: ActionPorts, fields: Fields): Promise<Answer> {
  const named = (name: string, value: unknown) => (value === undefined ? {} : { [name]: String(value) });
  const raised = await awaitItem(ports, 'webhook.emitted', fields['user'], {
    ...named('orderId', fields['order']),
    ...named('positionId', fields['position']),
    detail: { eventType: String(fields['type']), ...named('dedupeKey', fields['dedupeKey']) },
  });
  if (raised.status !== 200) {
    return raised;
  }
  const { orderId, positionId, detail } = raised.body as Fields & { detail: Fields };
  const { eventType: type, dedupeKey } = detail;
  return answer(200, { delivered: false, type, dedupeKey, orderId, positionId, data: null });
}
