/** `cells map`: the files by which HAProxy finds the cell of a request. */
import { resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { CellsCommand } from '../../cli/cells-command.ts';
import { type BalancerFiles, renderBalancerFiles } from '../../operations/cells/balancer-files.ts';
import { writeBalancerFiles } from '../../operations/cells/write-balancer-files.ts';

export default class BalancerMap extends CellsCommand<typeof BalancerMap> {
  static override summary = 'Write the files by which HAProxy finds the cell of a request.';
  static override description =
    'Reads every cell; if one does not answer, nothing is written. Run it after a cell was added and after an operator was moved, then reload HAProxy.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --out /etc/haproxy/inlay && systemctl reload haproxy',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = {
    out: Flags.string({ helpValue: 'FOLDER', summary: 'Folder to write to; without it the files are printed.' }),
    bind: Flags.string({ default: '*:8080', helpValue: 'ADDRESS', summary: 'What the frontend listens on.' }),
  };

  async run(): Promise<BalancerFiles> {
    const folder = resolve(this.flags.out ?? '/etc/haproxy/inlay');
    const files = renderBalancerFiles(await this.surveyAll(), folder, this.flags.bind);
    if (this.flags.out === undefined) {
      for (const [name, text] of Object.entries(files)) {
        this.say(`# ${name}\n${text}`);
      }
    } else {
      for (const path of writeBalancerFiles(folder, files)) {
        this.say(`${path}: written`);
      }
    }
    return files;
  }
}
