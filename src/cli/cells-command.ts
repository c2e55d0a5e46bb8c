/** What the commands about cells share: the file of cells. */
import type { Command } from '@oclif/core';
import { EXIT } from '../core/errors.ts';
import type { CellContent } from '../operations/cells/balancer-files.ts';
import { readCells } from '../operations/cells/cells-file.ts';
import { surveyCells } from '../operations/cells/survey-cells.ts';
import { BaseCommand } from './base-command.ts';
import { Failure, usage } from './failure.ts';

export abstract class CellsCommand<T extends typeof Command> extends BaseCommand<T> {
  /** @throws Failure exit 2 if INLAY_CELLS_FILE is not set */
  protected get cellsFile(): string {
    const path = this.environment.cellsFile;
    if (path === undefined) {
      throw usage(
        'INLAY_CELLS_FILE is not set.',
        'Set it to the file that lists the cells, such as /etc/inlay/cells.json.',
      );
    }
    return path;
  }

  /**
   * All cells with what they hold.
   * @throws Failure if a cell does not answer: what follows from an incomplete list would be wrong
   */
  protected async surveyAll(): Promise<CellContent[]> {
    const surveyed = await surveyCells(readCells(this.cellsFile));
    if (surveyed.length === 0) {
      throw new Failure('not_found', `${this.cellsFile} lists no cells.`, {
        exitCode: EXIT.notFound,
        next: 'Add one with "inlay cells add NAME".',
      });
    }
    return surveyed.map(({ operators, ...cell }) => {
      if (operators === null) {
        throw new Failure('cell_unreachable', `The database of cell ${cell.name} does not answer.`);
      }
      return { ...cell, operators };
    });
  }
}
