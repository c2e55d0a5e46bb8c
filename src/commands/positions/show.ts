/** `positions show`: one position of a customer. */
import { positionArgument } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { positionFacts } from '../../cli/print/print-trading.ts';
import type { Position } from '../../client/shapes.ts';

export default class Show extends PartnerCommand<typeof Show> {
  static override summary = 'Show a position.';
  static override examples = ['<%= config.bin %> <%= command.id %> pos_0197f1c2'];
  static override ids = { position: 'position' } as const;
  static override args = positionArgument;

  async run(): Promise<Position> {
    const id = this.args.position;
    const position = await this.client.get('/api/v1/positions/{id}', { path: { id } });
    this.printFacts(positionFacts(position, await this.marketNames([position.contractId])));
    return position;
  }
}
