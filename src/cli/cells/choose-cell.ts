/** Decides in which cell a command works, by what it names. It never guesses: a change goes to the one cell that holds it. */
import { EXIT, isErrorCode, refuse } from '../../core/errors.ts';
import { readCells } from '../../operations/cells/cells-file.ts';
import { findHolders, type Named } from '../../operations/cells/find-holders.ts';
import { Failure } from '../failure.ts';
import { silentCells } from './silent-cells.ts';

/**
 * @returns the name of the cell
 * @throws Failure exit 3 if no cell holds it; exit 2 if several do; `cell_unreachable` if a cell that does not answer may hold it
 */
export async function chooseCell(cellsFile: string, named: Named): Promise<string> {
  const { holders, silent } = await findHolders(readCells(cellsFile), named);
  const what = `${named.kind} ${named.reference}`;
  const [holder, ...others] = holders;
  if (others.length > 0) {
    throw new Failure('ambiguous_reference', `The cells ${holders.join(' and ')} each have ${what}.`, {
      exitCode: EXIT.usage,
      next: 'Add --cell NAME.',
    });
  }
  if (silent.length > 0 && (holder === undefined || isClientOrderId(named))) {
    throw new Failure('cell_unreachable', `${silentCells(silent)}: it may hold ${what}.`, {
      next: 'Add --cell NAME if you know the cell.',
    });
  }
  if (holder === undefined) {
    const code = `unknown_${named.kind}`;
    throw new Failure(isErrorCode(code) ? code : 'not_found', `No cell has ${what}.`, { exitCode: EXIT.notFound });
  }
  return holder;
}

/**
 * Slugs are unique over all cells: commands and frames are led to a cell by them.
 * @throws `operator_exists`; `cell_unreachable` if a cell that does not answer may have an operator of that slug
 */
export async function expectNewSlug(cellsFile: string, slug: string): Promise<void> {
  const { holders, silent } = await findHolders(readCells(cellsFile), { kind: 'operator', reference: slug });
  if (holders.length > 0) {
    throw refuse('operator_exists', `Cell ${holders.join(', ')} has an operator ${slug}.`);
  }
  if (silent.length > 0) {
    throw new Failure('cell_unreachable', `${silentCells(silent)}: it may have an operator ${slug}.`);
  }
}

/** A clientOrderId is the partner's own, so another cell may have the same one. Ids, slugs and executionRefs are unique. */
function isClientOrderId({ kind, reference }: Named): boolean {
  return kind === 'order' && !/^(ord|inl)_/.test(reference);
}
