/** The webhooks of a run: its receivers on loopback, the deliveries that they verified, and the clean-up at the end of each file. */
import type { WebhookEvent } from '../../client/verify-webhook.ts';
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

  /** Deliveries with a good signature, in the order in which they arrived. */
  get events(): readonly WebhookEvent[] {
    return this.#events;
  }

  /** The reason of each delivery that was answered 401. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /**
   * Opens one more receiver until the next `closeTo`.
   * @param port 0 chooses a free one
   * @param secret returns undefined until it is known
   * @returns the URL of the receiver
   * @throws the system's error if the port is in use
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

  /** Prints a note once if there is no receiver, so that an emitted event is not taken for a delivered one. */
  tellOfNone(): void {
    if (!this.#toldOfNone) {
      this.#toldOfNone = true;
      this.#note(
        'No receiver: webhook steps pass when the event was emitted (feed item webhook.emitted), whether delivered or not. Add --webhook-port and --webhook-secret, or an endpoint step.',
      );
    }
  }

  /** @param undo run by the next `closeTo`, which begins with the last one */
  atEnd(undo: () => Promise<void>): void {
    this.#undo.push(undo);
  }

  /** Number of actions to undo. At its end a file returns to the depth at which it began. */
  get depth(): number {
    return this.#undo.length;
  }

  /** @param depth number of actions that stay */
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
