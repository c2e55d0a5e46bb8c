/** `limits get`: what a customer may stake. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { limitFacts } from '../../cli/print/print-customer.ts';

export default partnerCall({
  hiddenAliases: ['limits:show'],
  summary: 'Show the limits of a customer and which of them apply.',
  examples: ['player-1'],
  args: customerArgument,
  flags: customerAsFlag,
  call: ({ client, args, flags }) =>
    client.get('/api/v1/users/{id}/limits', { path: { id: readCustomer(args.user, flags.user) } }),
  show: limitFacts,
});
