/** The webhooks of a run: receivers on loopback, the deliveries they verified, and what must be undone at the end. */
import { ApiError } from '../../client/create-client.ts';
import type { WebhookEvent } from '../../client/verify-webhook.ts';
import { type ApiClient, waitForRequests } from '../service/api.ts';
import { type ReceivedWebhook, startWebhookListener } from '../service/webhook-listener.ts';

export class Deliveries {
  readonly #events: WebhookEvent[] = [];
  readonly #refusals: string[] = [];
  readonly #note: (text: string) => void;
  #open = 0;
  #toldOfNone = false;
  #undo: (() => Promise<void>)[] = [];

  /** @param note called for each refused delivery. */
  constructor(note: (text: string) => void) {
    this.#note = note;
  }

  /** Whether a receiver is listening. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** What arrived with a good signature, in order. */
  get events(): readonly WebhookEvent[] {
    return this.#events;
  }

  /** Why others were answered 401. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /**
   * @param port 0 chooses a free one. @param secret undefined until it is known.
   * @param undo run when this receiver closes, before it does.
   * @throws the system's error if the port is in use.
   */
  async listen(port: number, secret: () => string | undefined): Promise<string> {
    const onWebhook = (webhook: ReceivedWebhook) => this.#take(webhook);
    const listener = await startWebhookListener({ host: '127.0.0.1', port, secret, forwardTo: undefined, onWebhook });
    this.#open += 1;
    this.atEnd(async () => {
      this.#open -= 1;
      await listener.close();
    });
    return listener.url;
  }

  /** Notes once that there is no receiver, so that an emitted event is not mistaken for a delivered one. */
  tellOfNone(): void {
    if (!this.#toldOfNone) {
      this.#toldOfNone = true;
      this.#note(
        'No receiver: webhook steps pass when the event was emitted (feed item webhook.emitted), whether delivered or not. Add --webhook-port and --webhook-secret, or an endpoint step.',
      );
    }
  }

  /** @param undo run by the next `closeTo`, the last one first. */
  atEnd(undo: () => Promise<void>): void {
    this.#undo.push(undo);
  }

  /** The number of things to undo: what a file adds is undone when it ends. */
  get depth(): number {
    return this.#undo.length;
  }

  async closeTo(depth: number): Promise<void> {
    for (const undo of this.#undo.splice(depth).reverse()) {
      await undo();
    }
  }

  #take({ event, reason }: ReceivedWebhook): void {
    if (reason === null) {
      this.#events.push(event as WebhookEvent);
      return;
    }
    this.#refusals.push(reason);
    this.#note(
      `A delivery was answered 401: ${reason.replaceAll('_', ' ')}. Check that the secret belongs to this endpoint.`,
    );
  }
}

/** The end of each key's feed before a scenario ran, so that earlier items do not count. */
export class FeedMarks {
  readonly #isNeeded: boolean;
  readonly #marks = new Map<string, Promise<string | undefined>>();

  readonly #onWait: (seconds: number) => void;

  /** @param onWait called before the run's own key waits for its requests of the next minute. */
  constructor(isNeeded: boolean, onWait: (seconds: number) => void) {
    this.#isNeeded = isNeeded;
    this.#onWait = onWait;
  }

  /**
   * Read once per key.
   * @param key of a step; undefined is the run's own.
   * @throws ApiError where the feed of the run's own key cannot be read.
   */
  of(api: ApiClient, key: string | undefined): Promise<string | undefined> {
    if (!this.#isNeeded) {
      return Promise.resolve(undefined);
    }
    const known = this.#marks.get(key ?? '');
    // a step may use a key that is to be refused: its feed then starts at the beginning
    const mark = known ?? (key === undefined ? readEnd(api, this.#onWait) : readEnd(api).catch(() => undefined));
    this.#marks.set(key ?? '', mark);
    return mark;
  }
}

interface FeedEnd {
  readonly nextCursor?: string;
  readonly hasMore?: boolean;
}

async function readEnd(api: ApiClient, onWait?: (seconds: number) => void): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const ask = () => readPage(api, cursor);
    const body = await (onWait === undefined ? ask() : waitForRequests(ask, { onWait }));
    cursor = body.nextCursor;
    if (body.hasMore !== true) {
      return cursor;
    }
  }
}

async function readPage(api: ApiClient, cursor: string | undefined): Promise<FeedEnd> {
  const query = { cursor, limit: 500 };
  const { status, body } = await api.send<FeedEnd>('GET', '/api/v1/reconciliation/feed', { query });
  if (status >= 400) {
    throw new ApiError(status, undefined, body);
  }
  return body;
}
