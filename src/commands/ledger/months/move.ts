/** `ledger months move`: moves what is old of feed and ledger to a tablespace on a cheaper disk. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { Failure } from '../../../cli/failure.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { loadLogSigner, logVerifierKey } from '../../../ledger/transparency-log/log-signer.ts';
import { verifyFeed } from '../../../ledger/transparency-log/verify-feed.ts';
import {
  AnotherRun,
  type MovedPart,
  moveOldFacts,
  type WaitingPart,
} from '../../../operations/fact-months/move-old-facts.ts';

const HOURS_12 = 12 * 3_600_000;

export default class LedgerMonthsMove extends OperatorCommand<typeof LedgerMonthsMove> {
  static override summary = 'Move old months of feed and ledger to a tablespace.';
  static override description =
    'Each part is copied, compared with the original and exchanged while the service goes on; its tables are locked for some milliseconds. What the newest checkpoint and seals do not cover, or what does not fit them, stays. A run that was ended can be repeated. A superuser of the database makes the tablespace first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to cold --yes',
    '<%= config.bin %> <%= command.id %> --to cold --keep-months 24',
  ];
  static override flags = {
    to: Flags.string({ helpValue: 'NAME', summary: 'Tablespace that the months are moved to.', required: true }),
    'keep-months': Flags.integer({
      helpValue: 'N',
      summary: 'Complete months that stay where they are, beside the running one.',
      default: 12,
      min: 1,
      max: 600,
    }),
    ...yesFlag,
  };

  async run(): Promise<{ moved: MovedPart[]; waiting: WaitingPart[] }> {
    const { to: tablespace, 'keep-months': keepMonths } = this.flags;
    await this.confirm(
      `Move months of feed and ledger older than ${keepMonths} months to the tablespace ${tablespace}?`,
    );
    const { sql, environment, secrets } = await this.openContext();
    const signer = loadLogSigner(environment, secrets);
    const owner = await this.openAsOwner({ deadlineMs: HOURS_12 });
    const [found] = await owner`select 1 from pg_tablespace where spcname = ${tablespace}`;
    if (found === undefined) {
      throw new Failure('unknown_tablespace', `The database has no tablespace ${tablespace}.`, {
        next: `Create it as a superuser: create tablespace ${tablespace} owner OWNER location '/folder/on/the/other/disk'`,
      });
    }
    const result = await move(() =>
      moveOldFacts(owner, {
        tablespace,
        keepMonths,
        checkFeed: async (operatorId) => {
          const { fault } = await verifyFeed(sql, operatorId, logVerifierKey(operatorId, signer));
          return fault === null ? null : fault.reason;
        },
        onMoved: ({ part, rows, lockedMs }) =>
          this.say(`Moved ${part}: ${rows.toLocaleString('en')} rows, its tables locked for ${lockedMs} ms.`),
      }),
    );
    for (const { part, reason, detail } of result.waiting) {
      this.note(`${part} stays (${reason}): ${detail}`);
    }
    if (result.moved.length === 0 && result.waiting.length === 0) {
      this.say('Nothing to do: no month is old enough, or all of them are there.');
    }
    return result;
  }
}

async function move<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AnotherRun
      ? new Failure('already_running', 'Another run of this command is moving facts.')
      : error;
  }
}
