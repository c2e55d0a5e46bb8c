/** `ledger months move`: moves what is old of feed, ledger and webhooks to a tablespace on a cheaper disk. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { Failure } from '../../../cli/failure.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { isLockTimeout } from '../../../db/database-errors.ts';
import { loadLogSigner, logVerifierKey } from '../../../ledger/transparency-log/log-signer.ts';
import { verifyFeed } from '../../../ledger/transparency-log/verify-feed.ts';
import { endOfOldMonths } from '../../../operations/fact-months/fact-parts.ts';
import { moveAttempts } from '../../../operations/fact-months/move-attempts.ts';
import { moveEventData } from '../../../operations/fact-months/move-event-data.ts';
import { moveOldFacts } from '../../../operations/fact-months/move-old-facts.ts';
import type { MovedFacts, MovedPart } from '../../../operations/fact-months/move-part.ts';
import { AnotherRun } from '../../../operations/fact-months/only-run.ts';

const HOURS_12 = 12 * 3_600_000;

export default class LedgerMonthsMove extends OperatorCommand<typeof LedgerMonthsMove> {
  static override summary = 'Move old months of feed, ledger, webhook events and attempts to a tablespace.';
  static override description =
    'Each part is copied, compared with the original and exchanged while the service goes on; its tables are locked for some milliseconds. What the newest checkpoint and seals do not cover, or what does not fit them, stays. Of webhook events only their data is moved, and the log of attempts by weeks. A run that was ended can be repeated. A superuser of the database makes the tablespace first.';
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

  /** `events`: webhook events whose data was moved. */
  async run(): Promise<MovedFacts & { events: number }> {
    const { to: tablespace, 'keep-months': keepMonths } = this.flags;
    await this.confirm(
      `Move months of feed, ledger, webhook events and attempts older than ${keepMonths} months to the tablespace ${tablespace}?`,
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
    const onMoved = ({ part, rows, lockedMs }: MovedPart) =>
      this.say(`Moved ${part}: ${rows.toLocaleString('en')} rows, its tables locked for ${lockedMs} ms.`);
    const facts = await untilRefused(() =>
      moveOldFacts(owner, {
        tablespace,
        keepMonths,
        checkFeed: async (operatorId) => {
          const { fault } = await verifyFeed(sql, operatorId, logVerifierKey(operatorId, signer));
          return fault === null ? null : fault.reason;
        },
        onMoved,
      }),
    );
    const before = await endOfOldMonths(owner, keepMonths);
    const attempts = await untilRefused(() => moveAttempts(owner, { tablespace, before, onMoved }));
    const result = { moved: [...facts.moved, ...attempts.moved], waiting: [...facts.waiting, ...attempts.waiting] };
    for (const { part, reason, detail } of result.waiting) {
      this.note(`${part} stays (${reason}): ${detail}`);
    }
    const events = await untilRefused(() => moveEventData(owner, { tablespace, before }));
    if (events > 0) {
      this.say(`Moved the data of ${events.toLocaleString('en')} webhook events.`);
    }
    if (result.moved.length + result.waiting.length + events === 0) {
      this.say('Nothing to do: no month is old enough, or all of them are there.');
    }
    return { ...result, events };
  }
}

async function untilRefused<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AnotherRun) {
      throw new Failure('already_running', 'Another run of this command is moving facts.');
    }
    throw isLockTimeout(error)
      ? new Failure('tables_in_use', 'Another statement uses the table of old event data.', {
          next: 'Run the command again; what was moved stays moved.',
        })
      : error;
  }
}
