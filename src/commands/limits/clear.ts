/** `limits clear`: withdraws the limits of one customer; the operator's ceiling is not changed. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';

export default partnerCall({
  hidden: true,
  summary: 'Withdraw the limits set on a customer.',
  description: 'The ceiling of the operator, if it has one, still applies to the customer.',
  examples: ['player-1 --yes'],
  args: customerArgument,
  flags: customerAsFlag,
  question: ({ args, flags }) => `Withdraw the limits set on ${readCustomer(args.user, flags.user)}?`,
  call: ({ client, args, flags }) =>
    client.delete('/api/v1/users/{id}/limits', { path: { id: readCustomer(args.user, flags.user) } }),
  show: limitFacts,
});
