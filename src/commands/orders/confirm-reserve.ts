/** `orders confirm-reserve`: confirms that the stake of a recorded order is reserved; the order may then be sent. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/print/print-trading.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';

export default partnerCall({
  summary: 'Confirm the reserve of a recorded order; repeating the command changes nothing.',
  examples: ['ord_0197f1c2', 'inl_Best_0123456789ABCD', 'ord_0197f1c2 --reserve-reference hold-77'],
  ids: { order: 'order' },
  args: orderArgument,
  flags: {
    'reserve-reference': Flags.string({ helpValue: 'REF', summary: 'Your own reference of the reserve.' }),
    ...customerFlag,
    ...yesFlag,
  },
  call: async ({ client, args, flags }) =>
    client.post('/api/v1/orders/{id}/confirm-reserve', {
      path: { id: await findOrderId(client, args.order, flags.user) },
      body: { reserveReference: flags['reserve-reference'] },
    }),
  show: orderFacts,
});
