/** The help of the command line. The root help groups the commands by the people who use them; oclif prints the rest. */
import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core';
import { JSON_SUMMARY, painter } from './terminal/printable.ts';

const INDENT = 2;
const UNLIMITED = 10_000;

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
}

export default class GroupedHelp extends Help {
  protected override CommandHelpClass = FittingHelp;

  protected override async showRootHelp(): Promise<void> {
    this.log(rootHelp(this.config));
  }
}

function rootHelp({ bin, commands, pjson: { description = '' } }: Interfaces.Config): string {
  // the package for partners has a part of the commands
  const known = new Set(commands.map(({ id }) => id.split(':')[0]));
  const groups = COMMAND_GROUPS.map(({ name, words }) => ({
    name,
    words: Object.entries(words).filter(([word]) => known.has(word)),
  })).filter(({ words }) => words.length > 0);
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
    section('FLAGS', ['-h, --help     Show help', '-v, --version  Show the version', `--json         ${JSON_SUMMARY}`]),
    section('EXAMPLES', [
      `${bin} events list --search "world cup"`,
      `${bin} buy CONTRACT yes --stake 10 --user player-1`,
      `${bin} orders lookup REFERENCE`,
    ]),
    `"${bin} COMMAND --help" shows the subcommands, the flags and examples.`,
  ].join('\n');
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
      categories: 'List the categories of the catalogue',
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
      orders: 'Orders: list, show, cancel, look up, resolve the unknown',
      customers: 'End users of an operator: show, list, suspend, resume',
      limits: 'Limits of a customer',
      jurisdiction: 'Where a customer is',
      'embed-sessions': 'Sessions of the embedded frame',
      webhooks: 'Endpoints, deliveries and replays; events on this machine',
    },
  },
  {
    name: 'FINANCE',
    words: {
      reconciliation: 'Checks of the books, exports, comparisons',
      settlements: 'The settlements register',
      feed: 'The reconciliation feed',
      ledger: 'Balances, proofs',
      periods: 'Accounting periods: close, list, statements',
    },
  },
  {
    name: 'TEST',
    words: {
      sandbox: 'Wallets, results and scripted scenarios of sandbox tenants',
      conformance: 'Check a service against the facts of the contract',
      paper: 'The paper venue: script books, fills, fees and results',
      emulate: 'Run an emulated exchange on this machine',
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
      books: 'Operator books: named lists of offered events',
      venues: 'The venues: connections, and our accounts there',
      rates: 'Display rates of currencies',
      jobs: 'Background jobs: list and retry',
      approvals: 'Changes that a second person approves',
      audit: 'What the service operator did, and who',
    },
  },
  {
    name: 'THIS MACHINE',
    words: {
      login: 'Store an API key in a profile',
      profiles: 'Keys that are stored on this machine',
      status: 'Show the service, your key and the catalogue at a glance',
      whoami: 'Show the operator, the scopes and the limits of your key',
      open: 'Open the documentation or the demo in a browser',
      autocomplete: 'Set up completion in this shell',
      help: 'Show the help of a command',
      version: 'Show the versions of Inlay and Node',
    },
  },
];
