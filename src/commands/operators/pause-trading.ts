/** `operators pause-trading`: no quote and no order until trading is resumed. */
import { operatorArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { operatorText, unsentText } from '../../cli/questions.ts';
import { changeOperator, getOperator } from '../../operators/operators.ts';

export default operatorChange({
  hidden: true,
  summary: 'Pause trading of an operator.',
  description:
    'Quotes and orders, including exits, are refused with 409 trading_paused. Live orders that were not sent are withdrawn. Reads and settlement continue.',
  examples: ['lucky-casino --yes'],
  args: operatorArgument,
  question: async ({ sql }, { slug }) => {
    const { operatorId, ...named } = await getOperator(sql, slug);
    return `Pause trading of ${operatorText(named)}? ${await unsentText(sql, { operatorId })}`;
  },
  change: ({ sql }, { slug }) => changeOperator(sql, slug, { tradingPaused: true }),
  say: ({ slug }) => `${slug}: trading paused`,
});
