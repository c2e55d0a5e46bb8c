/** Base of the service operator's commands: they use the database, the one of a running service or one opened for their own duration. */
import type { Command } from '@oclif/core';
import { type Context, openContext } from '../context.ts';
import { openReadyDatabase } from '../db/ready.ts';
import { BaseCommand } from './base-command.ts';

export abstract class OperatorCommand<T extends typeof Command> extends BaseCommand<T> {
  #context: Promise<Context> | undefined;
  #closing: (() => Promise<void>)[] = [];

  /** A context on a database with the schema of this release; the same one on every call, closed when the command ends. */
  protected openContext(): Promise<Context> {
    this.#context ??= this.#open();
    return this.#context;
  }

  override async finally(error: Error | undefined): Promise<void> {
    const closing = this.#closing;
    this.#closing = [];
    for (const close of closing.reverse()) {
      await close();
    }
    await super.finally(error);
  }

  async #open(): Promise<Context> {
    const database = await openReadyDatabase(this.environment);
    this.#closing.push(() => database.close());
    const context = openContext(this.environment, database.url, 'cli');
    this.#closing.push(() => context.close());
    return context;
  }
}
