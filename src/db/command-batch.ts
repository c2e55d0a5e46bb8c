/** A batch of commands as a money statement takes it: numbered rows, and apart from them the facts of all rows. */
import type { Fact } from '../core/fact.ts';
import { packFacts } from './feed-facts.ts';
import type { RowType } from './row-type.ts';

/** What every command with facts says of itself. */
export interface FactCommand {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly orderId: string;
  /** Recorded with the command, in this order. */
  readonly facts: readonly Fact[];
}

/** The command without its facts, which are sent apart from it. */
export type WithoutFacts<T extends FactCommand> = Omit<T, 'facts'>;

/** Rows that are numbered from 1, as JSON. */
export function packRows<T>(type: RowType<T>, commands: readonly T[]): string {
  return `[${commands.map((command, index) => `{"number":${index + 1}${type.members(command)}}`).join(',')}]`;
}

/**
 * Each row carries the number of its facts: the statement refuses a batch whose facts are not as many as its rows count.
 * @param type describes the command without its facts.
 */
export function packBatch<T extends FactCommand>(
  type: RowType<WithoutFacts<T>>,
  commands: readonly T[],
): { readonly rows: string; readonly facts: string } {
  const rows = commands.map(
    (command, index) => `{"number":${index + 1},"fact_count":${command.facts.length}${type.members(command)}}`,
  );
  let ord = 1;
  const facts = commands.flatMap(({ facts, operatorId, externalUserId, orderId }, index) => {
    const packed = packFacts(facts, { command: index + 1, operatorId, externalUserId, orderId }, ord);
    ord += facts.length;
    return packed;
  });
  return { rows: `[${rows.join(',')}]`, facts: `[${facts.join(',')}]` };
}
