/**
 * The help of the command line. The root help groups the commands by the people who use them; oclif prints the rest. Commands that need
 * the database of the service are marked, and those that are seldom used are only named.
 */
import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core';
import { keyText } from './failure.ts';
import { JSON_SUMMARY, painter } from './terminal/printable.ts';
import { isEarlierName } from './unknown-command.ts';

const INDENT = 2;
const UNLIMITED = 10_000;
const NEEDS_DATABASE = 'needs the database of the service';
const ALL = '*';
const SOME = '+';
const UNBROKEN = '\u00a0';

class FittingHelp extends CommandHelp {
  /** Adds the values of a flag to its summary, because oclif shows either its placeholder or its values. */
  protected override flags(flags: Command.Flag.Any[]): ReturnType<CommandHelp['flags']> {
    return super.flags(
      flags.map((flag) => {
        const values = flag.type === 'option' && flag.helpValue !== undefined ? flag.options : undefined;
        const isListed = values?.every((value) => !value.includes(','));
        return isListed !== true ? flag : { ...flag, summary: `${flag.summary} One of ${values?.join(', ')}.` };
      }),
    );
  }

  /** Wraps the usage again, because oclif wraps it before it fills in the name of the command, and a long name would then break a word. */
  protected override usage(): string {
    const { maxWidth } = this.opts;
    this.opts.maxWidth = UNLIMITED;
    const whole = super.usage();
    this.opts.maxWidth = maxWidth;
    const [first = '', ...more] = this.wrap(whole.trim(), 2 * INDENT).split('\n');
    return [first, ...more.map((line) => this.indent(line.trim()))].join('\n');
  }

  protected override description(): string | undefined {
    const { withKey, ofService } = this.command as { withKey?: string; ofService?: string };
    const need = needsDatabase(this.command) ? `It ${NEEDS_DATABASE}. ${keyText(withKey)}` : undefined;
    return (
      [super.description(), ...[ofService, need].map((part) => part && this.wrap(part))]
        .filter((part) => part !== undefined)
        .join('\n\n') || undefined
    );
  }
}

export default class GroupedHelp extends Help {
  protected override CommandHelpClass = FittingHelp;

  /** The command `help` gives other options than the flag `--help`. */
  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}) {
    super(config, { ...config.pjson.oclif.helpOptions, ...options });
  }

  protected override async showRootHelp(): Promise<void> {
    this.log(rootHelp(this.config));
  }

  protected override async showTopicHelp(topic: Interfaces.Topic): Promise<void> {
    await super.showTopicHelp(topic);
    const commands = this.config.commands.filter(({ id }) => id.startsWith(`${topic.name}:`));
    const seldom = commands.filter(isSeldom).map((command) => `${command.id}${markOf([command])}`);
    if (seldom.length > 0) {
      // a name is not broken at the end of a line
      const lines = this.wrap(
        seldom
          .toSorted()
          .join(', ')
          .replaceAll(/:| (?=\*)/g, UNBROKEN),
      );
      this.log(`${this.section('SELDOM USED', lines.replaceAll(UNBROKEN, ' '))}\n`);
    }
    if (commands.some(needsDatabase)) {
      this.log(`${ALL} ${NEEDS_DATABASE}\n`);
    }
  }

  protected override formatCommands(commands: Command.Loadable[]): string {
    return super.formatCommands(commands.map((command) => ({ ...command, id: `${command.id}${markOf([command])}` })));
  }
}

const needsDatabase = (command: object) => 'needsDatabase' in command && command.needsDatabase === true;

const isSeldom = (command: Command.Loadable) => command.hidden === true && !isEarlierName(command);

