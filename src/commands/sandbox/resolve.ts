/** `sandbox resolve`: settles one sandbox position; its market is not changed. */

import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { positionArgument } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { readMarketNames } from '../../cli/service/market-names.ts';
import { ApiError } from '../../client/create-client.ts';
import type { Position, ResolutionAnswer } from '../../client/shapes.ts';
import { ownValue } from '../../core/json.ts';
import { withThousands } from '../../core/plain-words.ts';

/** Accepted words; they include those with which a settled position is shown. */
const RESOLUTIONS: Readonly<Record<string, 'WIN' | 'LOSS' | 'VOID'>> = {
  win: 'WIN',
  won: 'WIN',
  loss: 'LOSS',
  lose: 'LOSS',
  lost: 'LOSS',
  void: 'VOID',
};

export default class Resolve extends PartnerCommand<typeof Resolve> {
  static override summary = 'Settle one sandbox position as won, lost or void.';
  static override examples = ['<%= config.bin %> <%= command.id %> pos_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 win --yes'];
  static override ids = { position: 'position' } as const;
  static override args = {
    ...positionArgument,
    resolution: Args.string({ required: true, description: 'Result of the position: win, loss or void.' }),
  };
  static override flags = yesFlag;

  async run(): Promise<ResolutionAnswer> {
    const resolution = ownValue(RESOLUTIONS, this.args.resolution.toLowerCase());
    if (resolution === undefined) {
      throw usage(`${this.args.resolution} is not a resolution; expected win, loss or void.`);
    }
    const positionId = this.args.position;
    await this.confirm(async () => {
      const position = await this.client.get('/api/v1/positions/{id}', { path: { id: positionId } });
      const { contractId, externalUserId, quantity, side } = position;
      const market = (await readMarketNames(this.client, [contractId])).get(contractId) ?? contractId;
      return `Settle ${quantity} ${side} of "${market}" as ${resolution}? Pays ${paysAt(resolution, position)} to ${externalUserId}.`;
    });
    const answer = await this.client.post('/api/v1/sandbox/resolutions', {
      body: { positionId, resolution },
    });
    const paid = answer.settled && !this.jsonEnabled() ? await this.#readPayment(positionId) : undefined;
    if (paid !== undefined) {
      this.say(paid);
    }
    this.printFacts({ ...answer });
    return answer;
  }

  /** Reads the payment. The position is settled by now, so the command does not fail if the key may not read it. */
  async #readPayment(positionId: string): Promise<string | undefined> {
    try {
      const { externalUserId, openedAt } = await this.client.get('/api/v1/positions/{id}', {
        path: { id: positionId },
      });
      let cursor: string | undefined;
      for (let hasMore = true; hasMore; ) {
        const page = await this.client.get('/api/v1/settlements', {
          query: { externalUserId, settledFrom: openedAt, limit: 500, cursor },
        });
        const found = page.settlements.find((one) => one.positionId === positionId);
        if (found !== undefined) {
          const { settlementCredit, voidCredit } = found.operatorMoney;
          const credit = found.outcome === 'void' ? voidCredit : settlementCredit;
          return `${withThousands(credit)} paid to ${externalUserId}, profit ${withThousands(found.realisedPnl)}`;
        }
        ({ hasMore, nextCursor: cursor } = page);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
    }
    return undefined;
  }
}

/** @returns dollars: a dollar for each contract that wins, without fractions of a cent; what the position cost if it is void */
function paysAt(resolution: 'WIN' | 'LOSS' | 'VOID', { quantity, operatorMoney }: Position): string {
  if (resolution !== 'WIN') {
    return resolution === 'VOID' ? withThousands(operatorMoney.costBasis) : '0.00';
  }
  const [whole = '', places = ''] = String(quantity).split('.');
  return withThousands(`${whole}.${places.padEnd(2, '0').slice(0, 2)}`);
}
