/** `ledger verify`: checks every feed item against its log. Exit 5 if one does not match. */

import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { type KeptCheckpoint, readCheckpointFile } from '../../cli/feed/log-files.ts';
import { oneOperatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { EXIT } from '../../core/errors.ts';
import { originOf } from '../../core/log-format/notes.ts';
import { withThousands } from '../../core/plain-words.ts';
import { loadSecrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import { type FeedVerdict, verifyFeed } from '../../ledger/log/prove-log.ts';
import { currentLogKey, loadLogSigner } from '../../ledger/log/sign-log.ts';

interface Verdict {
  readonly operatorId: string;
  readonly slug: string;
  readonly ok: boolean;
  /** The result for the feed: against its log and the newest checkpoint, or that of --expect. */
  readonly log: FeedVerdict;
}

export default class Verify extends OperatorCommand<typeof Verify> {
  static override hidden = true;
  static override withKey = 'feed verify FILE --checkpoint FILE';
  static override hiddenAliases = ['reconciliation:verify'];
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Check the feed against its log.';
  static override description =
    'The first item that does not match is printed. The log is in the database, and the owner of the database could rewrite it; --expect checks the feed against a checkpoint that is stored elsewhere.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --operator demo --json',
    '<%= config.bin %> <%= command.id %> --expect checkpoint.json',
  ];
  static override flags = {
    ...listFlags,
    ...oneOperatorFlag,
    expect: Flags.string({
      helpValue: 'FILE',
      summary: 'File with a stored checkpoint of an operator; by default the newest one of each operator.',
    }),
    key: Flags.string({
      helpValue: 'KEY',
      dependsOn: ['operator'],
      summary: 'Verifier key that you stored, an old or the present one; by default the configured key.',
    }),
  };

  async run(): Promise<{ ok: boolean; operators: Verdict[] }> {
    const { sql } = await this.openContext();
    const { expect } = this.flags;
    const kept = expect === undefined ? undefined : await readCheckpointFile(expect);
    const operators = await this.#verify(sql, kept);
    if (kept !== undefined && !operators.some(({ operatorId: id }) => originOf(id) === kept.checkpoint.origin)) {
      throw usage(`${expect} is a checkpoint of ${kept.checkpoint.origin}, which is not part of this check.`);
    }
    const ok = operators.every((verdict) => verdict.ok);
    await this.printList(operators, [
      { name: 'slug', title: 'operator', value: (row) => row.slug },
      { name: 'ok', value: (row) => (row.ok ? 'yes' : 'NO'), paint: (row) => (row.ok ? undefined : 'red') },
      { name: 'log.size', title: 'items', value: (row) => row.log.size, align: 'right' },
      { name: 'log.fault.sequence', title: 'first at item', value: (row) => row.log.fault?.sequence, align: 'right' },
      { name: 'log.fault.reason', title: 'what is wrong', wraps: true, value: (row) => row.log.fault?.reason },
    ]);
    if (!ok) {
      this.endWith(EXIT.expectationFailed);
    } else if (this.flags.output === 'table') {
      const items = operators.reduce((sum, { log }) => sum + log.size, 0);
      this.note(
        `${withThousands(items)} items of ${operators.length} feeds match their logs, and ${expect === undefined ? 'the newest checkpoints are' : `${expect} is`} signed by the keys of the logs.`,
      );
    }
    return { ok, operators };
  }

  async #verify(sql: Sql, kept: KeptCheckpoint | undefined): Promise<Verdict[]> {
    const signer = loadLogSigner(this.environment, loadSecrets(this.environment));
    const operators: Verdict[] = [];
    for (const { operatorId, slug } of await this.chosenOperators()) {
      const note = kept?.checkpoint.origin === originOf(operatorId) ? kept.note : undefined;
      const key = this.flags.key ?? (await currentLogKey(sql, operatorId, signer));
      const log = await verifyFeed(sql, operatorId, key, note);
      operators.push({ operatorId, slug, ok: log.ok, log });
    }
    return operators;
  }
}
