/** A batch of commands as a money statement takes it: numbered rows, and apart from them the facts of all rows. */
import type { Fact } from '../core/fact.ts';
import { type RowType, rowType } from './row-type.ts';

/** A fact with the number of its command and the subject that the command names. */
interface NumberedFact extends Fact {
  /** The number of its row, from 1. */
  readonly command: number;
  /** The order in which the facts of the batch are recorded, from 1. */
  readonly ord: number;
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly orderId: string;
}

export const FACT = rowType<NumberedFact>({
  command: 'integer',
  ord: 'integer',
  operatorId: 'text',
  type: 'text',
  itemId: 'text',
  externalUserId: 'text',
  orderId: 'text',
  money: 'json',
  detail: 'json',
  lines: 'json',
  event: 'json',
});

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
  let ord = 0;
  const facts = commands.flatMap(({ facts, operatorId, externalUserId, orderId }, index) =>
    facts.map((fact) => {
      ord += 1;
      return FACT.toJson({ command: index + 1, ord, operatorId, externalUserId, orderId, ...fact });
    }),
  );
  return { rows: `[${rows.join(',')}]`, facts: `[${facts.join(',')}]` };
}
