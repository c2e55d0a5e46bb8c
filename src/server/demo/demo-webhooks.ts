/**
 * The demo operator's receiver of webhooks: registered while its page is open, it checks signatures and keeps events in memory for the
 * page. It books nothing, because the ledger of the page does. Development only.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ApiContext } from '../../context.ts';
import { Refusal } from '../../core/errors.ts';
import { verifySignature } from '../../core/webhook-signature.ts';
import type { Operator } from '../../operators/operator.ts';
import { createSecretBox } from '../../webhooks/endpoint-secret.ts';
import {
  addEndpoint,
  createEndpointAdmin,
  listEndpoints,
  type StoredEndpoint,
  updateEndpoint,
} from '../../webhooks/endpoints.ts';
import type { DemoPages } from './demo.ts';

export const DEMO_WEBHOOKS = '/demo/webhooks';

/**
 * Registers the address of this process with the demo tenant, or changes the existing endpoint to it. If the deployment
 * does not deliver to loopback addresses, there is no endpoint and the page keeps its ledger from the feed alone.
 */
export async function registerDemoWebhooks(
  context: ApiContext,
  operator: Operator,
  { page, frame }: DemoPages,
): Promise<void> {
  const origin = [page, frame].find((one) => one.startsWith('http://127.0.0.1'));
  const url = `${origin}${DEMO_WEBHOOKS}`;
  try {
    const admin = await createEndpointAdmin(context);
    if (!admin.policy.allowLoopback) {
      return;
    }
    const ours = await findDemoEndpoint(context, operator);
    if (ours === undefined) {
      await addEndpoint(admin, operator.operatorId, url, []);
    } else if (ours.url !== url) {
      await updateEndpoint(admin, ours.endpointId, { url });
    }
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    context.log.debug({ code: error.code }, 'the demo runs without webhooks');
  }
}

async function findDemoEndpoint({ sql }: ApiContext, { operatorId }: Operator): Promise<StoredEndpoint | undefined> {
  const endpoints = await listEndpoints(sql, { operatorId });
  return endpoints.find(({ url }) => new URL(url).pathname === DEMO_WEBHOOKS);
}

const KEPT_BYTES = 16 * 1024 * 1024;
const MOST_EVENTS = 100;

const envelope = z.object({
  type: z.string(),
  dedupeKey: z.string(),
  data: z.looseObject({ externalUserId: z.string().startsWith('demo-') }),
});

/** An event as the page reads it. */
interface ReceivedEvent {
  /** Rises with each delivery that this process received. */
  readonly number: number;
  readonly type: string;
  readonly dedupeKey: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface DemoMailbox {
  /** @returns whether the signature is valid; an event that is not about a demo customer is acknowledged and dropped */
  take(operator: Operator, body: string, signature: string): Promise<boolean>;
  /** Events of one customer after a number; all of them if the number is not from this process. */
  read(user: string, after: number): { readonly events: readonly ReceivedEvent[]; readonly last: number };
}

export function createDemoMailbox(context: ApiContext): DemoMailbox {
  const box = createSecretBox(context.secrets);
  const kept = new LRUCache<string, ReceivedEvent[]>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (events, user) => (JSON.stringify(events).length + user.length) * 2,
  });
  let last = 0;
  return {
    async take(operator, body, signature) {
      const endpoint = await findDemoEndpoint(context, operator);
      if (endpoint === undefined) {
        return false;
      }
      const seconds = Math.floor(context.clock.now().getTime() / 1000);
      const secret = box.open(endpoint.endpointId, endpoint.secretSealed);
      if (!verifySignature(secret, signature, body, seconds).valid) {
        return false;
      }
      const { success, data: event } = envelope.safeParse(JSON.parse(body));
      if (success) {
        last += 1;
        const before = kept.get(event.data.externalUserId) ?? [];
        kept.set(event.data.externalUserId, [...before, { number: last, ...event }].slice(-MOST_EVENTS));
      }
      return true;
    },
    read: (user, after) => ({
      events: (kept.get(user) ?? []).filter(({ number }) => after > last || number > after),
      last,
    }),
  };
}
