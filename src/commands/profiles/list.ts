/** Lists the profiles, with only the first characters of each key. */
import { BaseCommand } from '../../cli/base-command.ts';
import { readProfiles, shownKey } from '../../cli/known-services.ts';
import { columnsOf, listFlags } from '../../cli/terminal/table.ts';

interface Row {
  name: string;
  current: boolean;
  apiUrl: string;
  key: string;
}

export default class ProfilesList extends BaseCommand<typeof ProfilesList> {
  static override summary = 'List the profiles.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = { ...listFlags };

  override async run(): Promise<{ profiles: Row[] }> {
    const { current, profiles } = readProfiles(this.config.configDir);
    const rows = Object.entries(profiles).map(([name, { apiUrl, apiKey }]) => ({
      name,
      current: name === (this.environment.profile ?? current),
      apiUrl,
      key: shownKey(apiKey),
    }));
    await this.printList(
      rows,
      columnsOf<Row>('name', 'current', 'apiUrl', 'key'),
      'No profiles. "inlay login" makes one.',
    );
    return { profiles: rows };
  }
}
