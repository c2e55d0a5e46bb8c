/** `completion`: the completion script of fish; bash and zsh are set up by `autocomplete`. */
import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.ts';
import { usage } from '../cli/failure.ts';
import { fishCompletion } from '../cli/fish-completion.ts';

export default class Completion extends BaseCommand<typeof Completion> {
  static override summary = 'Print the completion script of fish.';
  static override description = 'Bash and zsh are set up by "inlay autocomplete bash" and "inlay autocomplete zsh".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/<%= config.bin %>.fish',
  ];
  static override args = { shell: Args.string({ required: true, description: 'fish.' }) };

  async run(): Promise<{ shell: string; script: string }> {
    const { shell } = this.args;
    if (shell !== 'fish') {
      throw usage(`No script of ${shell} here.`, `"inlay autocomplete ${shell}" sets up bash and zsh.`);
    }
    const script = fishCompletion(this.config);
    this.say(script);
    return { shell, script };
  }
}
