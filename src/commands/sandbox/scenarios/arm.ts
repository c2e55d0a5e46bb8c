/** `sandbox scenarios arm`: the next order, or one order, fills in part. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { usage } from '../../../cli/failure.ts';
import { readCents, readNumber } from '../../../cli/flags.ts';
import { partnerCall } from '../../../cli/partner-command.ts';

export default partnerCall({
  summary: 'Arm a partial fill; it applies once, within an hour.',
  examples: ['--fill-fraction 0.4', '--fill-amount 450 --client-order-id bet-1'],
  flags: {
    'fill-fraction': Flags.string({
      aliases: ['fraction'],
      helpValue: 'FRACTION',
      summary: 'Share of the contracts that is filled, between 0 and 1.',
    }),
    'fill-amount': Flags.string({
      aliases: ['fill-amount-minor', 'amount'],
      helpValue: 'CENTS',
      summary: 'Part of the authorization that is filled, in cents; for a sell, part of the notional.',
    }),
    'client-order-id': Flags.string({
      helpValue: 'ID',
      summary: 'Your own id of the order that is filled in part; by default the next order of any customer.',
    }),
    ...yesFlag,
  },
  call: async ({ client, flags }) => {
    const { 'fill-fraction': fraction, 'fill-amount': amount, 'client-order-id': clientOrderId } = flags;
    if ((fraction === undefined) === (amount === undefined)) {
      throw usage('Give either --fill-fraction or --fill-amount.');
    }
    return client.post('/api/v1/sandbox/scenarios', {
      body: {
        kind: 'partial_fill',
        ...(fraction === undefined
          ? {}
          : { fillFraction: readNumber('fill-fraction', fraction, { above: 0, below: 1 }) }),
        ...(amount === undefined ? {} : { fillAmountMinor: Number(readCents(amount)) }),
        ...(clientOrderId === undefined ? {} : { clientOrderId }),
      },
    });
  },
  show: (scenario) => ({ ...scenario }),
});
