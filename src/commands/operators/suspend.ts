/** `operators suspend`: its keys are refused until it is resumed. */
import { operatorArgument } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { holdingsText, operatorText } from '../../cli/questions.ts';
import { changeOperator, getOperator } from '../../operators/operators.ts';

export default operatorChange({
  hidden: true,
  summary: 'Suspend an operator.',
  description:
    'Requests with its keys are refused with 403 operator_suspended from now on. Open positions, settlement and deliveries continue.',
  examples: ['lucky-casino --yes'],
  args: operatorArgument,
  question: async ({ sql }, { slug }) => {
    const operator = await getOperator(sql, slug);
    return `Suspend ${operatorText(operator)}? Its keys are refused until it is resumed. ${await holdingsText(sql, operator.operatorId, null)}`;
  },
  change: ({ sql }, { slug }) => changeOperator(sql, slug, { status: 'suspended' }),
  say: ({ slug }) => `${slug}: suspended`,
});
