/**
 * The base of all commands. It parses the flags, prints the value that `run` returns under `--json`, and reports every error in our
 * words with a fixed exit code. A command declares its flags and examples, prints for people, and returns the value for programs.
 */
import { Command, Errors, Flags, type Interfaces } from '@oclif/core';
import { type Environment, readEnvironment } from '../core/environment.ts';
import { EXIT } from '../core/errors.ts';
import { onInterrupt } from '../core/processes.ts';
import { asFailure, Failure, usage } from './failure.ts';
import { centsIn } from './flags.ts';
import { type IdKind, wholeId } from './service/whole-id.ts';
import { type Facts, factText, headingOf } from './terminal/facts.ts';
import { JSON_SUMMARY, type Paint, painter, printableLines, toJson } from './terminal/printable.ts';
import { askYesNo, canPrompt } from './terminal/prompt.ts';
import { type Column, renderCsv, renderTable } from './terminal/table.ts';
import { breakLines, hangText } from './terminal/wrap-text.ts';

type CommandFlags<T extends typeof Command> = Interfaces.InferredFlags<T['flags'] & T['baseFlags']>;
type CommandArgs<T extends typeof Command> = Interfaces.InferredArgs<T['args']>;

/** Add to `static flags` of a command that asks before it changes something (`confirm`). */
export const yesFlag = {
  yes: Flags.boolean({ char: 'y', default: false, summary: 'Do not ask for confirmation.' }),
};

/** The part of a command that the help shows, and that the parser needs. */
export interface CommandHead<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput> {
  readonly summary: string;
  readonly description?: string;
  /** Arguments and flags of each example. */
  readonly examples: readonly string[];
  readonly hiddenAliases?: string[];
  /** Seldom used: the help names the command without its summary. */
  readonly hidden?: boolean;
  /** Arguments and flags that are ids, as `BaseCommand.ids`. */
  readonly ids?: Readonly<Record<string, IdKind>>;
  readonly args?: A;
  readonly flags?: F;
}

/** @param words arguments and flags. @returns an example for the help: a call of the command with these words */
export function exampleOf(words: string): string {
  return `<%= config.bin %> <%= command.id %> ${words}`.trimEnd();
}

/** Arguments and flags that hold the same kind of id in every command. */
const IDS_EVERYWHERE = { operator: 'operator', parent: 'operator', slug: 'operator', user: 'customer' } as const;

