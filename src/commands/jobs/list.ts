/** `jobs list`: queued jobs, failed jobs, and the work that waits in the tables of the workers. */
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { columnsOf, elastic, listFlags, numeric } from '../../cli/terminal/table.ts';
import {
  type DueWork,
  listJobs,
  listWorkers,
  measureDueWork,
  type QueuedJob,
  type WorkerSeen,
} from '../../operations/due-work.ts';

export default class List extends OperatorCommand<typeof List> {
  static override hidden = true;
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List background jobs, failed ones first, and the work that is due.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --json | jq '.due[] | select(.waiting > 0)'",
  ];
  static override flags = { ...listFlags };

  async run(): Promise<{ jobs: QueuedJob[]; due: DueWork[]; workers: WorkerSeen[] }> {
    const { sql } = await this.openContext();
    const [jobs, due, workers] = [await listJobs(sql), await measureDueWork(sql), await listWorkers(sql)];
    await this.printList(
      jobs,
      numeric(
        ['attempts'],
        elastic(
          ['subject'],
          [
            ...columnsOf<QueuedJob>('jobId', 'task', 'subject', 'status', 'attempts', 'runAt'),
            { name: 'lastError', wraps: true, value: (job) => job.lastError },
          ],
        ),
      ),
      'No job is queued.',
    );
    if (this.flags.output === 'table') {
      if (jobs.length > 0) {
        this.say();
      }
      await this.printList(due, [
        ...numeric(['waiting'], columnsOf<DueWork>('name', 'waiting', 'oldestAt')),
        { name: 'meaning', wraps: true, value: (work) => work.meaning },
      ]);
      if (workers.length === 0) {
        this.note('No worker has reported in the last minute; "inlay worker" starts one.');
      }
    }
    return { jobs, due, workers };
  }
}
