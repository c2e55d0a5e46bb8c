/** The only thing the sender takes. It can be made in no other way than by signing, so an unsigned delivery cannot be written down. */
import { signatureHeader } from '../../core/secrets/webhook-signature.ts';

/** A fact as it is told to an endpoint; `data` is the payload's JSON text, sent byte for byte as it was recorded. */
export interface Notice {
  readonly eventId: string;
  readonly type: string;
  readonly dedupeKey: string;
  readonly data: string;
}

export class SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly #signed = true;

  private constructor(url: string, headers: Readonly<Record<string, string>>, body: Buffer) {
    this.url = url;
    this.headers = headers;
    this.body = body;
  }

  /**
   * Writes the envelope for one attempt and signs exactly the bytes that go out.
   * @param secret the endpoint's whole `whsec_…` string.
   * @param at when this attempt is made: it is both `createdAt` and `t`, so they are fresh per attempt.
   */
  static sign(url: string, secret: string, notice: Notice, at: Date): SignedRequest {
    if (!secret.startsWith('whsec_')) {
      throw new Error('a delivery is signed with a whsec_ secret or not at all');
    }
    const head = JSON.stringify({
      id: notice.eventId,
      type: notice.type,
      dedupeKey: notice.dedupeKey,
      createdAt: at.toISOString(),
    });
    const body = Buffer.from(`${head.slice(0, -1)},"data":${notice.data}}`);
    const signature = signatureHeader(secret, Math.floor(at.getTime() / 1000), body);
    const headers = {
      'content-type': 'application/json',
      'service-signature': signature,
      'x-webhook-signature': signature,
      'service-event-type': notice.type,
      'user-agent': 'Service-Webhooks/1',
    };
    return new SignedRequest(url, headers, body);
  }

  /** Whether a value came out of `sign`, whatever its type claims. */
  static isSigned(value: object): value is SignedRequest {
    return #signed in value && value.#signed;
  }
}
