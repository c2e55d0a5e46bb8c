/** The command line of a partner, a page per subject, from the declarations of the commands. Commands of the service operator have `--help`. */
import { SERVICE_OPERATOR } from '../../src/cli/flags.ts';
import { CLI_GROUPS, type CliGroup } from './site-map.ts';

interface Flag {
  readonly name: string;
  readonly type: string;
  readonly char?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly helpGroup?: string;
  readonly helpValue?: string | readonly string[];
  readonly options?: readonly string[];
  readonly default?: unknown;
  readonly required?: boolean;
  readonly multiple?: boolean;
  readonly hidden?: boolean;
  readonly allowNo?: boolean;
}

interface Argument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
}

/** As oclif's manifest has it. */
export interface Command {
  readonly id: string;
  readonly hidden?: boolean;
  readonly summary?: string;
  readonly description?: string;
  readonly args?: Readonly<Record<string, Argument>>;
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly examples?: readonly Example[];
}

type Example = string | { readonly command: string };

/** Those that need neither a key nor the service's database. */
const WITHOUT_KEY = /^(?:logout$|profiles:|webhooks:verify$|feed:verify$)/;

const START = `[Download the command line](/docs/downloads#the-command-line): one package for Node 22.18 and newer, with the command \`inlay\`.

- **Address.** The service is at \`--api-url\`, otherwise at \`INLAY_API_URL\`, otherwise at the address of the profile, otherwise at \`http://127.0.0.1:8080\`.
- **Key.** The key is \`--api-key\`, otherwise \`INLAY_API_KEY\`, otherwise the key of the profile (\`--profile\`).
- **Programs.** \`--json\` prints one JSON document and nothing else.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | refused or failed |
| 2 | wrong usage |
| 3 | not found |
| 4 | not authorised |
| 5 | an expectation did not hold |
| 6 | the outcome is unknown: hold the authorization |
| 7 | rate limited |
| 130 | interrupted |
`;

/** Of a partner, in the order of their names. @throws Error if one of them is on no page */
export function partnerCommands(commands: readonly Command[]): Command[] {
  const shown = commands
    .filter((command) => command.hidden !== true && isPartnerCommand(command))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const lost = shown.filter((command) => !CLI_GROUPS.some((one) => isOf(one, command)));
  if (lost.length > 0) {
    throw new Error(
      `No page of the command line has ${lost.map(({ id }) => id).join(', ')}: see tools/site/site-map.ts.`,
    );
  }
  return shown;
}

/** Whether a key is enough for the command. */
export function isPartnerCommand({ id, flags = {} }: Command): boolean {
  return 'api-key' in flags || WITHOUT_KEY.test(id);
}

/** @returns the command without what only the service operator's form of it has */
export function forPartners<C extends Command>({ ofService: _, ...command }: C & { readonly ofService?: string }): C {
  const { flags = {}, examples = [] } = command as unknown as C;
  return {
    ...command,
    flags: Object.fromEntries(Object.entries(flags).filter(([, { helpGroup }]) => helpGroup !== SERVICE_OPERATOR)),
    examples: examples.filter((example) => !textOf(example).includes(' --operator ')),
  } as unknown as C;
}

/** @returns Markdown */
export function cliPage(one: CliGroup, commands: readonly Command[]): string {
  const parts = partnerCommands(commands)
    .filter((command) => isOf(one, command))
    .map(forPartners);
  const seldom = commands.filter((command) => command.hidden && isPartnerCommand(command) && isOf(one, command));
  return [
    ...(one === CLI_GROUPS[0] ? [START] : []),
    ...parts.map(describe),
    ...(seldom.length === 0
      ? []
      : [`## Seldom used\n\n\`--help\` describes ${seldom.map(({ id }) => `\`inlay ${words(id)}\``).join(', ')}.`]),
  ].join('\n\n');
}

function isOf({ topics }: CliGroup, { id }: Command): boolean {
  return topics.includes(id.split(':')[0] ?? '');
}

function describe(command: Command): string {
  const args = Object.values(command.args ?? {});
  const flags = Object.values(command.flags ?? {}).filter(({ helpGroup, hidden }) => helpGroup !== 'GLOBAL' && !hidden);
  const required = flags.filter((flag) => flag.required);
  const usage = [
    `inlay ${words(command.id)}`,
    ...args.map((arg) => {
      const name = `${arg.name.toUpperCase()}${arg.multiple ? '...' : ''}`;
      return arg.required ? name : `[${name}]`;
    }),
    ...required.map((flag) => `--${flag.name} ${valueText(flag)}`),
    ...(flags.length > required.length ? ['[flags]'] : []),
  ].join(' ');
  const rows = [
    ...args.map((arg) => `| \`${arg.name.toUpperCase()}\` | ${cell(arg.description)} |`),
    ...flags.map(
      (flag) => `| ${nameOf(flag)} | ${cell(flag.summary ?? flag.description)}${valuesOf(flag)}${defaultOf(flag)} |`,
    ),
  ];
  const { summary, description, examples = [] } = command;
  return [
    `## inlay ${words(command.id)}`,
    line(summary),
    ...(description === undefined || description === summary ? [] : [line(description)]),
    `\`\`\`\n${usage}\n\`\`\``,
    ...(rows.length === 0 ? [] : [['| flag | meaning |', '|---|---|', ...rows].join('\n')]),
    ...(examples.length === 0
      ? []
      : [`\`\`\`sh\n${examples.map((example) => exampleOf(example, command.id)).join('\n')}\n\`\`\``]),
  ].join('\n\n');
}

const words = (id: string) => id.replaceAll(':', ' ');
const line = (text = '') => text.replaceAll('<%= config.bin %>', 'inlay').replaceAll('\n', ' ').trim();
const cell = (text?: string) => line(text).replaceAll('|', '\\|');

function nameOf(flag: Flag): string {
  const name = flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`;
  const value = flag.type === 'option' ? ` ${valueText(flag).replaceAll('|', '\\|')}` : '';
  return `\`${flag.char ? `-${flag.char}, ` : ''}${name}${value}\`${flag.multiple ? ', repeatable' : ''}`;
}

function valueText({ name, options, helpValue }: Flag): string {
  const value = helpValue ?? options?.join('|') ?? name.toUpperCase();
  return typeof value === 'string' ? value : value.join(' ');
}

function defaultOf({ type, default: value }: Flag): string {
  return type === 'option' && value !== undefined && String(value) !== '' ? ` Default: \`${value}\`.` : '';
}

/** The values of a flag whose placeholder does not name them. */
function valuesOf({ helpValue, options = [] }: Flag): string {
  return helpValue === undefined || options.length === 0
    ? ''
    : ` One of ${options.map((one) => `\`${one}\``).join(', ')}.`;
}

const textOf = (example: Example) => (typeof example === 'string' ? example : example.command);

function exampleOf(example: Example, id: string): string {
  return textOf(example).replaceAll('<%= config.bin %>', 'inlay').replaceAll('<%= command.id %>', words(id));
}
