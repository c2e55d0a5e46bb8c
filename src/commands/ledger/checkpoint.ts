/** `ledger checkpoint`: the newest signed checkpoint of an operator's feed, as it is stored. */
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import type { FeedCheckpoint } from '../../client/shapes.ts';
import { originOf } from '../../core/log-format/notes.ts';
import { getHead } from '../../ledger/log/prove-log.ts';
import { currentLogKey, loadLogSigner } from '../../ledger/log/sign-log.ts';
import { getOperator } from '../../operators/operators.ts';

export default class LedgerCheckpoint extends OperatorCommand<typeof LedgerCheckpoint> {
  static override hidden = true;
  static override withKey = 'feed checkpoint';
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show the newest signed checkpoint of an operator.';
  static override examples = ['<%= config.bin %> <%= command.id %> --operator demo'];
  static override flags = operatorFlag;

  async run(): Promise<FeedCheckpoint> {
    const { sql, environment, secrets } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const { size, root, note, sealedAt } = await getHead(sql, operatorId);
    if (!this.jsonEnabled()) {
      process.stdout.write(note);
    }
    return {
      origin: originOf(operatorId),
      size,
      root: root.toString('base64'),
      checkpoint: note,
      verifierKey: await currentLogKey(sql, operatorId, loadLogSigner(environment, secrets)),
      signedAt: sealedAt.toISOString(),
    };
  }
}
