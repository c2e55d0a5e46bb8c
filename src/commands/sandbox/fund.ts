/** `sandbox fund`: sends test funds to a simulated wallet through the test bridge. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { Failure } from '../../cli/failure.ts';
import { customerArgument, customerAsFlag, readCustomer } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { Balance, Deposit } from '../../client/shapes.ts';

const POLLS = 5;

export default class Fund extends PartnerCommand<typeof Fund> {
  static override summary = 'Credit a simulated wallet with 1,000.00 of test funds.';
  static override examples = ['<%= config.bin %> <%= command.id %> u-123'];
  static override args = customerArgument;
  static override flags = {
    ...customerAsFlag,
    symbol: Flags.string({ helpValue: 'ASSET', default: 'USDC', summary: 'Asset of the test bridge.' }),
    chain: Flags.string({ helpValue: 'ID', default: '1', summary: 'Id of the chain of the asset.' }),
    ...yesFlag,
  };

  /** The deposit, with the resulting balance. */
  async run(): Promise<Deposit & { balance: Balance }> {
    const user = readCustomer(this.args.user, this.flags.user);
    const { symbol, chain: chainId } = this.flags;
    const { depositId } = await this.client.post('/api/v1/funding/deposit-address', {
      user,
      body: { symbol, chainId },
    });
    for (let poll = 0; poll < POLLS; poll += 1) {
      const deposit = await this.client.get('/api/v1/funding/deposits/{id}', { path: { id: depositId } });
      if (deposit.status === 'credited') {
        const balance = await this.client.get('/api/v1/users/{id}/balance', { path: { id: user } });
        this.printFacts({
          depositId,
          credited: deposit.creditedAmount,
          available: balance.available,
          total: balance.total,
        });
        return { ...deposit, balance };
      }
    }
    throw new Failure('deposit_pending', `The deposit ${depositId} is not credited yet.`);
  }
}
