/** `embed-sessions revoke`: ends a session at once. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { RevokedSession } from '../../client/shapes.ts';

export default class Revoke extends PartnerCommand<typeof Revoke> {
  static override summary = 'End an embed session; repeating the command changes nothing.';
  static override examples = ['<%= config.bin %> <%= command.id %> ses_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'];
  static override args = {
    id: Args.string({ required: true, description: 'Id of the session, from "embed-sessions mint".' }),
  };
  static override flags = yesFlag;

  async run(): Promise<RevokedSession> {
    await this.confirm(`End ${this.args.id}? Its frame asks for a new session at once.`);
    const revoked = await this.client.delete('/api/v1/embed-sessions/{id}', { path: { id: this.args.id } });
    this.say(`${revoked.sessionId} ended at ${revoked.revokedAt}`);
    return revoked;
  }
}
