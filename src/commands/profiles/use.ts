/** Sets the default profile. */
import { Args } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { notFound } from '../../cli/failure.ts';
import { readProfiles, writeProfiles } from '../../cli/known-services.ts';
import { ownValue } from '../../core/json.ts';

export default class ProfilesUse extends BaseCommand<typeof ProfilesUse> {
  static override summary = 'Set the default profile.';
  static override examples = ['<%= config.bin %> <%= command.id %> staging'];
  static override args = { name: Args.string({ required: true, description: 'Name of the profile.' }) };

  override async run(): Promise<{ current: string }> {
    const kept = readProfiles(this.config.configDir);
    const { name } = this.args;
    if (ownValue(kept.profiles, name) === undefined) {
      throw notFound(`There is no profile "${name}".`, 'profile_not_found');
    }
    writeProfiles(this.config.configDir, { ...kept, current: name });
    this.say(`Using profile "${name}".`);
    return { current: name };
  }
}
