/**
 * Base of the service operator's commands: they use the database, the one of a running service or one opened for their own
 * duration. What a command does is recorded with who did it (`inlay audit log`), unless it says that it only reads: the record is
 * written before the command gets its database, so that nothing changes without one.
 */
import { userInfo } from 'node:os';
import { type Command, Flags } from '@oclif/core';
import { type Context, openContext } from '../context.ts';
import { isReference } from '../core/reference.ts';
import { openReadyDatabase } from '../db/schema/ready.ts';
import { recordEnd, recordStart } from '../operators/audit-log.ts';
import { BaseCommand } from './base-command.ts';
import { asFailure, usage } from './failure.ts';

const actorFlags = {
  as: Flags.string({
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
    summary: "Who does this, for the audit log; the system's user by default.",
  }),
};

/** `static override baseFlags` of a command that only reads. */
export const reading: Partial<typeof actorFlags> = {};

const CODE_OF_A_STOP = 'interrupted';

export abstract class OperatorCommand<T extends typeof Command> extends BaseCommand<T> {
  /** A command that changes nothing says so, and takes no `--as`. */
  static readOnly = false;
  static override baseFlags: Partial<typeof actorFlags> = actorFlags;

  #context: Promise<Context> | undefined;
  #change: string | undefined;
  #hasRun = false;
  #closing: (() => Promise<void>)[] = [];

  /** A context on a database with the schema of this release; the same one on every call, closed when the command ends. */
  protected openContext(): Promise<Context> {
    this.#context ??= this.#open();
    return this.#context;
  }

  /** Who does this: `--as`, or the system's user. */
  protected get actor(): string {
    const { as } = this.flags as { as?: string };
    if (as !== undefined && !isReference(as)) {
      throw usage('--as takes 1 to 200 printable characters.');
    }
    return as ?? systemUser();
  }

  override async init(): Promise<void> {
    await super.init();
    const run = this.run.bind(this);
    this.run = async () => {
      const answer = await run();
      this.#hasRun = true;
      return answer;
    };
  }

  override async finally(error: Error | undefined): Promise<void> {
    await this.#recordEnd(error);
    const closing = this.#closing;
    this.#closing = [];
    for (const close of closing.reverse()) {
      await close();
    }
    await super.finally(error);
  }

  async #open(): Promise<Context> {
    const { actor } = this;
    const database = await openReadyDatabase(this.environment);
    this.#closing.push(() => database.close());
    const context = openContext(this.environment, database.url, 'cli');
    this.#closing.push(() => context.close());
    if (!(this.ctor as unknown as typeof OperatorCommand).readOnly) {
      const command = (this.id ?? this.ctor.name).replaceAll(':', ' ');
      this.#change = await recordStart(context.sql, { actor, command, arguments: withoutActor(this.argv) });
    }
    return context;
  }

  /** The change itself cannot be taken back any more: a failure here is said, and the record of its start remains. */
  async #recordEnd(error: Error | undefined): Promise<void> {
    const change = this.#change;
    this.#change = undefined;
    if (change === undefined) {
      return;
    }
    const code = error !== undefined ? asFailure(error).code : this.#hasRun ? null : CODE_OF_A_STOP;
    try {
      const { sql } = await this.openContext();
      await recordEnd(sql, change, code);
    } catch {
      this.note('The audit log has the start of this command and not its end.');
    }
  }
}

/** A user id without a name, as in many containers, is no reason to stop. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** What was typed behind the command, without `--as NAME`: the name has a column of its own. */
function withoutActor(argv: readonly string[]): string[] {
  return argv.filter((word, at) => word !== '--as' && argv[at - 1] !== '--as' && !word.startsWith('--as='));
}
