/**
 * Base of the service operator's commands, which use the database of a running service. Every command is recorded with its
 * login (`inlay audit log`) before it gets its database, so that nothing changes without a record, unless it declares that it only reads.
 * Below it are the two kinds of command that need no class of their own: a list, and a change that is made at once.
 */
import { type Command, Flags, type Interfaces } from '@oclif/core';
import { type AuditingContext, openContext } from '../context.ts';
import type { Environment } from '../core/environment.ts';
import { isReference } from '../core/reference.ts';
import type { Sql } from '../db/client.ts';
import { openReadyDatabase } from '../db/schema/migrate.ts';
import { findIds } from '../operations/find-ids.ts';
import { type Approval, requestApproval } from '../operators/approvals.ts';
import { recordEnd, recordStart } from '../operators/audit-log.ts';
import type { Operator } from '../operators/operator.ts';
import { getOperator, listOperators } from '../operators/operators.ts';
import type { ReferencedOrder } from '../trading/orders/read-orders.ts';
import type { ApprovalRequest } from './approvals.ts';
import { BaseCommand, type CommandHead, exampleOf, yesFlag } from './base-command.ts';
import { asFailure, Failure, usage } from './failure.ts';
import type { IdKind } from './service/whole-id.ts';
import { type Column, listFlags } from './terminal/table.ts';

const noteFlags = {
  ...BaseCommand.baseFlags,
  as: Flags.string({
    helpGroup: 'GLOBAL',
    helpValue: 'NOTE',
    summary: 'Note for the audit log, beside the login of the database.',
  }),
};

/** `static override baseFlags` of a command that only reads. */
export const reading: typeof BaseCommand.baseFlags & Partial<typeof noteFlags> = BaseCommand.baseFlags;

const CODE_OF_A_STOP = 'interrupted';

export abstract class OperatorCommand<T extends typeof Command> extends BaseCommand<T> {
  /** Set by commands that change nothing; they take no `--as`. */
  static readOnly = false;
  static override baseFlags: typeof reading = noteFlags;

  #context: Promise<AuditingContext> | undefined;
  #database: OperatorDatabase | undefined;
  #change: string | undefined;
  #hasRun = false;
  #approval: Approval | null = null;

  /** A context on a database with the schema of this release; the same one on every call, closed when the command ends. */
  protected openContext(): Promise<AuditingContext> {
    this.#context ??= this.#open();
    return this.#context;
  }

  /** Connection string of the role that owns the tables. It may read more about other sessions than the login of this command. */
  protected async openOwnerUrl(): Promise<string> {
    await this.openContext();
    return (this.#database as OperatorDatabase).ownerUrl;
  }

  /** @returns the operator of `oneOperatorFlag`, or all of them if the flag is not given. @throws unknown_operator */
  protected async chosenOperators(): Promise<Operator[]> {
    const { sql } = await this.openContext();
    const { operator } = this.flags as { operator?: string };
    return operator === undefined ? listOperators(sql) : [await getOperator(sql, operator)];
  }

  protected override async findIds(kind: IdKind, head: string, tail: string): Promise<readonly string[]> {
    const { sql } = await this.openContext();
    return findIds(sql, kind, head, tail);
  }

  /**
   * Files the request instead of the change if its kind needs the approval of a second person.
   * @param summary the change, for the person who decides.
   * @throws Failure approval_required, with the id of the request.
   */
  protected async expectNoApproval(request: ApprovalRequest, summary: string): Promise<void> {
    const { sql } = await this.openContext();
    const approval = await requestApproval(sql, request.kind, request, summary);
    if (approval === undefined) {
      return;
    }
    this.recordApproval(approval);
    const { approvalId, kind, requestedBy, expiresAt } = approval;
    throw new Failure('approval_required', `Nothing was changed. ${approvalId} waits for approval: ${summary}.`, {
      next: `Another person runs "inlay approvals approve ${approvalId}" before ${expiresAt.toISOString()}.`,
      extra: { approvalId, kind, summary, requestedBy, expiresAt: expiresAt.toISOString() },
    });
  }

  /** Makes `confirm` ask about the order if the person gave only a part of its reference. */
  protected noteReference(given: string, { orderId, executionRef, clientOrderId }: ReferencedOrder): void {
    const isWhole = [orderId, clientOrderId].includes(given) || given.toUpperCase() === executionRef.toUpperCase();
    if (!isWhole) {
      this.noteAbbreviation(executionRef);
    }
  }

  /** Makes the audit log name this approval at the end of the command. */
  protected recordApproval(approval: Approval): void {
    this.#approval = approval;
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
    const database = this.#database;
    this.#database = undefined;
    await database?.close();
    await super.finally(error);
  }

  async #open(): Promise<AuditingContext> {
    const { as: note = null } = this.flags as { as?: string };
    if (note !== null && !isReference(note)) {
      throw usage('--as takes 1 to 200 printable characters.');
    }
    this.#database = await openOperatorDatabase(this.environment);
    const { context } = this.#database;
    if (!(this.ctor as unknown as typeof OperatorCommand).readOnly) {
      const command = (this.id ?? this.ctor.name).replaceAll(':', ' ');
      this.#change = await recordStart(context.sql, note, { command, arguments: withoutNote(this.argv) });
    }
    return context;
  }

