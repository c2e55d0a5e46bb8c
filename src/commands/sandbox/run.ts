/** `sandbox run`: runs scripted scenarios against the service and reports step by step. */
import { Args, Flags } from '@oclif/core';
import { asFailure, Failure, usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { createCommandLine } from '../../cli/scenarios/actions.ts';
import { Deliveries } from '../../cli/scenarios/deliveries.ts';
import { expectCommands, readScenarios, refuseCommands } from '../../cli/scenarios/read-scenario.ts';
import {
  type FileResult,
  junit,
  listLine,
  listSummary,
  type RunReport,
  summarise,
  tapHead,
  tapLine,
  tapSummary,
} from '../../cli/scenarios/report.ts';
import { runScenario, stepCount } from '../../cli/scenarios/run-scenario.ts';
import { ACTION_NAMES, scenarioSchema } from '../../cli/scenarios/scenario-file.ts';
import { readGivenVariables } from '../../cli/scenarios/variables.ts';
import { EXIT } from '../../core/errors.ts';
import { onInterrupt } from '../../core/processes.ts';

/** Result of a run, printed at its end. */
const ENDS = { list: listSummary, tap: tapSummary, junit } as const;

export default class Run extends PartnerCommand<typeof Run> {
  static override summary = 'Run scripted scenarios; exit 5 if a step fails.';
  static override description = [
    `A file has a name and steps. Each step has a name and one action (${ACTION_NAMES.join(', ')}), and may expect { status, error, body, headers, identities }, capture { variable: path }, repeat and wait within. Steps can be in parallel groups and in loops. A file may have a time limit (timeout). All files are checked before any step runs. Ready files are on the page /docs/downloads of the service, and in fixtures/scenarios of a clone.`,
    'A webhook step waits for a real delivery if there is a receiver: that of an endpoint step, or that of --webhook-port and --webhook-secret, for an endpoint that the service operator registered for http://127.0.0.1:PORT. Without a receiver it waits for the feed item of the event that was emitted.',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> inlay-scenarios/*.yaml',
    '<%= config.bin %> <%= command.id %> checks.yaml --output junit --timeout 120 > report.xml',
    '<%= config.bin %> <%= command.id %> checks.yaml --var contract=ctr_0197f1c2 --json',
    '<%= config.bin %> <%= command.id %> checks.yaml --webhook-port 4242 --webhook-secret whsec_...',
    '<%= config.bin %> <%= command.id %> --schema > scenario.schema.json',
  ];
  static override strict = false;
  static override args = { file: Args.string({ description: 'Scenario files, YAML or JSON.' }) };
  static override flags = {
    output: Flags.option({
      options: ['list', 'tap', 'junit', 'json'] as const,
      aliases: ['report', 'reporter', 'format'],
      summary: 'Format of the report; by default list on a terminal, otherwise tap.',
    })(),
    var: Flags.string({
      multiple: true,
      helpValue: 'NAME=VALUE',
      summary: 'Variable that the files can use; repeatable.',
    }),
    timeout: Flags.integer({
      min: 1,
      max: 3600,
      helpValue: 'SECONDS',
      summary: 'Time limit of each file; by default the one in the file.',
    }),
    'webhook-port': Flags.integer({
      helpValue: 'PORT',
      min: 0,
      max: 65_535,
      dependsOn: ['webhook-secret'],
      summary: 'Receive the webhooks of an endpoint on this port of 127.0.0.1.',
    }),
    'webhook-secret': Flags.string({
      dependsOn: ['webhook-port'],
      helpValue: 'SECRET',
      summary: 'Signing secret of that endpoint.',
    }),
    'allow-commands': Flags.boolean({
      default: false,
      summary:
        'Allow files to run commands of the service operator (inlay, paper and endpoint steps). The files in fixtures/scenarios of the service always may.',
    }),
    schema: Flags.boolean({ default: false, summary: 'Only print the JSON Schema of scenario files.' }),
  };

  #deliveries = new Deliveries((text) => this.note(text));

  /** JSON may be requested by any of the flag's names. */
  override jsonEnabled(): boolean {
    const names = ['--report', '--reporter', '--format'];
    return (
      super.jsonEnabled() ||
      this.argv.some((word, index) =>
        names.some((name) => word === `${name}=json` || (word === name && this.argv[index + 1] === 'json')),
      )
    );
  }

  async run(): Promise<RunReport | ReturnType<typeof scenarioSchema>> {
    if (this.flags.schema) {
      const schema = scenarioSchema();
      this.say(JSON.stringify(schema, null, 2));
      return schema;
    }
    const { argv } = await this.parse(Run);
    const files = argv.map(String);
    if (files.length === 0) {
      throw usage('Give at least one scenario file.');
    }
    const given = readGivenVariables(this.flags.var ?? []);
    const scenarios = readScenarios(files, [...given.keys()]);
    expectCommands(scenarios, this.config);
    if (!this.flags['allow-commands']) {
      refuseCommands(scenarios, this.config.root);
    }
    if (this.apiKey === undefined) {
      throw new Failure('missing_credentials', 'There is no API key to run scenarios with.');
    }
    const form = this.jsonEnabled() ? 'json' : (this.flags.output ?? (process.stdout.isTTY ? 'list' : 'tap'));
    const total = scenarios.reduce((sum, { scenario }) => sum + stepCount(scenario), 0);
    let number = 0;
    if (form === 'tap') {
      this.say(tapHead(total));
      onInterrupt(() => this.say('Bail out! Interrupted.'));
    }
    await this.#listen();
    const inlay = createCommandLine(this.config.root, this.apiUrl, this.apiKey);
    const results: FileResult[] = [];
    for (const read of scenarios) {
      if (form === 'list') {
        this.say(`${this.paint('bold', read.scenario.name)}  ${this.paint('dim', read.file)}`);
      }
      const result = await runScenario(
        {
          api: this.api,
          inlay,
          deliveries: this.#deliveries,
          given,
          timeoutS: this.flags.timeout,
          note: (text) => this.note(text),
          onStep: ({ scenario }, step) => {
            number += 1;
            if (form === 'tap') {
              this.say(tapLine(number, scenario.name, step));
            } else if (form === 'list') {
              this.say(listLine(step, this.paint));
            }
          },
        },
        read,
      ).catch((error: unknown) => {
        if (form === 'tap') {
          this.say(`Bail out! ${asFailure(error).message}`);
        }
        throw error;
      });
      results.push(result);
    }
    const report = summarise(results);
    if (form !== 'json') {
      this.say(ENDS[form](report, this.paint));
    }
    if (!report.ok) {
      this.endWith(EXIT.expectationFailed);
    }
    return report;
  }

  /** Also on Ctrl-C: endpoints that a file registered are removed. */
  override async finally(error: Error | undefined): Promise<void> {
    await this.#deliveries.closeTo(0);
    await super.finally(error);
  }

  async #listen(): Promise<void> {
    const { 'webhook-port': port, 'webhook-secret': secret } = this.flags;
    if (port === undefined || secret === undefined) {
      return;
    }
    const url = await this.#deliveries
      .listen(port, () => secret)
      .catch((error: unknown) => {
        throw usage(`Cannot listen on 127.0.0.1:${port}: ${error instanceof Error ? error.message : String(error)}`);
      });
    this.note(`Webhooks are received on ${url}`);
  }
}
