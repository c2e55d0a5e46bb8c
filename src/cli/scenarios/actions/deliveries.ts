/** Where webhooks arrive during a run: receivers on loopback, what they verified, and what is to be undone at the end. */
import type { WebhookEvent } from '../../../client/verify-webhook.ts';
import { type ReceivedWebhook, startWebhookListener } from '../../service/webhook-listener.ts';

export class Deliveries {
  readonly #events: WebhookEvent[] = [];
  readonly #refusals: string[] = [];
  readonly #note: (text: string) => void;
  #open = 0;
  #toldOfNone = false;
  #undo: (() => Promise<void>)[] = [];

  /** @param note told of each delivery that is refused. */
  constructor(note: (text: string) => void) {
    this.#note = note;
  }

  /** Whether any receiver listens. */
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
   * @param port 0 takes a free one. @param secret undefined as long as it is not known.
   * @param undo done when this receiver closes, before it does.
   * @throws the system's error where the port is taken.
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

  /** Says once that nothing listens, so that a raised event is not taken for a delivered one. */
  tellOfNone(): void {
    if (!this.#toldOfNone) {
      this.#toldOfNone = true;
      this.#note(
        'No receiver: webhook steps hold when the event was raised (feed item webhook.emitted), delivered or not. Add --webhook-port and --webhook-secret, or an endpoint step.',
      );
    }
  }

  /** @param undo done by the next `closeTo`, the last one first. */
  atEnd(undo: () => Promise<void>): void {
    this.#undo.push(undo);
  }

  /** How much there is to undo: what a file adds is undone when it ends. */
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
    this.#note(`A delivery was answered 401: ${reason.replaceAll('_', ' ')}. Is the secret that of this endpoint?`);
  }
}
