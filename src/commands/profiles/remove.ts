/** Removes a profile and its key. The key itself stays valid: only the service operator can revoke it. */
import { Args } from '@oclif/core';
import { BaseCommand, yesFlag } from '../../cli/base-command.ts';
import { notFound } from '../../cli/failure.ts';
import { readProfiles, writeProfiles } from '../../cli/known-services.ts';
import { ownValue } from '../../core/json.ts';

export default class ProfilesRemove extends BaseCommand<typeof ProfilesRemove> {
  static override summary = 'Remove a profile and its key from this machine.';
  static override examples = ['<%= config.bin %> <%= command.id %> staging --yes'];
  static override args = { name: Args.string({ required: true, description: 'Name of the profile.' }) };
  static override flags = { ...yesFlag };

  override async run(): Promise<{ removed: string }> {
    const kept = readProfiles(this.config.configDir);
    const { name } = this.args;
    const { [name]: _removed, ...others } = kept.profiles;
    if (ownValue(kept.profiles, name) === undefined) {
      throw notFound(`There is no profile "${name}".`, 'profile_not_found');
    }
    await this.confirm(`Remove the key of profile "${name}"?`);
    writeProfiles(this.config.configDir, { ...kept, profiles: others });
    this.say(`Profile "${name}" was removed.`);
    return { removed: name };
  }
}
