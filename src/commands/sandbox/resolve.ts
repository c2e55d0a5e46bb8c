/** `sandbox resolve`: settles one sandbox position; its market is not changed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { wholePositionId } from '../../cli/service/whole-id.ts';
import type { ResolutionAnswer } from '../../client/shapes.ts';
import { ownValue } from '../../core/json.ts';

/** Also the words in which a settled position is shown. */
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
  static override examples = ['<%= config.bin %> <%= command.id %> pos_0197f1c2 win'];
  static override args = {
    position: Args.string({ required: true, description: 'Position id.' }),
    resolution: Args.string({ required: true, description: 'win, loss or void, as seen from the position.' }),
  };
  static override flags = yesFlag;

  async run(): Promise<ResolutionAnswer> {
    const resolution = ownValue(RESOLUTIONS, this.args.resolution.toLowerCase());
    if (resolution === undefined) {
      throw usage(`${this.args.resolution} is not a resolution; expected win, loss or void.`);
    }
    const positionId = await wholePositionId(this.client, this.args.position);
    await this.confirmOnTerminal(`Settle ${positionId} as ${resolution}? This cannot be undone.`);
    const answer = await this.client.post('/api/v1/sandbox/resolutions', {
      body: { positionId, resolution },
    });
    this.printFacts({ ...answer });
    return answer;
  }
}
