/** `orders find`: an order by any of its references. */
import { partnerCall } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/print/print-trading.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';

export default partnerCall({
  summary: 'Find an order by its executionRef, its id or your own id of it.',
  examples: ['inl_Best_0123456789ABCD', 'bet-4711 --user u-123'],
  ids: { order: 'order' },
  args: orderArgument,
  flags: customerFlag,
  call: async ({ client, args, flags }) =>
    client.get('/api/v1/orders/{id}', { path: { id: await findOrderId(client, args.order, flags.user) } }),
  show: orderFacts,
});
