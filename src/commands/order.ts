/** `order`: orders at a quote. A repetition with the same client order id shows the existing order. */
import { Args, Flags } from '@oclif/core';
import { userFlag } from '../cli/flags.ts';
import { partnerCall } from '../cli/partner-command.ts';
import { orderFacts } from '../cli/print/print-trading.ts';
import { orderBody, orderFlags } from '../cli/trade.ts';

export default partnerCall({
  summary: 'Order at a quoted price.',
  examples: [
    'qt_0197f1c2 --client-order-id bet-1 --user u-123',
    'qt_0197f1c2 --client-order-id bet-2 --user u-123 --reserve-reference hold-77',
  ],
  args: { quote: Args.string({ required: true, description: 'Quote id.' }) },
  flags: {
    ...userFlag,
    'client-order-id': Flags.string({
      helpValue: 'ID',
      required: true,
      summary: 'Your own id of the order; the idempotency key.',
    }),
    ...orderFlags,
  },
  call: async ({ client, args, flags }) =>
    client.post('/api/v1/orders', {
      user: flags.user,
      body: orderBody(args.quote, flags['client-order-id'], flags),
    }),
  show: orderFacts,
});
