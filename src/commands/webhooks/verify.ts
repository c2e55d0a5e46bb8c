/** `webhooks verify`: checks one signature against the raw body on stdin. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { verifyWebhook, type WebhookEvent, WebhookRejected } from '../../client/verify-webhook.ts';
import { EXIT } from '../../core/errors.ts';
import { SIGNATURE_TOLERANCE_S } from '../../core/secrets/webhook-signature.ts';

type Verdict =
  | { readonly valid: true; readonly event: WebhookEvent }
  | { readonly valid: false; readonly reason: WebhookRejected['reason'] };

export default class WebhooksVerify extends BaseCommand<typeof WebhooksVerify> {
  static override summary = 'Check the signature of a webhook; its raw body is read from stdin.';
  static override description = 'Exit code 0 if it is valid, otherwise 1.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --secret whsec_... --signature "t=1750000000,v1=..." < body.json',
  ];
  static override flags = {
    secret: Flags.string({ required: true, summary: 'Signing secret of the endpoint (whsec_...).' }),
    signature: Flags.string({ required: true, summary: 'Value of the service-signature header.' }),
    tolerance: Flags.integer({
      default: SIGNATURE_TOLERANCE_S,
      min: 0,
      summary: 'Largest difference between the time of the signature and now, in seconds.',
    }),
  };

  async run(): Promise<Verdict> {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const { secret, tolerance } = this.flags;
    const signature = this.flags.signature.replace(/^[a-z-]+-signature:\s*/i, '');
    try {
      const body = Buffer.concat(chunks);
      const event = verifyWebhook({ body, signature, secret, toleranceSeconds: tolerance });
      this.say('The signature is good.');
      return { valid: true, event };
    } catch (error) {
      if (!(error instanceof WebhookRejected)) {
        throw error;
      }
      this.say(`The webhook is not good: ${error.reason}.`);
      this.endWith(EXIT.refused);
      return { valid: false, reason: error.reason };
    }
  }
}
