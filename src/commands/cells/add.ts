/** `cells add`: writes a cell into the file of cells. */
import { Args, Flags } from '@oclif/core';
import { CellsCommand } from '../../cli/cells-command.ts';
import { type CellEntry, writeCell } from '../../operations/cells/cells-file.ts';

export default class Add extends CellsCommand<typeof Add> {
  static override summary = 'Add a cell to the file of cells, or change it.';
  static override description =
    'The file is named by INLAY_CELLS_FILE. It contains no addresses of databases, only the names of files that do. The first cell of the file also receives the requests that name no cell. Start the processes of the cell with INLAY_CELL=NAME.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> east --server 10.0.1.1:8080 --server 10.0.1.2:8080 --database-url-file /etc/inlay/east.url --owner-url-file /etc/inlay/east-owner.url',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the cell: 1 to 12 lower-case letters and digits.' }),
  };
  static override flags = {
    server: Flags.string({
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'HOST:PORT',
      summary: 'An API process of the cell; repeatable.',
    }),
    'database-url-file': Flags.string({
      required: true,
      helpValue: 'FILE',
      summary: 'File with the address of the database, as DATABASE_URL has it.',
    }),
    'owner-url-file': Flags.string({
      helpValue: 'FILE',
      summary: 'The same for the role that owns the tables, as DATABASE_OWNER_URL has it.',
    }),
    'admin-url-file': Flags.string({
      helpValue: 'FILE',
      summary: "The same for the role of the service operator's commands, as DATABASE_ADMIN_URL has it.",
    }),
  };

  async run(): Promise<CellEntry> {
    const {
      server: servers,
      'database-url-file': databaseUrlFile,
      'owner-url-file': ownerUrlFile,
      'admin-url-file': adminUrlFile,
    } = this.flags;
    const entry: CellEntry = {
      name: this.args.name,
      servers,
      databaseUrlFile,
      ...(ownerUrlFile === undefined ? {} : { ownerUrlFile }),
      ...(adminUrlFile === undefined ? {} : { adminUrlFile }),
    };
    writeCell(this.cellsFile, entry);
    this.say(`${entry.name}: written to ${this.cellsFile}`);
    this.note('Write the files of the balancer again with "inlay cells map --out FOLDER".');
    return entry;
  }
}
