/** `completion`: the completion script of bash or fish; zsh is set up by `autocomplete`. */
import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.ts';
import { bashCompletion } from '../cli/completion/bash-completion.ts';
import { fishCompletion } from '../cli/completion/fish-completion.ts';
import { usage } from '../cli/failure.ts';

const SCRIPTS = { bash: bashCompletion, fish: fishCompletion };

export default class Completion extends BaseCommand<typeof Completion> {
  static override summary = 'Print the completion script of bash or fish.';
  static override description = 'Zsh is set up by "inlay autocomplete zsh".';
  static override examples = [
    "echo 'source <(<%= config.bin %> <%= command.id %> bash)' >> ~/.bashrc",
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/<%= config.bin %>.fish',
  ];
  static override args = { shell: Args.string({ required: true, description: 'bash or fish.' }) };

  async run(): Promise<{ shell: string; script: string }> {
    const { shell } = this.args;
    if (shell !== 'bash' && shell !== 'fish') {
      throw usage(`There is no script for ${shell}.`, `"inlay autocomplete ${shell}" sets up zsh and PowerShell.`);
    }
    const script = SCRIPTS[shell](this.config);
    this.say(script);
    return { shell, script };
  }
}
