/** An operator's webhook receiver in a simulated world: often slow, broken or silent, and it remembers what it acknowledged. */
import assert from 'node:assert/strict';
import { verifySignature } from '../../src/core/webhook-signature.ts';
import type { Sql } from '../../src/db/client.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import type { Chance } from '../support/random.ts';
import type { HttpAnswer, HttpRequest } from './network.ts';
import { SECRETS } from './secrets.ts';

export interface ReceiverFaults {
  /** Shares of requests: answered with an error, never answered, and told to come later. */
  readonly failed: number;
  readonly silent: number;
  readonly busy: number;
}

/** Clocks differ by minutes here. */
const ANY_AGE = Number.POSITIVE_INFINITY;

export const SOUND_RECEIVER: ReceiverFaults = { failed: 0, silent: 0, busy: 0 };

export class Receiver {
  readonly origin = 'https://receiver.simulated';
  readonly url = `${this.origin}/hooks`;
  /** How often each event was acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /** Requests that it refused or let go unanswered. */
  refused = 0;
  faults: ReceiverFaults = SOUND_RECEIVER;
  readonly #chance: Chance;
  #secret = '';

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Becomes an endpoint of the operator, for every kind of event. */
  async register(sql: Sql, operatorId: string): Promise<void> {
    const box = createSecretBox(SECRETS);
    const desk = { sql, box, policy: { allowLoopback: false }, resolveHost: async () => [] };
    this.#secret = (await addEndpoint(desk, operatorId, this.url, [])).secret;
  }

  answer({ headers, body }: HttpRequest): HttpAnswer | null {
    const signature = headers['service-signature'] ?? '';
    assert.ok(verifySignature(this.#secret, signature, body, 0, ANY_AGE).valid, 'a delivery is signed');
    const { failed, silent, busy } = this.faults;
    if (this.#chance.happens(silent)) {
      this.refused += 1;
      return null;
    }
    if (this.#chance.happens(failed + busy)) {
      this.refused += 1;
      return { status: this.#chance.happens(busy / (failed + busy)) ? 429 : 503, body: 'not now' };
    }
    const { id } = JSON.parse(body) as { id: string };
    this.acknowledged.set(id, (this.acknowledged.get(id) ?? 0) + 1);
    return { status: 200, body: 'ok' };
  }
}
