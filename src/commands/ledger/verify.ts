/** `ledger verify`: every sealed entry against its seal. Exit 5 where one does not fit. */
import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/output.ts';
import { EXIT } from '../../core/errors.ts';
import { type LedgerVerdict, sealLedger, verifyLedger } from '../../ledger/seal.ts';
import { getOperator } from '../../operators/create-operator.ts';

export default class Verify extends OperatorCommand<typeof Verify> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Check the hash chain of the ledger; name the first entry that does not fit.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --operator demo --json',
  ];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ summary: 'Slug of an operator; all of them where none is named.' }),
    seal: Flags.boolean({ default: true, allowNo: true, summary: 'Seal what is not sealed yet, after checking.' }),
  };

  async run(): Promise<{ ok: boolean; operators: LedgerVerdict[] }> {
    const { sql } = await this.openContext();
    const { operator, seal } = this.flags;
    const operatorId = operator === undefined ? null : (await getOperator(sql, operator)).operatorId;
    const operators = await verifyLedger(sql, operatorId);
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
    ]);
    if (!ok) {
      this.endWith(EXIT.expectationFailed);
    }
    return { ok, operators };
  }
}
