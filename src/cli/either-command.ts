/**
 * Base of the commands that an API key serves, and without one the database of the service: a partner has the key, and the service operator
 * the database, with the records of all operators. With a key, no code of the database is loaded.
 */
import type { Command } from '@oclif/core';
import { asFailure, Failure } from './failure.ts';
import { PartnerCommand } from './partner-command.ts';
import type { IdKind } from './service/whole-id.ts';

type OperatorDatabase = Awaited<ReturnType<typeof import('./operator-command.ts').openOperatorDatabase>>;

/** Nothing is there that could be used in place of a key. */
const NO_DATABASE = new Set(['database_unavailable', 'service_needed']);

export abstract class EitherCommand<T extends typeof Command> extends PartnerCommand<T> {
  /** Help on what the service operator's form of it has; the package for partners leaves it out. */
  static ofService: string | undefined;

  #database: OperatorDatabase | undefined;

  /** Whether it reads the database: for an operator that is named, or because there is no key. */
  protected get usesDatabase(): boolean {
    return this.#operator !== undefined || !this.hasOwnKey;
  }

  /** @throws Failure missing_credentials if there is neither a key nor a database */
  protected async openDatabase(): Promise<OperatorDatabase> {
    try {
      const { openOperatorDatabase } = await import('./operator-command.ts');
      this.#database ??= await openOperatorDatabase(this.environment);
      return this.#database;
    } catch (error) {
      const isKeyMissing = this.#operator === undefined && this.environment.databaseUrl === undefined;
      throw isKeyMissing && NO_DATABASE.has(asFailure(error).code)
        ? new Failure('missing_credentials', 'There is no API key, and no database of a service.', { cause: error })
        : error;
    }
  }

  protected override async findIds(kind: IdKind, head: string, tail: string): Promise<readonly string[]> {
    if (!this.usesDatabase) {
      return super.findIds(kind, head, tail);
    }
    const { context } = await this.openDatabase();
    const { findIds } = await import('../operations/find-ids.ts');
    return findIds(context.sql, kind, head, tail);
  }

  override async finally(error: Error | undefined): Promise<void> {
    await this.#database?.close();
    await super.finally(error);
  }

  get #operator(): string | undefined {
    return (this.flags as { operator?: string }).operator;
  }
}
