/** `operators resume-trading`: quotes and orders are accepted again. */
import { operatorArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { changeOperator } from '../../operators/operators.ts';

export default operatorChange({
  hidden: true,
  summary: 'Resume trading of an operator.',
  description: 'Quotes and orders are accepted from the next request on.',
  examples: ['lucky-casino'],
  args: operatorArgument,
  change: ({ sql }, { slug }) => changeOperator(sql, slug, { tradingPaused: false }),
  say: ({ slug }) => `${slug}: trading resumed`,
});
