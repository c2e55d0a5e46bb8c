/** `orders show`: the current state of one order, with its intent and its fills. */
import { Flags } from '@oclif/core';
import { partnerCall } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/print/print-trading.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';

export default partnerCall({
  hiddenAliases: ['orders:find'],
  summary: 'Show the current state of an order.',
  description: 'ORDER is its id, its executionRef, or with --user your own id of it.',
  examples: ['ord_0197f1c2', 'inl_Best_0123456789ABCD', 'bet-4711 --user u-123', 'ord_0197f1c2 --fills --json'],
  ids: { order: 'order' },
  args: orderArgument,
  flags: { ...customerFlag, fills: Flags.boolean({ summary: 'Show its fills too.' }) },
  call: async ({ client, args, flags }) =>
    client.get('/api/v1/orders/{id}', {
      path: { id: await findOrderId(client, args.order, flags.user) },
      query: { fills: flags.fills ? true : undefined },
    }),
  show: orderFacts,
});
