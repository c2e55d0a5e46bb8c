/** `webhooks listen`: webhook events on this machine, those of a key as they are recorded, or with a port those that are sent here. */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { type FollowedEvent, followEvents } from '../../cli/service/follow-events.ts';
import {
  type Forwarded,
  forwardBody,
  type ReceivedWebhook,
  startWebhookListener,
} from '../../cli/service/webhook-listener.ts';
import { EXIT } from '../../core/errors.ts';
import { untilAskedToStop } from '../../core/processes.ts';
import { deliveryHeaders } from '../../core/webhook-signature.ts';

const SECRET_BYTES = 32;

interface ForwardedEvent {
  readonly receivedAt: string;
  readonly event: FollowedEvent;
  /** Null without --forward-to. */
  readonly forward: Forwarded | null;
}

export default class WebhooksListen extends PartnerCommand<typeof WebhooksListen> {
  static override summary = 'Receive webhook events on this machine, and forward them.';
  static override description = [
    'Follows the events of your key from now on, with or without an endpoint, and prints each. With --forward-to each is sent on as the service would deliver it, signed with --secret, or with a secret that is made and printed for your receiver.',
    'With --port it is a receiver instead, for an endpoint that the service operator registered for this machine. It answers 200 if the signature is valid and 401 otherwise. Without --secret it reads the secret as a line from stdin, so that you can first register the printed URL.',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> --forward-to http://127.0.0.1:3000/hooks',
    '<%= config.bin %> <%= command.id %> --event order.filled --event position.settled --json',
    '<%= config.bin %> <%= command.id %> --port 4242 --secret whsec_... --forward-to http://127.0.0.1:3000/hooks',
  ];
  static override flags = {
    'forward-to': Flags.string({ helpValue: 'URL', summary: 'URL to which events are forwarded, with a signature.' }),
    secret: Flags.string({
      helpValue: 'SECRET',
      summary: 'Secret that signs what is forwarded, or with --port that of the endpoint (whsec_...).',
    }),
    event: Flags.string({
      helpValue: 'TYPE',
      multiple: true,
      default: [],
      summary: 'Only events of this type; repeatable. Not with --port.',
    }),
    port: Flags.integer({
      helpValue: 'PORT',
      min: 0,
      max: 65_535,
      summary: 'Port of a receiver on this machine; 0 chooses a free one.',
    }),
    host: Flags.string({ helpValue: 'HOST', dependsOn: ['port'], summary: 'Address of the receiver; 127.0.0.1.' }),
  };

  protected override readonly handlesSignals = true;

  async run(): Promise<void> {
    const asked = untilAskedToStop();
    const forwardTo = this.flags['forward-to'];
    if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
      throw usage(`--forward-to ${forwardTo} is not an http or https URL.`);
    }
    const { port } = this.flags;
    await (port === undefined ? this.#follow(forwardTo, asked) : this.#receive(port, forwardTo, asked));
    this.endWith(EXIT.interrupted);
  }

  async #follow(forwardTo: string | undefined, asked: Promise<unknown>): Promise<void> {
    const stopping = new AbortController();
    asked.then(() => stopping.abort()).catch(() => {});
    const secret = this.flags.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const made = forwardTo === undefined || this.flags.secret !== undefined ? null : secret;
    const events = followEvents(this.client, {
      types: this.flags.event,
      signal: stopping.signal,
      onReady: () => this.emit({ following: this.apiUrl, forwardTo: forwardTo ?? null, secret: made }, startText),
      onWait: ({ message }, seconds) => this.note(`${message} Trying again in ${seconds} s.`),
    });
    for await (const event of events) {
      const receivedAt = new Date();
      const body = JSON.stringify(event);
      const forward =
        forwardTo === undefined
          ? null
          : await forwardBody(forwardTo, deliveryHeaders(event.type, secret, receivedAt, body), body);
      this.emit({ receivedAt: receivedAt.toISOString(), event, forward }, eventText);
      if (stopping.signal.aborted) {
        break;
      }
    }
  }

  async #receive(port: number, forwardTo: string | undefined, asked: Promise<unknown>): Promise<void> {
    let { secret } = this.flags;
    const { host = '127.0.0.1' } = this.flags;
    const onWebhook = (webhook: ReceivedWebhook) => this.emit(webhook, (one) => this.#deliveryText(one));
    const listener = await startWebhookListener({ host, port, secret: () => secret, forwardTo, onWebhook }).catch(
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw usage(`Cannot listen on ${host}:${port}: ${reason}.`, 'Choose another address with --host or --port.');
      },
    );
    this.emit({ url: listener.url }, ({ url }) => `Listening on ${url}`);
    if (secret === undefined) {
      this.note('There is no --secret: paste it here (whsec_...). Until then every event is answered with 401.');
      createInterface({ input: process.stdin }).once('line', (text) => {
        secret = text.trim() || undefined;
      });
    }
    await asked;
    await listener.close();
  }

  #deliveryText({ receivedAt, verified, reason, status, event, forward }: ReceivedWebhook): string {
    const { type = '?', dedupeKey = '?' } = (event ?? {}) as { type?: string; dedupeKey?: string };
    const mark = verified ? this.paint('green', 'good') : this.paint('red', String(reason));
    return `${receivedAt}  ${status}  ${mark}  ${type}  ${dedupeKey}${forwardText(forward)}`;
  }
}

interface Start {
  readonly following: string;
  readonly forwardTo: string | null;
  /** The secret that was made; null if it was given or nothing is forwarded. */
  readonly secret: string | null;
}

const startText = ({ following, forwardTo, secret }: Start): string =>
  [
    `Following the webhook events of your key at ${following}`,
    ...(forwardTo === null ? [] : [`Forwarding them to ${forwardTo}`]),
    ...(secret === null ? [] : [`Signing secret for your receiver: ${secret}`]),
  ].join('\n');

const eventText = ({ receivedAt, event, forward }: ForwardedEvent): string =>
  `${receivedAt}  ${event.type}  ${event.dedupeKey}${forwardText(forward)}`;

const forwardText = (forward: Forwarded | null): string =>
  forward === null ? '' : `  forwarded: ${forward.status ?? forward.error}`;
