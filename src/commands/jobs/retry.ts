/** `jobs retry`: makes jobs due now. */
import { Args, Flags } from '@oclif/core';
import { notFound, usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { retryJobs } from '../../operations/due-work.ts';

export default class Retry extends OperatorCommand<typeof Retry> {
  static override hidden = true;
  static override summary = 'Run jobs again now: failed ones, retrying ones, and look-ups at a venue.';
  static override description =
    'For an order id, the worker looks up the outcome of the order at the venue now; no order is ever sent to a venue twice. For exhausted webhook deliveries, use "webhooks replay".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4711',
    '<%= config.bin %> <%= command.id %> ord_0197f1c2a0b37d3e8a6b1c5d9e2f4a60',
    '<%= config.bin %> <%= command.id %> --failed',
  ];
  static override ids = { job: 'order' } as const;
  static override args = { job: Args.string({ multiple: true, description: 'Ids of jobs, from "jobs list".' }) };
  static override flags = {
    failed: Flags.boolean({ default: false, summary: 'All jobs that failed or are being retried.' }),
  };

  async run(): Promise<{ retried: string[] }> {
    const wanted = this.args.job ?? [];
    if (this.flags.failed === wanted.length > 0) {
      throw usage('Give job ids or --failed.');
    }
    const wrong = wanted.find((id) => !/^(\d{1,18}|ord_[0-9a-z]+)$/.test(id));
    if (wrong !== undefined) {
      throw usage(`${wrong} is not a job id.`, '"inlay jobs list" shows the ids.');
    }
    const { sql } = await this.openContext();
    const retried = await retryJobs(sql, this.flags.failed ? null : wanted);
    const missing = wanted.filter((id) => !retried.includes(id));
    if (missing.length > 0) {
      throw notFound(`No such job is waiting: ${missing.join(', ')}.`, 'job_not_found');
    }
    this.say(retried.length === 0 ? 'Nothing to retry.' : `Due now: ${retried.join(', ')}.`);
    return { retried };
  }
}
