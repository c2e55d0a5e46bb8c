/** `customers resume`: a suspended customer can trade again. */
import { customerOfOperatorFlag, operatorFlag } from '../../cli/flags.ts';
import { operatorChange } from '../../cli/operator-command.ts';
import { refuse } from '../../core/errors.ts';
import { resumeCustomer } from '../../operators/customers.ts';
import { getOperator } from '../../operators/operators.ts';

export default operatorChange({
  hidden: true,
  summary: 'Resume a suspended customer.',
  description: 'The customer can trade from the next request on.',
  examples: ['--operator lucky-casino --user player-17'],
  flags: { ...operatorFlag, ...customerOfOperatorFlag },
  change: async ({ sql }, _args, { operator, user }) => {
    const customer = await resumeCustomer(sql, (await getOperator(sql, operator)).operatorId, user);
    if (customer === undefined) {
      throw refuse('unknown_user');
    }
    return customer;
  },
  say: ({ externalUserId, status }) => `${externalUserId}: ${status}`,
});
