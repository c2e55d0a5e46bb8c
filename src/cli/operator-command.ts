/**
 * Base of the service operator's commands, which use the database of a running service. Every command is recorded with its
 * login (`inlay audit log`) before it gets its database, so that nothing changes without a record, unless it declares that it only reads.
 */
import { type Command, Flags } from '@oclif/core';
import { type AuditingContext, openContext } from '../context.ts';
import { isReference } from '../core/reference.ts';
import { openReadyDatabase } from '../db/schema/migrate.ts';
import { findIds } from '../operations/find-ids.ts';
import { type Approval, requestApproval } from '../operators/approvals.ts';
import { recordEnd, recordStart } from '../operators/audit-log.ts';
import type { ReferencedOrder } from '../trading/orders/read-orders.ts';
import type { ApprovalRequest } from './approvals.ts';
import { BaseCommand } from './base-command.ts';
import { asFailure, Failure, usage } from './failure.ts';
import type { IdKind } from './service/whole-id.ts';

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
  #ownerUrl = '';
  #change: string | undefined;
  #hasRun = false;
  #approval: Approval | null = null;
  #closing: (() => Promise<void>)[] = [];

  /** A context on a database with the schema of this release; the same one on every call, closed when the command ends. */
  protected openContext(): Promise<AuditingContext> {
    this.#context ??= this.#open();
    return this.#context;
  }

  /** Address of the owner of the tables, who sees more of other sessions than the login of this command. */
  protected async openOwnerUrl(): Promise<string> {
    await this.openContext();
    return this.#ownerUrl;
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
      next: `Somebody else runs "inlay approvals approve ${approvalId}" before ${expiresAt.toISOString()}.`,
      extra: { approvalId, kind, summary, requestedBy, expiresAt: expiresAt.toISOString() },
    });
  }

  /** Makes `confirm` ask about an order of which only a part of a reference was given. */
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
    const closing = this.#closing;
    this.#closing = [];
    for (const close of closing.reverse()) {
      await close();
    }
    await super.finally(error);
  }

  async #open(): Promise<AuditingContext> {
    const { as: note = null } = this.flags as { as?: string };
    if (note !== null && !isReference(note)) {
      throw usage('--as takes 1 to 200 printable characters.');
    }
    const database = await openReadyDatabase(this.environment);
    this.#closing.push(() => database.close());
    this.#ownerUrl = database.ownerUrl;
    // the direct address logs in as the service's own role
    const direct = database.adminUrl === database.url ? {} : { databaseDirectUrl: undefined };
    const context = openContext(
      { ...this.environment, ...direct, databaseAuditUrl: database.auditUrl },
      database.adminUrl,
      'cli',
    );
    this.#closing.push(() => context.close());
    if (!(this.ctor as unknown as typeof OperatorCommand).readOnly) {
      const command = (this.id ?? this.ctor.name).replaceAll(':', ' ');
      this.#change = await recordStart(context.sql, note, { command, arguments: withoutNote(this.argv) });
    }
    return context;
  }

  /** A failure here is only reported: the change can no longer be undone, and the record of the start remains. */
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

/** @returns the arguments of the command without `--as NOTE`, because the note has its own column */
function withoutNote(argv: readonly string[]): string[] {
  return argv.filter((word, at) => word !== '--as' && argv[at - 1] !== '--as' && !word.startsWith('--as='));
}
