/** `embed-sessions revoke-all`: ends the sessions of an operator, or of one customer, at once. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { operatorText } from '../../cli/questions.ts';
import { revokeSessions } from '../../embed/sessions.ts';
import { getOperator } from '../../operators/operators.ts';

interface Revoked {
  readonly operatorId: string;
  readonly externalUserId: string | null;
  readonly revoked: number;
}

export default class RevokeAll extends OperatorCommand<typeof RevokeAll> {
  static override hidden = true;
  static override withKey = 'embed-sessions revoke SESSION';
  static override summary = 'End all embed sessions of an operator, or of one of its customers.';
  static override description =
    'This is a command of the service operator. "keys revoke" ends only the sessions that the key minted.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --yes',
    '<%= config.bin %> <%= command.id %> --operator lucky-casino --user player-1 --yes',
  ];
  static override flags = {
    ...yesFlag,
    ...operatorFlag,
    user: Flags.string({ helpValue: 'USER', summary: "Only sessions of this customer: the operator's own id." }),
  };

  async run(): Promise<Revoked> {
    const { operator, user = null } = this.flags;
    const { sql } = await this.openContext();
    const { operatorId, ...named } = await getOperator(sql, operator);
    await this.confirm(
      `End all embed sessions of ${user === null ? '' : `${user} of `}${operatorText(named)}? Their frames ask for new ones.`,
    );
    const revoked = await revokeSessions(sql, operatorId, user);
    this.say(`${revoked} sessions ended.`);
    return { operatorId, externalUserId: user, revoked };
  }
}
