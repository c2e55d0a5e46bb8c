/** `paper reopen`: lets a paper venue withdraw a resolution; payments are not reversed. */
import { yesFlag } from '../../cli/base-command.ts';
import { contractArgument } from '../../cli/flags.ts';
import { type PaperAnswer, PaperCommand, reachedResolution, venueFlag } from '../../cli/paper-command.ts';
import { paidText, quotedMarket } from '../../cli/questions.ts';

export default class PaperReopen extends PaperCommand<typeof PaperReopen> {
  static override hidden = true;
  static override summary = 'Let the paper venue withdraw a resolution; payments are not reversed.';
  static override examples = ['<%= config.bin %> <%= command.id %> ctr_… --yes'];
  static override ids = { contract: 'contract' } as const;
  static override args = contractArgument;
  static override flags = { ...venueFlag, ...yesFlag };

  override async run(): Promise<PaperAnswer> {
    const { contract } = this.args;
    const { sql } = await this.openContext();
    await this.confirm(
      async () =>
        `Let the venue withdraw the resolution of ${await quotedMarket(sql, contract)}? ${await paidText(sql, contract)}`,
    );
    return this.change('reopen', {}, reachedResolution(null));
  }
}
