/** Reads the whole catalogue of each venue now instead of waiting for ingestion. */
import { OperatorCommand } from '../../cli/operator-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { openBoardWrites } from '../../markets/ingestion/board-writes.ts';
import { type SyncedCatalogue, syncCatalogue } from '../../markets/ingestion/sync-catalogue.ts';
import { openDeployedVenues } from '../../venues/registry.ts';

type Synced = { readonly venue: string } & SyncedCatalogue;

export default class MarketsSync extends OperatorCommand<typeof MarketsSync> {
  static override hidden = true;
  static override summary = 'Update the catalogue to what the venues list now.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override flags = { ...listFlags };

  override async run(): Promise<{ venues: readonly Synced[] }> {
    const context = await this.openContext();
    const writes = openBoardWrites({ ...context, fence: null });
    const venues = openDeployedVenues(context);
    const synced: Synced[] = [];
    try {
      for (const [rank, venue] of venues.list.entries()) {
        synced.push({ venue: venue.name, ...(await syncCatalogue(venue, rank, writes)) });
      }
    } finally {
      await venues.close();
      await writes.close();
    }
    await this.printList(synced, [
      { name: 'venue', value: (row) => row.venue },
      { name: 'events', value: (row) => row.events, align: 'right' },
      { name: 'contracts', value: (row) => row.contracts, align: 'right' },
      { name: 'withdrawn', value: (row) => row.withdrawn, align: 'right' },
      { name: 'invalid', value: (row) => row.invalid, align: 'right' },
    ]);
    return { venues: synced };
  }
}
