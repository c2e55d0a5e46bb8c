/** `embed-sessions revoke`: ends a session at once. */
import { Args } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';

interface Revoked {
  readonly sessionId: string;
  readonly revokedAt: string;
}

export default class Revoke extends PartnerCommand<typeof Revoke> {
  static override summary = 'End an embed session; repeating it changes nothing.';
  static override examples = ['<%= config.bin %> <%= command.id %> ses_0197f1c2a0b37d3e8a6b1c5d9e2f4a60'];
  static override args = { id: Args.string({ required: true, description: 'The sessionId of the mint.' }) };

  async run(): Promise<Revoked> {
    const revoked = await this.api.delete<Revoked>(`/api/v1/embed-sessions/${encodeURIComponent(this.args.id)}`);
    this.say(`${revoked.sessionId} ended at ${revoked.revokedAt}`);
    return revoked;
  }
}
