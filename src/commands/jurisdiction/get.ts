/** `jurisdiction get`: the asserted and the observed place of a customer. */
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { placeFacts } from '../../cli/print/print-customer.ts';

export default partnerCall({
  hiddenAliases: ['jurisdiction:show'],
  summary: 'Show the asserted place of a customer.',
  examples: ['player-1'],
  args: customerArgument,
  flags: customerAsFlag,
  call: ({ client, args, flags }) =>
    client.get('/api/v1/users/{id}/jurisdiction', { path: { id: readCustomer(args.user, flags.user) } }),
  show: placeFacts,
});
