/**
 * What commands over the database share about cells: one that names something works in the cell that holds it, one that lists asks
 * all cells, and a cell that does not answer is reported after what the others said.
 */
import { type Command, Flags } from '@oclif/core';
import type { Environment } from '../../core/environment.ts';
import { EXIT } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import { askCells, type SilentCell } from '../../operations/cells/ask-cells.ts';
import { type Cell as CellEntry, readCell, readCells } from '../../operations/cells/cells-file.ts';
import type { Named } from '../../operations/cells/find-holders.ts';
import { BaseCommand } from '../base-command.ts';
import { Failure, usage } from '../failure.ts';
import type { Column } from '../terminal/output.ts';
import { chooseCell } from './choose-cell.ts';
import { namedThing } from './named-thing.ts';
import { silentCells } from './silent-cells.ts';

export const cellFlags = {
  cell: Flags.string({
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
    summary: 'Cell to work in, from INLAY_CELLS_FILE; by default the one that holds what is named, or all for a list.',
  }),
};

/** A row, and the name of its cell if there are cells. */
export type InCell<Row> = Row & { readonly cell?: string };

const CELL_COLUMN: Column<object> = {
  name: 'cell',
  value: (row) => ('cell' in row && typeof row.cell === 'string' ? row.cell : null),
  rank: 1,
};

export abstract class CellAwareCommand<T extends typeof Command> extends BaseCommand<T> {
  /** The cell that holds what is named. */
  #holder: string | undefined;
  #silent: readonly SilentCell[] = [];
  #hasCells = false;

  /** The environment of this machine, with the database of the cell in which the command works. */
  protected override get environment(): Environment {
    const cell = this.cellName;
    return cell === undefined ? super.environment : inCell(super.environment, cell);
  }

  /** Also asked for before the flags are parsed, because parsing may be what fails. */
  protected get cellName(): string | undefined {
    return (this.flags as { cell?: string } | undefined)?.cell ?? this.#holder;
  }

  override async init(): Promise<void> {
    await super.init();
    const { cellsFile } = this.environment;
    const named = this.named();
    if (cellsFile !== undefined && this.cellName === undefined && named !== undefined) {
      this.#holder = await chooseCell(cellsFile, named);
    }
  }

  /** What tells the cell; a command that makes what it names, or looks in all cells itself, says something else. */
  protected named(): Named | undefined {
    return namedThing(this.flags, this.args);
  }

  /** @throws Failure exit 2 if there are cells, and nothing says in which one the command is to work */
  protected expectOneCell(): void {
    const { cellsFile, cell } = this.environment;
    if (cellsFile !== undefined && cell === undefined) {
      const names = readCells(cellsFile).map(({ name }) => name);
      throw usage(`--cell is missing: one of ${names.join(', ')}.`, 'Nothing else tells in which cell to work.');
    }
  }

  /**
   * Does the work in every cell, or in the one that is named or holds what is named; without cells, in the database.
   * @param openOne the database of a command that works in one cell
   * @param deadlineMs of one statement, in milliseconds
   * @returns what each cell answered; `cell` is null without cells
   * @throws Failure `cell_unreachable` if no cell answers
   */
  protected async askEachCell<A>(
    openOne: () => Promise<Sql>,
    work: (sql: Sql) => Promise<A>,
    deadlineMs?: number,
  ): Promise<{ cell: string | null; answer: A }[]> {
    const { cellsFile } = this.environment;
    const name = this.cellName ?? null;
    this.#hasCells = cellsFile !== undefined;
    if (cellsFile === undefined || name !== null) {
      return [{ cell: name, answer: await work(await openOne()) }];
    }
    const { answers, silent } = await askCells(readCells(cellsFile), work, deadlineMs);
    if (answers.length === 0) {
      throw new Failure('cell_unreachable', silent.length === 0 ? `${cellsFile} lists no cells.` : silentCells(silent));
    }
    this.#silent = silent;
    return answers.map(({ cell, answer }) => ({ cell: cell.name, answer }));
  }

  /** Lists of a service with cells begin with the cell of each row. */
  protected override printList<Row extends object>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    empty?: string,
  ): Promise<void> {
    const showsCell = rows.length === 0 ? this.#hasCells : rows.some((row) => 'cell' in row);
    return super.printList(rows, showsCell ? [CELL_COLUMN, ...columns] : columns, empty);
  }

  /** The document says what is missing from it. */
  protected override toSuccessJson(result: unknown): unknown {
    return this.#silent.length === 0 || typeof result !== 'object'
      ? result
      : { ...result, cellsWithoutAnswer: this.#silent };
  }

  override async finally(error: Error | undefined): Promise<void> {
    if (this.#silent.length > 0 && error === undefined) {
      this.note(`${silentCells(this.#silent)}; what it holds is missing here.`);
      this.endWith(process.exitCode === undefined || process.exitCode === 0 ? EXIT.refused : Number(process.exitCode));
    }
    await super.finally(error);
  }
}

/** @throws Failure exit 2 if there is no file of cells */
function inCell(environment: Environment, name: string): Environment {
  if (environment.cellsFile === undefined) {
    throw usage('--cell needs INLAY_CELLS_FILE, the file that lists the cells.');
  }
  return withDatabaseOf(environment, readCell(environment.cellsFile, name));
}

/** The environment of a process of this cell. */
export function withDatabaseOf(
  environment: Environment,
  { name, databaseUrl, ownerUrl, adminUrl }: CellEntry,
): Environment {
  return {
    ...environment,
    cell: name,
    databaseUrl,
    databaseDirectUrl: undefined,
    databaseOwnerUrl: ownerUrl,
    databaseAdminUrl: adminUrl,
  };
}
