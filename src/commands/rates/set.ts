/** `rates set`: the value of one USD in a display currency of the frame. Booked amounts do not change. */
import { Args } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { type DisplayRate, setDisplayRate } from '../../embed/display-rates.ts';

export default class SetRate extends OperatorCommand<typeof SetRate> {
  static override hidden = true;
  static override summary = 'Set a display rate: units of a currency per USD.';
  static override description = 'The frame shows the rate with its date. All booked amounts stay in USD.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> EUR 0.92',
    '<%= config.bin %> <%= command.id %> BTC 0.0000105',
  ];
  static override args = {
    currency: Args.string({
      required: true,
      description: 'Currency: EUR, GBP, CAD, BRL, USDT, USDC, DAI, BTC, ETH, SOL or ARB.',
    }),
    rate: Args.string({ required: true, description: 'Units of the currency per USD.' }),
  };

  async run(): Promise<DisplayRate> {
    const { sql } = await this.openContext();
    const rate = await setDisplayRate(sql, this.args.currency, this.args.rate);
    this.say(`1 USD is shown as ${rate.rate} ${rate.currency} from ${rate.setAt?.toISOString()} on.`);
    return rate;
  }
}
