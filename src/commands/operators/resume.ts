/** `operators resume`: its keys are accepted again. */
import { operatorArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { changeOperator } from '../../operators/operators.ts';

export default operatorChange({
  hidden: true,
  summary: 'Resume a suspended operator.',
  description: 'Its keys are accepted from the next request on.',
  examples: ['lucky-casino'],
  args: operatorArgument,
  change: ({ sql }, { slug }) => changeOperator(sql, slug, { status: 'active' }),
  say: ({ slug }) => `${slug}: active`,
});
