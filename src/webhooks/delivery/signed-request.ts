/**
 * The only input that the sender accepts. It can be made only by signing, so the type system excludes unsigned
 * deliveries.
 */
import { signatureHeader } from '../../core/webhook-signature.ts';

/**
 * A fact in the form that is sent to an endpoint; `data` is the payload's JSON text, sent byte for byte as it was
 * recorded.
 */
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
   * Writes the envelope of one attempt and signs exactly the bytes that are sent.
   * @param secret the endpoint's whole `whsec_…` string
   * @param at when this attempt is made; both `createdAt` and `t` have this value, so they are new in each attempt
   */
  static sign(url: string, secret: string, notice: Notice, at: Date): SignedRequest {
    if (!secret.startsWith('whsec_')) {
      throw new Error('a delivery must be signed with a whsec_ secret');
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
