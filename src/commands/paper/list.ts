/** `paper list`: the changes that commands have made at the paper venues. */
import { reading } from '../../cli/operator-command.ts';
import { answerOf, type PaperAnswer, PaperCommand } from '../../cli/paper-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { paperContracts } from '../../markets/ingestion/paper-listings.ts';

const bestOf = (side: PaperAnswer['bids']) => side[0]?.price ?? null;

export default class PaperList extends PaperCommand<typeof PaperList> {
  static override hidden = true;
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List the frozen books, scripted orders and changed fees of the paper venues.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override flags = { ...listFlags };

  override async run(): Promise<{ contracts: PaperAnswer[] }> {
    const { sql } = await this.openContext();
    const contracts: PaperAnswer[] = [];
    for (const venue of this.environment.venues.filter((name) => name.startsWith('paper'))) {
      const states = await this.withControl(venue, (control) => control.list());
      const ids = await paperContracts(
        sql,
        venue,
        states.map(({ listingId }) => listingId),
      );
      for (const state of states) {
        const contractId = ids.get(state.listingId);
        if (contractId !== undefined) {
          contracts.push(answerOf({ venue, listingId: state.listingId, contractId }, state));
        }
      }
    }
    await this.printList(
      contracts,
      [
        { name: 'contractId', value: (one) => one.contractId },
        { name: 'venue', value: (one) => one.venue },
        { name: 'status', value: (one) => one.status },
        {
          name: 'frozen',
          title: 'held',
          value: (one) => (one.asOf === null ? one.frozen : 'aged'),
          raw: (one) => one.frozen,
        },
        { name: 'bid', align: 'right', value: (one) => bestOf(one.bids) },
        { name: 'ask', align: 'right', value: (one) => bestOf(one.asks) },
        {
          name: 'feeBps',
          title: 'fee bps',
          align: 'right',
          value: (one) => one.feeBps ?? 'unknown',
          raw: (one) => one.feeBps,
        },
        { name: 'next', value: (one) => one.next.join(' ') },
      ],
      'No book is frozen, and nothing is scripted.',
    );
    return { contracts };
  }
}
