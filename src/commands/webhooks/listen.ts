/** `webhooks listen`: a local receiver that checks signatures, prints each event and can forward it. */
import { createInterface } from 'node:readline';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { type ReceivedWebhook, startWebhookListener } from '../../cli/service/webhook-listener.ts';
import { EXIT } from '../../core/errors.ts';
import { untilAskedToStop } from '../../core/stopping.ts';

export default class WebhooksListen extends BaseCommand<typeof WebhooksListen> {
  static override summary = 'Receive webhooks on this machine and check their signatures.';
  static override description =
    'Answers 200 to a good signature and 401 otherwise, until it is interrupted. Without --secret it reads the secret as a line from stdin, so that you can first register the printed URL with "inlay webhooks add --url".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --port 4242 --secret whsec_...',
    '<%= config.bin %> <%= command.id %> --port 4242 --secret whsec_... --forward-to http://127.0.0.1:3000/hooks --json',
  ];
  static override flags = {
    port: Flags.integer({ default: 0, min: 0, max: 65_535, summary: 'Port; by default a free one.' }),
    host: Flags.string({ default: '127.0.0.1', summary: 'Address to listen on.' }),
    secret: Flags.string({ summary: 'Signing secret of the endpoint (whsec_...).' }),
    'forward-to': Flags.string({ summary: 'URL to forward verified events to, with raw bytes and signature.' }),
  };

  protected override readonly handlesSignals = true;

  async run(): Promise<void> {
    const asked = untilAskedToStop();
    let { secret } = this.flags;
    const forwardTo = this.flags['forward-to'];
    if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
      throw usage(`--forward-to ${forwardTo} is not an http or https URL.`);
    }
    const { host, port } = this.flags;
    const onWebhook = (webhook: ReceivedWebhook) => this.emit(webhook, (one) => this.line(one));
    const listener = await startWebhookListener({ host, port, secret: () => secret, forwardTo, onWebhook }).catch(
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw usage(`Cannot listen on ${host}:${port}: ${reason}.`, 'Choose another address with --host or --port.');
      },
    );
    this.emit({ url: listener.url }, ({ url }) => `Listening on ${url}`);
    if (secret === undefined) {
      this.note('No --secret: paste it here (whsec_...); until then every event is answered 401.');
      createInterface({ input: process.stdin }).once('line', (text) => {
        secret = text.trim() || undefined;
      });
    }
    await asked;
    await listener.close();
    this.endWith(EXIT.interrupted);
  }

  private line({ receivedAt, verified, reason, status, event, forward }: ReceivedWebhook): string {
    const { type = '?', dedupeKey = '?' } = (event ?? {}) as { type?: string; dedupeKey?: string };
    const mark = verified ? this.paint('green', 'good') : this.paint('red', String(reason));
    const handed = forward === null ? '' : `  forwarded: ${forward.status ?? forward.error}`;
    return `${receivedAt}  ${status}  ${mark}  ${type}  ${dedupeKey}${handed}`;
  }
}
