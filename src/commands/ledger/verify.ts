/** `ledger verify`: every sealed entry against its seal, every feed item against its log. Exit 5 where one does not fit. */
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { readCheckpointFile } from '../../cli/feed/checkpoint-file.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/output.ts';
import { EXIT } from '../../core/errors.ts';
import { originOf } from '../../core/transparency-log/checkpoint.ts';
import { type LedgerVerdict, sealLedger, verifyLedger } from '../../ledger/seal.ts';
import { loadLogSigner, logVerifierKey } from '../../ledger/transparency-log/log-signer.ts';
import { type FeedVerdict, verifyFeed } from '../../ledger/transparency-log/verify-feed.ts';
import { getOperator } from '../../operators/create-operator.ts';

interface Verdict extends LedgerVerdict {
  /** The feed against its log and the newest checkpoint, or the one of --expect. */
  log: FeedVerdict;
}

export default class Verify extends OperatorCommand<typeof Verify> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Check the ledger and the feed against their seals; name the first item that does not fit.';
  static override description =
    'The database holds the seals, so whoever owns it could write them again: --expect holds the feed against a checkpoint that was kept elsewhere.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --operator demo --json',
    '<%= config.bin %> <%= command.id %> --expect checkpoint.json',
  ];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ summary: 'Slug of an operator; all of them where none is named.' }),
    expect: Flags.string({ summary: 'File of a checkpoint that was kept; its operator is held against it.' }),
    seal: Flags.boolean({ default: true, allowNo: true, summary: 'Seal what is not sealed yet, after checking.' }),
  };

  async run(): Promise<{ ok: boolean; operators: Verdict[] }> {
    const { operator, seal, expect } = this.flags;
    const kept = expect === undefined ? undefined : await readCheckpointFile(expect);
    const { sql, environment, secrets } = await this.openContext();
    const operatorId = operator === undefined ? null : (await getOperator(sql, operator)).operatorId;
    const signer = loadLogSigner(environment, secrets);
    const operators: Verdict[] = [];
    for (const verdict of await verifyLedger(sql, operatorId)) {
      const note = kept?.checkpoint.origin === originOf(verdict.operatorId) ? kept.note : undefined;
      const log = await verifyFeed(sql, verdict.operatorId, logVerifierKey(verdict.operatorId, signer), note);
      operators.push({ ...verdict, ok: verdict.ok && log.ok, log });
    }
    if (kept !== undefined && !operators.some(({ operatorId: id }) => originOf(id) === kept.checkpoint.origin)) {
      throw usage(`${expect} is a checkpoint of ${kept.checkpoint.origin}, which is not verified here.`);
    }
    const ok = operators.every((verdict) => verdict.ok);
    if (ok && seal) {
      await sealLedger(sql);
    }
    await this.printList(operators, [
      { name: 'slug', title: 'operator', value: (row) => row.slug },
      { name: 'ok', value: (row) => (row.ok ? 'yes' : 'NO'), paint: (row) => (row.ok ? undefined : 'red') },
      { name: 'entries', value: (row) => row.entries, align: 'right' },
      { name: 'sealedEntries', title: 'sealed', value: (row) => row.sealedEntries, align: 'right' },
      { name: 'unfit.position', title: 'position', value: (row) => row.unfit?.position, align: 'right' },
      { name: 'unfit.entryId', title: 'first unfit entry', value: (row) => row.unfit?.entryId },
      { name: 'unfit.reason', title: 'reason', value: (row) => row.unfit?.reason },
      { name: 'log.size', title: 'log', value: (row) => row.log.size, align: 'right' },
      { name: 'log.fault.sequence', title: 'item', value: (row) => row.log.fault?.sequence, align: 'right' },
      { name: 'log.fault.reason', title: 'log reason', value: (row) => row.log.fault?.reason },
    ]);
    if (!ok) {
      this.endWith(EXIT.expectationFailed);
    }
    return { ok, operators };
  }
}
