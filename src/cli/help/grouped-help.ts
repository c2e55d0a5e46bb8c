/** The help of the command line. The root help groups commands by who uses them; everything else is that of oclif. */
import { type Command, CommandHelp, Help } from '@oclif/core';
import { JSON_SUMMARY } from '../terminal/json.ts';
import { painter } from '../terminal/paint.ts';
import { COMMAND_GROUPS } from './command-groups.ts';

const INDENT = 2;
const UNLIMITED = 10_000;

class FittingHelp extends CommandHelp {
  /** oclif shows either the placeholder of a flag or the values that it takes. Combinations with commas are in the summary. */
  protected override flags(flags: Command.Flag.Any[]): ReturnType<CommandHelp['flags']> {
    return super.flags(
      flags.map((flag) => {
        const values = flag.type === 'option' && flag.helpValue !== undefined ? flag.options : undefined;
        const isListed = values?.every((value) => !value.includes(','));
        return isListed !== true ? flag : { ...flag, summary: `${flag.summary} One of ${values?.join(', ')}.` };
      }),
    );
  }

  /** oclif breaks the usage of a command before it fills in the name, so that a long name breaks a word of the line. */
  protected override usage(): string {
    const { maxWidth } = this.opts;
    this.opts.maxWidth = UNLIMITED;
    const whole = super.usage();
    this.opts.maxWidth = maxWidth;
    const [first = '', ...more] = this.wrap(whole.trim(), 2 * INDENT).split('\n');
    return [first, ...more.map((line) => this.indent(line.trim()))].join('\n');
  }
}

export default class GroupedHelp extends Help {
  protected override CommandHelpClass = FittingHelp;

  protected override async showRootHelp(): Promise<void> {
    this.log(rootHelp(this.config.bin, this.config.pjson.description ?? ''));
  }
}

function rootHelp(bin: string, description: string): string {
  const paint = painter(process.stdout);
  const section = (title: string, lines: readonly string[]) =>
    [paint('bold', title), ...lines.map((line) => `${' '.repeat(INDENT)}${line}`), ''].join('\n');
  const width = Math.max(...COMMAND_GROUPS.flatMap(({ words }) => Object.keys(words).map((word) => word.length)));
  return [
    `${description}\n`,
    section('USAGE', [`${bin} COMMAND [SUBCOMMAND] [flags]`]),
    ...COMMAND_GROUPS.map(({ name, words }) =>
      section(
        name,
        Object.entries(words).map(([word, about]) => `${paint('cyan', word.padEnd(width))}  ${about}`),
      ),
    ),
    section('FLAGS', ['-h, --help     Show help', '-v, --version  Show the version', `--json         ${JSON_SUMMARY}`]),
    section('EXAMPLES', [
      `${bin} events list --search "world cup"`,
      `${bin} buy CONTRACT yes --stake 10 --user player-1`,
      `${bin} orders lookup REFERENCE`,
    ]),
    `"${bin} COMMAND --help" shows the subcommands, the flags and examples.`,
  ].join('\n');
}
