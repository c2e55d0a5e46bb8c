/** `categories`: the categories of the catalogue that have events for the operator. */

import { PartnerCommand } from '../cli/partner-command.ts';
import { columnsOf, listFlags, numeric } from '../cli/terminal/table.ts';
import type { CategoryList } from '../client/shapes.ts';

export default class Categories extends PartnerCommand<typeof Categories> {
  static override hidden = true;
  static override summary = 'List the categories and the number of events in each.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = { ...listFlags };

  async run(): Promise<CategoryList> {
    const list = await this.client.get('/api/v1/categories');
    await this.printList(
      list.data,
      numeric(['eventCount'], columnsOf('category', 'label', 'eventCount')),
      'No events are offered.',
    );
    return list;
  }
}
