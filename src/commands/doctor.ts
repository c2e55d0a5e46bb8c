/** `doctor`: checks everything that the service needs and prints what is wrong. It changes nothing. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.ts';
import { asFailure } from '../cli/failure.ts';
import { serviceAddress } from '../cli/known-services.ts';
import { ApiClient } from '../cli/service/api.ts';
import { hangText } from '../cli/terminal/wrap-text.ts';
import type { Environment } from '../core/environment.ts';
import { EXIT } from '../core/errors.ts';
import { DatabaseNotRunning } from '../db/embedded/embedded.ts';
import { checkDatabase, checkEnvironment, checkVenueAccounts } from '../operations/checks.ts';
import { CHECK_MS, type Check } from '../operations/run-checks.ts';

const NAME = 12;

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary = 'Check what the service needs, from its settings to the venues and the API.';
  static override description =
    'It checks Node, environment, folders, database, schema, roles, workers, venues, secrets and API. Failures are printed first, then warnings.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --quiet',
    '<%= config.bin %> <%= command.id %> --venues',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = {
    quiet: Flags.boolean({ char: 'q', summary: 'Print only failures, warnings and the last line.' }),
    venues: Flags.boolean({
      summary: 'Also check the exchanges for facts that their documentation does not state. No order is sent.',
    }),
  };

  override async run(): Promise<{ checks: Omit<Check, 'warning'>[] }> {
    const checks: Check[] = [{ name: 'node', ok: true, detail: `${process.version} at ${process.execPath}` }];
    const environment = this.readEnvironment(checks);
    if (environment !== undefined) {
      const { api, runs } = await checkApi(environment);
      const [accounts, database] = await Promise.all([
        checkVenueAccounts(environment, this.flags.venues),
        checkDatabase(environment, { runs, wordsOf }).catch(asCheck),
      ]);
      checks.push(...checkEnvironment(environment), ...accounts, ...database, api);
    }
    const failed = checks.filter(({ ok, warning }) => !ok && warning !== true);
    const warnings = checks.filter(({ ok, warning }) => !ok && warning === true);
    const passed = this.flags.quiet ? [] : checks.filter(({ ok }) => ok);
    for (const { name, ok, warning, detail } of [...failed, ...warnings, ...passed]) {
      const word = ok
        ? this.paint('green', 'ok  ')
        : warning
          ? this.paint('yellow', 'warn')
          : this.paint('red', 'FAIL');
      this.say(`${word}  ${name.padEnd(NAME)}  ${hangText(detail, 'FAIL'.length + NAME + 4, this.lineWidth)}`);
    }
    const count = (some: readonly Check[], word: string) => `${some.length} ${word}${some.length === 1 ? '' : 's'}`;
    this.say(`${count(checks, 'check')}: ${failed.length} failed, ${count(warnings, 'warning')}`);
    if (failed.length > 0) {
      this.endWith(EXIT.expectationFailed);
    }
    return { checks: checks.map(({ warning: _, ...check }) => check) };
  }

  private readEnvironment(checks: Check[]): Environment | undefined {
    try {
      const { environment } = this;
      const secret = environment.secret === undefined ? 'INLAY_SECRET from the data folder' : 'INLAY_SECRET set';
      checks.push({
        name: 'environment',
        ok: true,
        detail: `venues ${environment.venues.join(', ') || 'none'}; ${secret}`,
      });
      return environment;
    } catch (error) {
      checks.push({ name: 'environment', ok: false, detail: asFailure(error).message });
      return undefined;
    }
  }
}

const wordsOf = (error: unknown): string => asFailure(error).message;

/** The machine may be checked before the service is started, so a database that is not running is a warning. */
function asCheck(error: unknown): Check[] {
  const detail = wordsOf(error);
  return error instanceof DatabaseNotRunning
    ? [{ name: 'database', ok: false, warning: true, detail: `${detail} "inlay up" starts it` }]
    : [{ name: 'database', ok: false, detail }];
}

/** @returns the finding, and whether something runs at the address of the API */
async function checkApi(environment: Environment): Promise<{ api: Check; runs: boolean }> {
  const name = 'api';
  const url = serviceAddress(environment);
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    const { status, body } = await new ApiClient(url, undefined).send<{ status?: string }>('GET', '/api/health', {
      signal,
    });
    const said = body.status ?? status;
    const isDegraded = said === 'degraded';
    const api = { name, ok: status === 200 && !isDegraded, warning: isDegraded, detail: `${url} answers ${said}` };
    return { api, runs: true };
  } catch (error) {
    if (signal.aborted) {
      return { api: { name, ok: false, detail: `${url} has not answered for ${CHECK_MS / 1_000} s` }, runs: true };
    }
    const { code, message } = asFailure(error);
    return code === 'service_unreachable'
      ? {
          api: { name, ok: false, warning: true, detail: `${url} does not answer; "inlay up" starts it` },
          runs: false,
        }
      : { api: { name, ok: false, detail: message }, runs: false };
  }
}
