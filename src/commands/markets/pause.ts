/** Halts a contract: quotes and orders are refused until it is resumed. */
import { contractArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { decidedText, quotedMarket, unsentText } from '../../cli/questions.ts';
import { pauseMarket } from '../../markets/decisions.ts';

export default operatorChange({
  hidden: true,
  summary: 'Halt a contract: quotes and orders are refused until it is resumed.',
  examples: ['ctr_… --yes'],
  ids: { contract: 'contract' },
  args: contractArgument,
  question: async ({ sql }, { contract: contractId }) =>
    `Pause ${await quotedMarket(sql, contractId)}? It cannot be traded until it is resumed. ${await unsentText(sql, { contractId })}`,
  change: ({ sql }, { contract }) => pauseMarket(sql, contract),
  say: decidedText,
});