  /** If this fails, the failure is only reported, because the change can no longer be undone and the record of its start remains. */
  async #recordEnd(error: Error | undefined): Promise<void> {
    const change = this.#change;
    this.#change = undefined;
    if (change === undefined) {
      return;
    }
    const code = error !== undefined ? asFailure(error).code : this.#hasRun ? null : CODE_OF_A_STOP;
    try {
      const { sql } = await this.openContext();
      await recordEnd(sql, change, code, this.#approval?.approvalId ?? null);
    } catch {
      this.note('The audit log has the start of this command but not its end.');
    }
  }
}

interface OperatorDatabase {
  readonly context: AuditingContext;
  /** Connection string of the owner of the tables. */
  readonly ownerUrl: string;
  close(): Promise<void>;
}

/** Connects with the database of a running service, by the role of the service operator's commands. */
export async function openOperatorDatabase(environment: Environment): Promise<OperatorDatabase> {
  const { url, adminUrl, auditUrl, ownerUrl, close } = await openReadyDatabase(environment);
  // the direct address logs in as the service's own role
  const direct = adminUrl === url ? {} : { databaseDirectUrl: undefined };
  const context = openContext({ ...environment, ...direct, databaseAuditUrl: auditUrl }, adminUrl, 'cli');
  return {
    context,
    ownerUrl,
    close: async () => {
      await context.close();
      await close();
    },
  };
}

/** @returns the arguments of the command without `--as NOTE`, because the note has its own column */
function withoutNote(argv: readonly string[]): string[] {
  return argv.filter((word, at) => word !== '--as' && argv[at - 1] !== '--as' && !word.startsWith('--as='));
}

interface OperatorList<F extends Interfaces.FlagInput, Row extends object>
  extends CommandHead<Record<never, never>, F> {
  readonly read: (sql: Sql, flags: Interfaces.InferredFlags<F>) => Promise<readonly Row[]>;
  /** Field of the document of `--json` that has the rows. */
  readonly items: string;
  /** False if the document has no `count` beside the rows. */
  readonly counted?: false;
  readonly columns: readonly Column<Row>[];
  /** Printed in place of an empty table. */
  readonly none: string;
}

/** @returns a command that reads rows from the database and prints them in the format of `--output` */
export function operatorList<Row extends object, F extends Interfaces.FlagInput = Record<never, never>>(
  list: OperatorList<F, Row>,
): typeof Command {
  return class extends OperatorCommand<typeof Command> {
    static override readOnly = true;
    static override baseFlags = reading;
    static override summary = list.summary;
    static override description = list.description;
    static override examples = list.examples.map(exampleOf);
    static override hiddenAliases = list.hiddenAliases ?? [];
    static override ids = list.ids ?? {};
    static override flags = { ...listFlags, ...list.flags };

    async run(): Promise<object> {
      const { sql } = await this.openContext();
      const rows = await list.read(sql, this.flags as Interfaces.InferredFlags<F>);
      await this.printList(rows, list.columns, list.none);
      return { [list.items]: rows, ...(list.counted === false ? {} : { count: rows.length }) };
    }
  };
}

interface OperatorChange<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput, Changed>
  extends CommandHead<A, F> {
  /** Asked before the change, unless `--yes` is given; a change without a question can be taken back by its counterpart. */
  readonly question?: (context: AuditingContext, args: Interfaces.InferredArgs<A>) => Promise<string>;
  /** @returns the document of `--json` */
  readonly change: (
    context: AuditingContext,
    args: Interfaces.InferredArgs<A>,
    flags: Interfaces.InferredFlags<F>,
  ) => Promise<Changed>;
  /** @returns a line for people */
  readonly say: (changed: Changed) => string;
}

/** @returns a command that asks if it has a question, makes one change, and prints a line about it */
export function operatorChange<
  Changed,
  A extends Interfaces.ArgInput = Record<never, never>,
  F extends Interfaces.FlagInput = Record<never, never>,
>(change: OperatorChange<A, F, Changed>): typeof Command {
  return class extends OperatorCommand<typeof Command> {
    static override summary = change.summary;
    static override description = change.description;
    static override examples = change.examples.map(exampleOf);
    static override hiddenAliases = change.hiddenAliases ?? [];
    static override ids = change.ids ?? {};
    static override args = change.args ?? {};
    static override flags = { ...change.flags, ...(change.question === undefined ? {} : yesFlag) };

    async run(): Promise<Changed> {
      const args = this.args as Interfaces.InferredArgs<A>;
      const context = await this.openContext();
      const { question } = change;
      if (question !== undefined) {
        await this.confirm(() => question(context, args));
      }
      const changed = await change.change(context, args, this.flags as Interfaces.InferredFlags<F>);
      this.say(change.say(changed));
      return changed;
    }
  };
}
