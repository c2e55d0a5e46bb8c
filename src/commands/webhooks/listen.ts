/** `webhooks listen`: a local receiver that checks signatures, prints each event and can forward it. */
import { createInterface } from 'node:readline';
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { type ReceivedWebhook, startWebhookListener } from '../../cli/service/webhook-listener.ts';
import { EXIT } from '../../core/errors.ts';
import { untilAskedToStop } from '../../core/processes.ts';
import { getOperator } from '../../operators/operators.ts';
import { addEndpoint, createEndpointAdmin, removeEndpoint } from '../../webhooks/endpoints.ts';

export default class WebhooksListen extends OperatorCommand<typeof WebhooksListen> {
  static override summary = 'Receive webhooks on this machine and check their signatures.';
  static override description =
    'The receiver answers 200 if the signature is valid and 401 otherwise, until it is interrupted. With --operator it registers an endpoint for as long as it runs, which needs the database. Without --operator and --secret it reads the secret as a line from stdin, so that you can first register the printed URL.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --forward-to http://127.0.0.1:3000/hooks',
    '<%= config.bin %> <%= command.id %> --port 4242 --secret whsec_...',
    '<%= config.bin %> <%= command.id %> --port 4242 --secret whsec_... --forward-to http://127.0.0.1:3000/hooks --json',
  ];
  static override flags = {
    port: Flags.integer({
      helpValue: 'PORT',
      default: 0,
      min: 0,
      max: 65_535,
      summary: 'Port to listen on; by default a free one.',
    }),
    host: Flags.string({ helpValue: 'HOST', default: '127.0.0.1', summary: 'Address to listen on.' }),
    operator: Flags.string({
      helpValue: 'SLUG',
      exclusive: ['secret'],
      summary: 'Operator for which an endpoint is registered; it is removed at the end.',
    }),
    event: Flags.string({
      helpValue: 'TYPE',
      multiple: true,
      dependsOn: ['operator'],
      summary: 'Only events of this type; repeatable.',
    }),
    secret: Flags.string({ helpValue: 'SECRET', summary: 'Signing secret of the endpoint (whsec_...).' }),
    'forward-to': Flags.string({
      helpValue: 'URL',
      summary: 'URL to which verified events are forwarded, with their bytes and signature.',
    }),
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
    const registered = await this.register(listener.url);
    secret ??= registered?.secret;
    if (secret === undefined) {
      this.note('There is no --secret: paste it here (whsec_...). Until then every event is answered with 401.');
      createInterface({ input: process.stdin }).once('line', (text) => {
        secret = text.trim() || undefined;
      });
    }
    await asked;
    await registered?.remove();
    await listener.close();
    this.endWith(EXIT.interrupted);
  }

  /** Undefined without --operator. */
  private async register(url: string): Promise<{ secret: string; remove(): Promise<unknown> } | undefined> {
    const { operator, event = [] } = this.flags;
    if (operator === undefined) {
      return undefined;
    }
    const context = await this.openContext();
    const { operatorId } = await getOperator(context.sql, operator);
    const admin = await createEndpointAdmin(context);
    const { endpointId, secret } = await addEndpoint(admin, operatorId, url, event);
    this.note(`Registered as ${endpointId} of ${operator}; it is removed when this ends.`);
    return { secret, remove: () => removeEndpoint(admin, endpointId) };
  }

  private line({ receivedAt, verified, reason, status, event, forward }: ReceivedWebhook): string {
    const { type = '?', dedupeKey = '?' } = (event ?? {}) as { type?: string; dedupeKey?: string };
    const mark = verified ? this.paint('green', 'good') : this.paint('red', String(reason));
    const handed = forward === null ? '' : `  forwarded: ${forward.status ?? forward.error}`;
    return `${receivedAt}  ${status}  ${mark}  ${type}  ${dedupeKey}${handed}`;
  }
}
