/** Stores a key in a profile. The key comes from the prompt, stdin or a flag; the service checks it first. */
import { Flags } from '@oclif/core';
import { Failure, usage } from '../cli/failure.ts';
import { readProfiles, shownKey, writeProfiles } from '../cli/known-services.ts';
import { DEFAULT_URL, PartnerCommand, readBaseUrl } from '../cli/partner-command.ts';
import { readSecret } from '../cli/terminal/prompt.ts';
import { ApiError, createClient } from '../client/create-client.ts';
import { ownValue } from '../core/json.ts';

export default class Login extends PartnerCommand<typeof Login> {
  static override summary = 'Store an API key in a profile.';
  static override examples = [
    { description: 'Type or paste the key', command: '<%= config.bin %> <%= command.id %>' },
    {
      description: 'From a pipe',
      command: 'echo "$KEY" | <%= config.bin %> <%= command.id %> --profile staging --api-url https://staging.example',
    },
  ];
  static override flags = {
    'no-check': Flags.boolean({ default: false, summary: 'Store the key without a check at the service.' }),
  };
  static override baseFlags = {
    ...PartnerCommand.baseFlags,
    profile: Flags.string({ helpValue: 'NAME', summary: 'Name of the profile.', default: 'default' }),
  };

  override async run(): Promise<{ profile: string; apiUrl: string; key: string }> {
    const apiKey = await this.readKey();
    const kept = readProfiles(this.config.configDir);
    const name = this.flags.profile;
    const given = this.flags['api-url'] ?? this.environment.apiUrl ?? ownValue(kept.profiles, name)?.apiUrl;
    const apiUrl = readBaseUrl(given ?? DEFAULT_URL);
    if (!this.flags['no-check']) {
      await this.check(apiUrl, apiKey);
    }
    writeProfiles(this.config.configDir, {
      current: ownValue(kept.profiles, kept.current) === undefined ? name : kept.current,
      profiles: { ...kept.profiles, [name]: { apiUrl, apiKey } },
    });
    this.say(`Key ${shownKey(apiKey)} stored in profile "${name}" for ${apiUrl}.`);
    return { profile: name, apiUrl, key: shownKey(apiKey) };
  }

  /** A key without the scope for the catalogue is valid too. */
  private async check(apiUrl: string, apiKey: string): Promise<void> {
    try {
      await createClient({ baseUrl: apiUrl, apiKey }).get('/api/v1/categories');
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'insufficient_scope') {
        throw error;
      }
    }
  }

  private async readKey(): Promise<string> {
    const given = this.flags['api-key'] ?? (await readSecret('API key'));
    const key = given.trim();
    if (key === '') {
      throw usage('No key was given.', 'Pipe it to stdin, or give --api-key.');
    }
    if (/\s/.test(key)) {
      throw new Failure('invalid_key', 'That is not an API key.');
    }
    return key;
  }
}
