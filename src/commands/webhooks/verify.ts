/** `webhooks verify`: checks one signature against the raw body on stdin. */
import { readFileSync } from 'node:fs';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { verifyWebhook, type WebhookEvent, WebhookRejected } from '../../client/verify-webhook.ts';
import { EXIT } from '../../core/errors.ts';
import { SIGNATURE_TOLERANCE_S } from '../../core/webhook-signature.ts';

type Verdict =
  | { readonly valid: true; readonly event: WebhookEvent }
  | { readonly valid: false; readonly reason: WebhookRejected['reason'] };

export default class WebhooksVerify extends BaseCommand<typeof WebhooksVerify> {
  static override summary = 'Check the signature of a webhook; its raw body is read from stdin.';
  static override description =
    'The exit code is 0 if the signature is valid, and otherwise 1. Put the secret into a file or into INLAY_WEBHOOK_SECRET: the list of processes and the history of the shell show the value of a flag.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --secret-file endpoint.secret --signature "t=1750000000,v1=..." < body.json',
  ];
  static override flags = {
    'secret-file': Flags.string({
      helpValue: 'FILE',
      exclusive: ['secret'],
      summary: 'File with the signing secret of the endpoint (whsec_...); by default INLAY_WEBHOOK_SECRET.',
    }),
    secret: Flags.string({ helpValue: 'SECRET', summary: 'Signing secret; --secret-file is safer.' }),
    signature: Flags.string({ helpValue: 'TEXT', required: true, summary: 'Value of the service-signature header.' }),
    tolerance: Flags.integer({
      helpValue: 'SECONDS',
      default: SIGNATURE_TOLERANCE_S,
      min: 0,
      summary: 'Largest difference between the time of the signature and now, in seconds.',
    }),
  };

  async run(): Promise<Verdict> {
    const secret = this.#secret();
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const { tolerance } = this.flags;
    const signature = this.flags.signature.replace(/^[a-z-]+-signature:\s*/i, '');
    try {
      const body = Buffer.concat(chunks);
      const event = verifyWebhook({ body, signature, secret, toleranceSeconds: tolerance });
      this.say('The signature is valid.');
      return { valid: true, event };
    } catch (error) {
      if (!(error instanceof WebhookRejected)) {
        throw error;
      }
      this.say(`The webhook is not valid: ${error.reason}.`);
      this.endWith(EXIT.refused);
      return { valid: false, reason: error.reason };
    }
  }

  #secret(): string {
    const { 'secret-file': file, secret } = this.flags;
    const given = secret ?? (file === undefined ? this.environment.webhookSecret : readSecret(file));
    if (given === undefined || given === '') {
      throw usage('The signing secret is missing.', 'Name a file with --secret-file, or set INLAY_WEBHOOK_SECRET.');
    }
    return given;
  }
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw usage(`--secret-file ${file} cannot be read.`);
  }
}
