/** `ledger months begin`: keeps feed and ledger in partitions by month from now on. */
import { yesFlag } from '../../../cli/base-command.ts';
import { Failure } from '../../../cli/failure.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { isLockTimeout } from '../../../db/database-errors.ts';
import { beginFactMonths } from '../../../operations/fact-months/fact-months.ts';

export default class LedgerMonthsBegin extends OperatorCommand<typeof LedgerMonthsBegin> {
  static override summary = 'Keep feed and ledger in partitions by month from now on.';
  static override description =
    'Begins the running month; a worker begins those that follow. What was recorded before stays where it is, and all of it is read as before. It can be repeated, and cannot be taken back.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    'DATABASE_OWNER_URL=postgres://inlay_owner@db/inlay <%= config.bin %> <%= command.id %> --yes',
  ];
  static override flags = yesFlag;

  async run(): Promise<{ begun: boolean }> {
    await this.confirm('Keep feed and ledger by month from now on? It cannot be taken back.');
    const begun = await begin(() => this.openAsOwner().then(beginFactMonths));
    this.say(begun ? 'The running month has begun.' : 'Nothing to do: the running month had begun before.');
    return { begun };
  }
}

async function begin(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    throw isLockTimeout(error)
      ? new Failure('tables_in_use', 'Another statement uses the tables of feed or ledger. Nothing was changed.', {
          next: 'Run the command again when no long report, export or dump is running.',
        })
      : error;
  }
}
