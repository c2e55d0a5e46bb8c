/** What a sample of the reference needs to be there, made in a tenant of its own, and the ids that take the place of those it shows. */
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { listDeliveries } from '../../src/webhooks/deliveries.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { relayEvents } from '../../src/webhooks/relay.ts';
import type { Operation } from '../../tools/site/described-api.ts';
import type { Tenant } from '../support/tenant.ts';
import type { Live, World } from '../support/world.ts';

const USER = 'player-1';

export interface Subject {
  readonly key: string;
  /** Of the frame's operations. */
  readonly token: string;
  /** The code of a sample with what exists instead of what it shows. */
  insert(code: string): string;
}

export async function makeSubject(live: Live, { operationId, path }: Operation): Promise<Subject> {
  const tenant = await live.tenant({ mode: 'sandbox' });
  const call = async (method: string, address: string, body?: object) => {
    const answer = await live.request(method, `/api/v1/${address}`, {
      key: tenant.key,
      user: USER,
      ...(body && { body }),
    });
    if (answer.status >= 300) {
      throw new Error(`${method} ${address} for ${operationId}: ${answer.text}`);
    }
    return answer.body;
  };
  const minted = await call('POST', 'embed-sessions', { externalUserId: USER });
  const needs: Readonly<Record<string, () => Promise<string>>> = {
    order: async () => (await tenant.place(USER)).body.orderId,
    intent: async () => (await tenant.place(USER, { executionIntent: 'record_intent' })).body.orderId,
    position: async () => {
      await tenant.place(USER);
      return (await call('GET', 'positions')).positions[0].positionId;
    },
    quote: async () => (await tenant.quote(USER)).body.quoteId,
    session: async () => minted.sessionId,
    deposit: async () => (await call('POST', 'funding/deposit-address', { symbol: 'USDC', chainId: 1 })).depositId,
    scenario: async () =>
      (await call('POST', 'sandbox/scenarios', { kind: 'partial_fill', fillFraction: 0.5 })).scenarioId,
    delivery: async () => {
      const { operatorId } = tenant.operator;
      const admin = { ...(await createEndpointAdmin(live.context)), policy: { allowLoopback: true } };
      await addEndpoint(admin, operatorId, 'http://127.0.0.1:9/hooks', []);
      await tenant.place(USER);
      await relayEvents(live.sql);
      const [delivery] = await listDeliveries(live.sql, { operatorId, limit: 1 });
      return delivery?.deliveryId ?? '';
    },
  };
  const need = needOf(operationId, path);
  const id = need === null ? '' : ((await needs[need]?.()) ?? '');
  await addFacts(live, tenant, operationId);
  return {
    key: tenant.key,
    token: minted.token,
    insert: (code) =>
      code
        .replaceAll('http://127.0.0.1:8080', live.url)
        .replaceAll(/\bctr_[0-9a-z]{26}\b/g, live.market.contractId)
        .replaceAll(/\bevt_[0-9a-z]{26}\b/g, live.market.eventId)
        .replaceAll(/\b(?:ord|pos|qt|ses|dep|scn|dlv)_[0-9a-f]{32}(?:_\d+)?\b/g, id),
  };
}

function needOf(operationId: string, path: string): string | null {
  if (operationId === 'cancelOrder' || operationId === 'confirmReserve') {
    return 'intent';
  }
  if (operationId === 'createOrder' || operationId === 'createFrameOrder') {
    return 'quote';
  }
  if (operationId === 'resolvePosition') {
    return 'position';
  }
  if (operationId === 'resendWebhookDelivery') {
    return 'delivery';
  }
  const [, noun] = /\/(order|position|deposit|scenario|embed-session)s\/\{id\}/.exec(path) ?? [];
  return noun === 'embed-session' ? 'session' : (noun ?? null);
}

/** The proofs and the export are of what happened. */
async function addFacts(service: World, tenant: Tenant, operationId: string): Promise<void> {
  if (/^(?:getFeed|exportReconciliation|readReconciliationFeed)/.test(operationId)) {
    await tenant.place(USER);
    const { environment, secrets } = service.context;
    await sealFeeds(service.sql, loadLogSigner(environment, secrets));
  }
}
