/** `cells list`: every cell, and how much it holds. */
import { CellsCommand } from '../../cli/cells-command.ts';
import { columnsOf, listFlags, ranked } from '../../cli/terminal/output.ts';
import { readCells } from '../../operations/cells/cells-file.ts';
import { surveyCells } from '../../operations/cells/survey-cells.ts';

interface ListedCell {
  readonly name: string;
  readonly servers: readonly string[];
  readonly reachable: boolean;
  /** Null if its database does not answer. */
  readonly operators: number | null;
}

export default class List extends CellsCommand<typeof List> {
  static override summary = 'List cells.';
  static override description = 'Which operator is in which cell: "inlay operators list" with INLAY_CELLS_FILE set.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override flags = listFlags;

  async run(): Promise<{ cells: ListedCell[]; count: number }> {
    const surveyed = await surveyCells(readCells(this.cellsFile));
    const cells = surveyed.map(({ name, servers, operators }) => ({
      name,
      servers,
      reachable: operators !== null,
      operators: operators?.length ?? null,
    }));
    await this.printList(
      cells,
      ranked(['name', 'reachable', 'operators', 'servers'], columnsOf('name', 'operators', 'reachable'), [
        { name: 'servers', value: ({ servers }: ListedCell) => servers.join(' ') },
      ]),
      'No cells yet: inlay cells add NAME',
    );
    return { cells, count: cells.length };
  }
}
