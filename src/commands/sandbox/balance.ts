/** `sandbox balance`: the simulated wallet of a customer. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';

export default partnerCall({
  hidden: true,
  summary: 'Show the simulated wallet of a customer.',
  examples: ['u-123'],
  args: customerArgument,
  flags: customerAsFlag,
  call: ({ client, args, flags }) =>
    client.get('/api/v1/users/{id}/balance', { path: { id: readCustomer(args.user, flags.user) } }),
  show: (balance) => balance,
});
