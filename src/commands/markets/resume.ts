/** Ends the pause of a contract. */
import { contractArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { decidedText } from '../../cli/questions.ts';
import { resumeMarket } from '../../markets/decisions.ts';

export default operatorChange({
  hidden: true,
  summary: 'End the pause of a contract.',
  examples: ['ctr_…'],
  ids: { contract: 'contract' },
  args: contractArgument,
  change: ({ sql }, { contract }) => resumeMarket(sql, contract),
  say: decidedText,
});