/** `export default class X extends BaseCommand<typeof X>`; then `this.flags` and `this.args` are typed and filled. */
export abstract class BaseCommand<T extends typeof Command> extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    json: Flags.boolean({ helpGroup: 'GLOBAL', default: false, summary: JSON_SUMMARY }),
  };
  /** Further arguments and flags that hold ids. A person may give such an id as a table abbreviates it, or by its beginning. */
  static ids: Readonly<Record<string, IdKind>> = {};

  protected flags!: CommandFlags<T>;
  protected args!: CommandArgs<T>;
  /** For text on stdout. */
  protected readonly paint: Paint = painter(process.stdout);
  /** Set by commands that shut down in their own way. They get no default handler of Ctrl-C. */
  protected readonly handlesSignals: boolean = false;
  /** Set by commands whose own question has the sum in dollars. */
  protected readonly asksAboutSum: boolean = false;
  #environment: Environment | undefined;
  /** Whole ids that the person gave only in part. */
  readonly #abbreviated: string[] = [];
  /** Amounts that were given as whole numbers of cents, as text in dollars. */
  #centsInDollars: readonly string[] = [];

  abstract override run(): Promise<unknown>;

  /** The environment, read and checked once. */
  protected get environment(): Environment {
    this.#environment ??= readEnvironment(process.env);
    return this.#environment;
  }

  /** Parses the arguments of every command, so that none accepts unknown flags by accident. */
  override async init(): Promise<void> {
    await super.init();
    const { args, flags, raw } = await this.parse({
      flags: this.ctor.flags,
      baseFlags: this.ctor.baseFlags ?? {},
      enableJsonFlag: this.ctor.enableJsonFlag,
      args: this.ctor.args,
      strict: this.ctor.strict,
    });
    this.flags = flags as CommandFlags<T>;
    this.args = args as CommandArgs<T>;
    this.#centsInDollars = centsIn(this.ctor, raw);
    const run = this.run.bind(this);
    this.run = async () => {
      await this.#completeIds();
      await this.#repeatCents();
      return run();
    };
    if (!this.handlesSignals) {
      onInterrupt((again) => {
        if (again) {
          process.exit(EXIT.interrupted);
        }
        this.interrupted().catch(() => process.exit(EXIT.interrupted));
      });
    }
  }

  /** `--output json` equals `--json`. It is read from argv, because the parsing of the flags may itself fail. */
  override jsonEnabled(): boolean {
    const end = this.argv.indexOf('--');
    const argv = end === -1 ? this.argv : this.argv.slice(0, end);
    const at = argv.indexOf('--output');
    return argv.includes('--json') || argv.includes('--output=json') || (at !== -1 && argv[at + 1] === 'json');
  }

  /** Prints a line for people on stdout; nothing under --json. */
  protected say(text = ''): void {
    if (!this.jsonEnabled()) {
      process.stdout.write(`${breakLines(printableLines(text), this.lineWidth)}\n`);
    }
  }

  /** Prints progress and notes, always on stderr, so that they never enter a pipe. */
  protected note(text: string): void {
    process.stderr.write(`${breakLines(printableLines(text), widthOf(process.stderr))}\n`);
  }

  /** Prints one value of a stream: a JSON line under --json, otherwise the text of `human`. `run` then returns nothing. */
  protected emit<V>(value: V, human: (value: V) => string): void {
    process.stdout.write(`${this.jsonEnabled() ? toJson(value, 0) : printableLines(human(value))}\n`);
  }

  /** Prints a list in the format of --output; under JSON `run` returns the document instead. */
  protected async printList<Row extends object>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    empty = 'Nothing to list.',
  ): Promise<void> {
    if (this.jsonEnabled()) {
      return;
    }
    if ((this.flags as { output?: string }).output === 'csv') {
      process.stdout.write(`${await renderCsv(rows, columns)}\n`);
    } else if (rows.length === 0) {
      this.note(empty);
    } else {
      const { text, leftOut } = await renderTable(rows, columns, this.paint, this.lineWidth);
      process.stdout.write(`${text}\n`);
      if (leftOut.length > 0) {
        this.note(this.paint('dim', `No room for ${leftOut.join(', ')}: a wider terminal or --output csv shows all.`));
      }
    }
  }

  /** Characters per line of a person's terminal; undefined off a terminal, where lines are not broken. */
  protected get lineWidth(): number | undefined {
    return widthOf(process.stdout);
  }

  /** Prints named values, one per line; nothing under --json. */
  protected printFacts(facts: Facts): void {
    const named = Object.entries(facts).map(([name, value]) => [headingOf(name), value] as const);
    const width = Math.max(...named.map(([name]) => name.length));
    for (const [name, value] of named) {
      this.say(`${this.paint('dim', name.padEnd(width))}  ${hangText(factText(value), width + 2, this.lineWidth)}`);
    }
  }

  /**
   * Asks before a change that cannot be taken back: what pays, closes, suspends, withdraws, approves or replaces a secret. With --yes
   * it does not ask, unless an id was abbreviated and a person can see on a terminal which one is meant. The whole id is printed in any case.
   * @param question names what is changed, the people and the sum; a function is called only if its result is read
   * @throws Failure exit 2 if there is no terminal to ask on; exit 1 when the answer is no.
   */
  protected async confirm(question: string | (() => Promise<string>)): Promise<void> {
    const isAnswered = (this.flags as { yes?: boolean }).yes === true;
    if (this.#abbreviated.length > 0) {
      this.note(`This is about ${this.#abbreviated.join(', ')}.`);
    }
    if (isAnswered && (this.#abbreviated.length === 0 || !canPrompt())) {
      return;
    }
    const text = typeof question === 'string' ? question : await question();
    if (!canPrompt()) {
      throw usage(
        `This command asks first: ${text} There is no terminal to answer on.`,
        'Add --yes to continue without the question.',
      );
    }
    if (!(await askYesNo(text))) {
      throw new Failure('not_confirmed', 'Nothing was changed.');
    }
  }

  /** For a command that asks later, before it begins. @throws Failure exit 2 if there is no terminal to ask on and no --yes. */
  protected expectAnswerable(question: string): void {
    if ((this.flags as { yes?: boolean }).yes !== true && !canPrompt()) {
      throw usage(`${question} There is no terminal to answer on.`, 'Add --yes to continue without the question.');
    }
  }

  /** @returns ids of this kind, at least those that begin with `head` and end with `tail` */
  protected findIds(_kind: IdKind, _head: string, _tail: string): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** @returns the whole id, and the text as it is if no id is meant. @throws Failure exit 2 if several are meant */
  protected async completeId(kind: IdKind, given: string): Promise<string> {
    const whole = await wholeId(kind, given, (...asked) => this.findIds(...asked));
    if (whole !== given) {
      this.noteAbbreviation(whole);
    }
    return whole;
  }

  /** Makes `confirm` ask although --yes was given, because the person gave only a part of this id or reference. */
  protected noteAbbreviation(whole: string): void {
    this.#abbreviated.push(whole);
  }

  /** The command did its work, but the result is not the expected one (exit 5, 6, ...). */
  protected endWith(exitCode: number): void {
    process.exitCode = exitCode;
  }

  override logJson(json: unknown): void {
    process.stdout.write(`${toJson(json)}\n`);
  }

  override async catch(error: Error): Promise<void> {
    if (error instanceof Errors.ExitError) {
      process.exitCode = error.oclif.exit ?? EXIT.done;
      return;
    }
    const failure = asFailure(error);
    process.exitCode = failure.exitCode;
    if (this.jsonEnabled()) {
      this.logJson(failure.toJson());
      return;
    }
    const paint = painter(process.stderr);
    this.note(`${paint('red', `${failure.code}:`)} ${failure.message}`);
    if (failure.next !== undefined) {
      this.note(failure.next);
    }
    if (failure.cause instanceof Error && this.debugging()) {
      process.stderr.write(`${failure.cause.stack ?? ''}\n`);
    }
  }

  /** Does not throw, because it is called after a failure, which may be in the environment itself. */
  private debugging(): boolean {
    try {
      return this.environment.logLevel === 'debug';
    } catch {
      return false;
    }
  }

  async #completeIds(): Promise<void> {
    const { ids } = this.ctor as unknown as typeof BaseCommand;
    for (const [name, kind] of Object.entries({ ...IDS_EVERYWHERE, ...ids })) {
      for (const values of [this.args, this.flags] as Record<string, unknown>[]) {
        const given = values[name];
        if (typeof given === 'string') {
          values[name] = await this.completeId(kind, given);
        } else if (Array.isArray(given)) {
          values[name] = await Promise.all(given.map((one) => this.completeId(kind, String(one))));
        }
      }
    }
  }

  /** A whole number of cents is easily meant as dollars. It is asked about on a terminal, and repeated on stderr elsewhere and with --yes. */
  async #repeatCents(): Promise<void> {
    if (this.asksAboutSum || this.#centsInDollars.length === 0) {
      return;
    }
    const { cents: _, ...named } = this.args as Record<string, unknown>;
    const { user, yes } = this.flags as { user?: string; yes?: boolean };
    const called = [this.id?.replaceAll(':', ' '), ...new Set([...Object.values(named), user])];
    const text = `${called.filter((word) => word !== undefined).join(' ')}: ${this.#centsInDollars.join(', ')}`;
    if (canPrompt() && yes !== true) {
      await this.confirm(`${text}?`);
    } else {
      this.note(text);
    }
  }

  private async interrupted(): Promise<void> {
    try {
      await this.finally(undefined);
    } finally {
      process.exit(EXIT.interrupted);
    }
  }
}

/** Characters per line of a terminal. Undefined off a terminal, or if it does not know its width; lines are then not broken. */
function widthOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY === true && stream.columns > 0 ? stream.columns : undefined;
}
