/** `ledger rotate-key`: changes the key of the feeds' logs to the newest one that is configured. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { Failure } from '../../cli/failure.ts';
import { oneOperatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { NoteError } from '../../core/log-format/notes.ts';
import { type KeyRotation, loadLogSigner, rotateLogKey } from '../../ledger/log/sign-log.ts';

interface Rotated extends KeyRotation {
  operatorId: string;
  slug: string;
}

export default class LedgerRotateKey extends OperatorCommand<typeof LedgerRotateKey> {
  static override hidden = true;
  static override summary = 'Change the key of the logs to the newest one that is configured.';
  static override description =
    'First configure the new key as INLAY_LOG_KEY_FILE and the old one as INLAY_LOG_KEY_FILE_PREVIOUS, and restart all processes. Both keys sign the change, so that anyone who has the old key finds the new one. Repeating the command changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    '<%= config.bin %> <%= command.id %> --compromised --yes',
    '<%= config.bin %> <%= command.id %> --operator demo --unproven --yes',
  ];
  static override flags = {
    ...listFlags,
    ...oneOperatorFlag,
    unproven: Flags.boolean({
      default: false,
      summary: 'Change without a signature of the old key, because it is lost. Send the new key to the operators.',
    }),
    compromised: Flags.boolean({
      default: false,
      summary: 'Record in the chain of keys, with the size of the log, that others may have the old key.',
    }),
    ...yesFlag,
  };

  async run(): Promise<{ operators: Rotated[] }> {
    const { operator, unproven, compromised } = this.flags;
    await this.confirm(`Change the key of the log of ${operator ?? 'every operator'}? It cannot be changed back.`);
    const { sql, environment, secrets } = await this.openContext();
    const signer = loadLogSigner(environment, secrets);
    const operators: Rotated[] = [];
    for (const { operatorId, slug } of await this.chosenOperators()) {
      operators.push({
        operatorId,
        slug,
        ...(await rotate(() => rotateLogKey(sql, operatorId, signer, { unproven, compromised }))),
      });
    }
    await this.printList(operators, [
      { name: 'slug', title: 'operator', value: (row) => row.slug },
      { name: 'outcome', value: (row) => row.outcome },
      { name: 'size', title: 'after items', value: (row) => row.size, align: 'right' },
      { name: 'verifierKey', value: (row) => row.verifierKey },
    ]);
    return { operators };
  }
}

async function rotate(change: () => Promise<KeyRotation>): Promise<KeyRotation> {
  try {
    return await change();
  } catch (error) {
    throw error instanceof NoteError
      ? new Failure('key_not_changed', `The key was not changed: ${error.message}.`)
      : error;
  }
}