function rootHelp({ bin, commands, pjson: { description = '' } }: Interfaces.Config): string {
  // the package for partners has a part of the commands
  const byWord = (chosen: readonly Command.Loadable[]) => Map.groupBy(chosen, ({ id }) => id.split(':')[0] ?? '');
  const known = byWord(commands.filter(({ hidden }) => hidden !== true));
  const groups = COMMAND_GROUPS.map(({ name, words }) => ({
    name,
    words: Object.entries(words).flatMap(([word, about]) => {
      const ofWord = known.get(word);
      return ofWord === undefined ? [] : [[`${word}${markOf(ofWord)}`, about] as const];
    }),
  })).filter(({ words }) => words.length > 0);
  const seldom = [...byWord(commands.filter(isSeldom))].flatMap(([word, ofWord]) =>
    known.has(word) ? [] : [`${word}${markOf(ofWord)}`],
  );
  const paint = painter(process.stdout);
  const section = (title: string, lines: readonly string[]) =>
    [paint('bold', title), ...lines.map((line) => `${' '.repeat(INDENT)}${line}`), ''].join('\n');
  const width = Math.max(...groups.flatMap(({ words }) => words.map(([word]) => word.length)));
  return [
    `${description}\n`,
    section('USAGE', [`${bin} COMMAND [SUBCOMMAND] [flags]`]),
    ...groups.map(({ name, words }) =>
      section(
        name,
        words.map(([word, about]) => `${paint('cyan', word.padEnd(width))}  ${about}`),
      ),
    ),
    ...(seldom.length === 0 ? [] : [section('SELDOM USED', [seldom.toSorted().join(', ')])]),
    ...(commands.some(needsDatabase) ? [`${ALL} ${NEEDS_DATABASE}; ${SOME} some of its commands do\n`] : []),
    section('FLAGS', ['-h, --help     Show help', '-v, --version  Show the version', `--json         ${JSON_SUMMARY}`]),
    section('EXAMPLES', [
      `${bin} events list --search "world cup"`,
      `${bin} buy CONTRACT yes --stake 10 --user player-1`,
      `${bin} orders lookup REFERENCE`,
    ]),
    `"${bin} COMMAND --help" shows the subcommands, the flags and examples.`,
  ].join('\n');
}

/** @param commands of one topic */
function markOf(commands: readonly Command.Loadable[]): string {
  return commands.every(needsDatabase) ? ` ${ALL}` : commands.some(needsDatabase) ? ` ${SOME}` : '';
}

interface CommandGroup {
  readonly name: string;
  /** Topics and single commands, each with its line in the root help. */
  readonly words: Readonly<Record<string, string>>;
}

/** The first words of the command line. A test checks that each command and topic is in one group. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'TRADE',
    words: {
      events: 'Browse events',
      prices: 'Watch prices',
      buy: 'Quote, ask, and buy',
      sell: 'Quote, ask, and sell contracts of a customer',
      quote: 'Quote a price for a customer',
      order: 'Order at a quoted price',
      positions: 'Positions of customers',
    },
  },
  {
    name: 'SUPPORT',
    words: {
      orders: 'Orders: list, show, cancel, look up',
      customers: 'End users of an operator: show, list, suspend, resume',
      limits: 'Limits of a customer',
      jurisdiction: 'Where a customer is',
      'embed-sessions': 'Sessions of the embedded frame',
      webhooks: 'Webhooks: events on this machine, deliveries, signatures',
    },
  },
  {
    name: 'FINANCE',
    words: {
      reconciliation: 'Checks of the books, exports, comparisons',
      settlements: 'The settlements register',
      feed: 'The reconciliation feed',
      periods: 'Statements, and accounting periods',
    },
  },
  {
    name: 'TEST',
    words: {
      sandbox: 'Wallets, results and scripted scenarios of sandbox tenants',
      conformance: 'Check a service against the facts of the contract',
    },
  },
  {
    name: 'OPERATE',
    words: {
      up: 'Run the whole service: database, API, workers, paper venue',
      serve: 'Run the API only',
      worker: 'Run the jobs and the feed ingestion only',
      migrate: 'Update the database to the schema of this release',
      doctor: 'Check what the service needs',
      top: 'Show how busy the service is',
      operators: 'Tenants: create, change, suspend, pause trading, collateral',
      keys: 'API keys: issue, list, rotate, revoke',
      markets: 'The catalogue: sync, pause, verify, match, resolve',
      venues: 'The venues: connections, and our accounts there',
      approvals: 'Changes that a second person approves',
      audit: 'What the service operator did, and who',
    },
  },
  {
    name: 'THIS MACHINE',
    words: {
      login: 'Store an API key in a profile',
      logout: 'Remove a profile and its key from this machine',
      profiles: 'Keys that are stored on this machine',
      whoami: 'Show your key and its limits, and the state of the service',
      api: 'Send a request to any route of the API',
      open: 'Open the documentation or the demo in a browser',
      autocomplete: 'Set up completion in this shell',
      help: 'Show the help of a command',
      version: 'Show the versions of Inlay and Node',
    },
  },
];
