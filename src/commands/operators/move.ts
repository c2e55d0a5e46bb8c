/** `operators move`: an operator continues in another cell. */
import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { Failure, usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { loadSecrets } from '../../core/secrets/secret.ts';
import { connect, type Sql } from '../../db/client.ts';
import { loadLogSigner, logVerifierKey } from '../../ledger/transparency-log/log-signer.ts';
import { readLogEnd } from '../../ledger/transparency-log/seal-feed.ts';
import { renderBalancerFiles } from '../../operations/cells/balancer-files.ts';
import { type Cell, readCells } from '../../operations/cells/cells-file.ts';
import { PauseTooLong } from '../../operations/cells/move/bounded-pause.ts';
import type { ComparedLog } from '../../operations/cells/move/close-and-open.ts';
import { abandonMove, type MoveReport, moveOperator } from '../../operations/cells/move/move-operator.ts';
import { surveyCells } from '../../operations/cells/survey-cells.ts';
import { writeBalancerFiles } from '../../operations/cells/write-balancer-files.ts';
import { keepReport } from '../../reconciliation/report/reports.ts';
import { runReportSince } from '../../reconciliation/report/run-report.ts';
import { verifyBooks } from '../../reconciliation/report/verified-books.ts';
import type { Report } from '../../wire/reconciliation/report.ts';

export default class Move extends OperatorCommand<typeof Move> {
  static override summary = 'Move an operator to another cell.';
  static override description =
    'Needs INLAY_CELLS_FILE and the INLAY_SECRET of the cells. Copies while the operator trades, then pauses it for seconds, --max-pause at most: its requests get 503 with Retry-After. The command compares every row and the root of the log of the feed, and runs the reconciliation report in the new cell before it opens there; keys, ids, cursors and the log stay the same. If it is interrupted, run it again, or end it with --abandon. Reload HAProxy afterwards.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lucky-casino --to west --map /etc/haproxy/inlay && systemctl reload haproxy',
    '<%= config.bin %> <%= command.id %> lucky-casino --to west --from east --abandon',
  ];
  static override args = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };
  static override flags = {
    ...yesFlag,
    to: Flags.string({ required: true, helpValue: 'CELL', summary: 'The cell in which it continues.' }),
    from: Flags.string({ helpValue: 'CELL', summary: 'The cell that it leaves; by default the one that holds it.' }),
    map: Flags.string({
      helpValue: 'FOLDER',
      summary: 'Folder of the files of HAProxy, which are written again, as "inlay cells map --out" does.',
    }),
    bind: Flags.string({ default: '*:8080', helpValue: 'ADDRESS', summary: 'What the frontend of --map listens on.' }),
    'max-pause': Flags.integer({
      default: 30,
      min: 1,
      max: 3600,
      helpValue: 'SECONDS',
      summary: 'Longest pause; if it is not enough, the operator trades in its old cell again and the command fails.',
    }),
    abandon: Flags.boolean({ default: false, summary: 'End a move that was interrupted; it stays in its old cell.' }),
  };

  /** It looks for both cells itself. */
  protected override named(): undefined {
    return undefined;
  }

  async run(): Promise<MoveReport> {
    const { slug } = this.args;
    const { abandon } = this.flags;
    const { from, to } = await this.#findCells();
    if (!abandon) {
      await this.confirmOnTerminal(`Move ${slug} from ${from.name} to ${to.name}? It cannot trade for some seconds.`);
    }
    // recorded in the cell that it leaves
    this.flags = { ...this.flags, cell: from.name };
    await this.openContext();
    const report = abandon ? await abandonMove(from, to, slug) : await this.#move(from, to);
    this.printFacts({ operator: report.slug, cell: report.moved ? to.name : from.name, pausedMs: report.pausedMs });
    if (report.moved) {
      await this.#writeMap();
    }
    return report;
  }

  async #findCells(): Promise<{ from: Cell; to: Cell }> {
    const { cellsFile } = this.environment;
    const cells = cellsFile === undefined ? [] : readCells(cellsFile);
    const named = (name: string) => {
      const cell = cells.find((known) => known.name === name);
      if (cell === undefined) {
        throw usage(`There is no cell ${name} in INLAY_CELLS_FILE.`);
      }
      return cell;
    };
    const to = named(this.flags.to);
    const from = this.flags.from === undefined ? await this.#findHolder(cells) : named(this.flags.from);
    if (from === to) {
      throw usage(`${this.args.slug} is in ${to.name} already.`);
    }
    return { from, to };
  }

  async #findHolder(cells: readonly Cell[]): Promise<Cell> {
    const surveyed = await surveyCells(cells);
    const place = surveyed.findIndex(({ operators }) =>
      operators?.some(({ slug, operatorId }) => [slug, operatorId].includes(this.args.slug)),
    );
    const holder = cells[place];
    if (holder === undefined) {
      throw usage(`No cell holds ${this.args.slug}.`);
    }
    return holder;
  }

  async #writeMap(): Promise<void> {
    const { map, bind } = this.flags;
    if (map === undefined) {
      this.note('Write the files of the balancer now: inlay cells map --out FOLDER');
      return;
    }
    const cells = (await surveyCells(readCells(this.environment.cellsFile ?? ''))).map(({ operators, ...cell }) => {
      if (operators === null) {
        throw new Failure('cell_unreachable', `The database of cell ${cell.name} does not answer.`, {
          next: `The operator has moved. Write the files later: inlay cells map --out ${map}`,
        });
      }
      return { ...cell, operators };
    });
    for (const path of writeBalancerFiles(resolve(map), renderBalancerFiles(cells, resolve(map), bind))) {
      this.note(`${path}: written`);
    }
  }

  async #move(from: Cell, to: Cell): Promise<MoveReport> {
    const signer = loadLogSigner(this.environment, loadSecrets(this.environment));
    const [source, target] = [from, to].map(({ databaseUrl }) =>
      connect(databaseUrl, { max: 2, applicationName: 'inlay-move', deadlineMs: 600_000 }),
    ) as [Sql, Sql];
    try {
      return await moveOperator(from, to, this.args.slug, {
        verifyBefore: async (operatorId) => {
          const { report, verified } = await verifyBooks(source, operatorId, logVerifierKey(operatorId, signer));
          expectRight(report, from);
          await keepReport(source, operatorId, report, verified);
        },
        verifyAfter: async (operatorId) => {
          expectRight(await runReportSince(target, operatorId), to);
          return compareLogs(source, target, operatorId);
        },
        progress: (text) => this.note(text),
        maxPauseMs: this.flags['max-pause'] * 1000,
      });
    } catch (error) {
      throw error instanceof PauseTooLong ? pauseTooLong(error) : error;
    } finally {
      await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
    }
  }
}

function pauseTooLong({ message }: PauseTooLong): Failure {
  return new Failure('pause_too_long', `The move was given up: ${message}.`, {
    next: 'Run the command again when there is less load, or with a longer --max-pause.',
  });
}

function expectRight({ ok, findings }: Report, { name }: Cell): void {
  if (!ok) {
    const [first] = findings.filter(({ severity }) => severity === 'critical');
    throw new Error(`the books in ${name} are not right: ${first?.check ?? ''} ${first?.detail ?? ''}`);
  }
}

/** @throws if the feeds do not have the same root */
async function compareLogs(source: Sql, target: Sql, operatorId: string): Promise<ComparedLog> {
  const [left, arrived] = await Promise.all([readLogEnd(source, operatorId), readLogEnd(target, operatorId)]);
  if (left.size !== arrived.size || !left.root.equals(arrived.root)) {
    throw new Error(`the log of the feed of ${operatorId} is not the same in both cells`);
  }
  return { operatorId, size: left.size, root: left.root.toString('base64') };
}
