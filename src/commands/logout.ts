/** Removes a profile and its key. The key itself stays valid: only the service operator can revoke it. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand, yesFlag } from '../cli/base-command.ts';
import { notFound, usage } from '../cli/failure.ts';
import { readProfiles, writeProfiles } from '../cli/known-services.ts';
import { ownValue } from '../core/json.ts';

export default class Logout extends BaseCommand<typeof Logout> {
  static override hiddenAliases = ['profiles:remove'];
  static override summary = 'Remove a profile and its key from this machine.';
  static override description =
    'Without NAME it is the profile in use. The key itself stays valid until the service operator revokes it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> staging --yes',
  ];
  static override args = { name: Args.string({ description: 'Name of the profile; by default the one in use.' }) };
  static override flags = {
    profile: Flags.string({ helpValue: 'NAME', summary: 'The same as the argument NAME, as "login" takes it.' }),
    ...yesFlag,
  };

  override async run(): Promise<{ removed: string }> {
    const { args, flags, environment } = this;
    const kept = readProfiles(this.config.configDir);
    if (args.name !== undefined && flags.profile !== undefined && args.name !== flags.profile) {
      throw usage(`Two profiles are named: ${args.name} and ${flags.profile}.`);
    }
    const name = args.name ?? flags.profile ?? environment.profile ?? kept.current;
    const { [name]: _removed, ...others } = kept.profiles;
    if (ownValue(kept.profiles, name) === undefined) {
      throw notFound(`There is no profile "${name}".`, 'profile_not_found');
    }
    await this.confirm(`Remove the key of profile "${name}"?`);
    writeProfiles(this.config.configDir, { ...kept, profiles: others });
    this.say(`Profile "${name}" was removed.`);
    if (name === kept.current && Object.keys(others).length > 0) {
      this.note(`"inlay profiles use NAME" chooses another: ${Object.keys(others).join(', ')}.`);
    }
    if (environment.apiKey !== undefined) {
      this.note('INLAY_API_KEY is still set, and commands use it.');
    }
    return { removed: name };
  }
}
