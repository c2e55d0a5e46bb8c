/**
 * Base of the partner commands, which use the API with a key from a flag, the environment or a profile, in that order. Below it is the
 * kind of command that needs no class of its own: one request, and what is printed of the answer.
 */
import { type Command, Flags, type Interfaces } from '@oclif/core';
import { createClient, type InlayClient } from '../client/create-client.ts';
import { ownValue } from '../core/json.ts';
import { BaseCommand, type CommandHead, exampleOf, yesFlag } from './base-command.ts';
import { Failure, notFound, usage } from './failure.ts';
import { type Profile, readProfiles, readRunningService } from './known-services.ts';
import { ApiClient, waitForRequests } from './service/api.ts';
import { type MarketNames, readMarketNames } from './service/market-names.ts';
import { type IdKind, readIds } from './service/whole-id.ts';
import type { Facts } from './terminal/facts.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

export abstract class PartnerCommand<T extends typeof Command> extends BaseCommand<T> {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    profile: Flags.string({ helpValue: 'NAME', helpGroup: 'GLOBAL', summary: 'Profile that has the key.' }),
    'api-url': Flags.string({ helpValue: 'URL', helpGroup: 'GLOBAL', summary: 'Base URL of the service.' }),
    'api-key': Flags.string({
      helpValue: 'KEY',
      helpGroup: 'GLOBAL',
      summary: 'API key; it is safer in INLAY_API_KEY or in a profile.',
    }),
  };

  #client: InlayClient | undefined;
  #api: ApiClient | undefined;

  /** The API with this command's key, typed by the OpenAPI document. */
  protected get client(): InlayClient {
    this.#client ??= createClient({ baseUrl: this.apiUrl, apiKey: this.apiKey });
    return this.#client;
  }

  /** The API with this command's key, for any request. The caller checks the answer. */
  protected get api(): ApiClient {
    this.#api ??= new ApiClient(this.apiUrl, this.apiKey);
    return this.#api;
  }

  protected override findIds(kind: IdKind, _head: string, _tail: string): Promise<readonly string[]> {
    return readIds(this.client, kind);
  }

  /** For one of many reads: if the requests of the minute are used up, it reports that on stderr and waits. */
  protected read<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const onWait = (seconds: number) => this.note(`Rate limited; continuing in ${seconds} s.`);
    return waitForRequests(ask, { onWait, signal });
  }

  /** Names for people of these contracts; none under --json, which prints the answer of the API as it is. */
  protected async marketNames(contractIds: readonly string[]): Promise<MarketNames> {
    return this.jsonEnabled() ? new Map() : readMarketNames(this.client, contractIds);
  }

  /** Names for people of the contracts of these answers; an answer without `contractId` has none. */
  protected namesIn(answers: readonly object[]): Promise<MarketNames> {
    return this.marketNames(answers.flatMap((answer) => ('contractId' in answer ? [String(answer.contractId)] : [])));
  }

  /** An answer with the right outer shape may still lack fields. A bug in the command has the same effect, so the message names both. */
  override async catch(error: Error): Promise<void> {
    const isUnread = error instanceof TypeError && (this.#client ?? this.#api) !== undefined;
    await super.catch(
      isUnread
        ? new Failure('unexpected_answer', `${this.apiUrl} sent an answer that this command cannot read.`, {
            next: 'Check that the URL is that of an Inlay service of this version. If it is, this is a bug in the command: LOG_LEVEL=debug shows where.',
            cause: error,
          })
        : error,
    );
  }

  protected get apiUrl(): string {
    const given = this.#given['api-url'] ?? this.environment.apiUrl;
    return readBaseUrl(given ?? this.#chosen?.apiUrl ?? DEFAULT_URL);
  }

  /** @throws Failure exit 2 if INLAY_API_URL would send a profile's key to another service. */
  protected get apiKey(): string | undefined {
    const environmentKey = this.#given.profile === undefined ? this.environment.apiKey : undefined;
    const named = this.#given['api-key'] ?? environmentKey;
    const profile = this.#chosen;
    if (named !== undefined || profile === undefined) {
      return named;
    }
    if (this.#given['api-url'] === undefined && originOf(this.apiUrl) !== originOf(profile.apiUrl)) {
      throw usage(
        `INLAY_API_URL names ${originOf(this.apiUrl)}, and the key of the profile belongs to ${originOf(profile.apiUrl)}.`,
        'Unset INLAY_API_URL, or name the service with --api-url or the key with INLAY_API_KEY.',
      );
    }
    return profile.apiKey ?? undefined;
  }

  /** Whether the person has a key: in a flag, a variable or a profile. The demo profile that `up` keeps is not such a key. */
  protected get hasOwnKey(): boolean {
    const { profile, 'api-key': key } = this.#given;
    const isNamed = key !== undefined || profile !== undefined || this.environment.profile !== undefined;
    return isNamed || this.environment.apiKey !== undefined || (this.#profile?.madeBy ?? 'up') !== 'up';
  }

  /** The profile; if a service runs on this data folder, that service instead, unless the person chose another profile. */
  get #chosen(): Profile | { readonly apiUrl: string; readonly apiKey: string | null } | undefined {
    const profile = this.#profile;
    const running = readRunningService(this.environment.dataDir);
    const isChosen = profile !== undefined && profile.madeBy !== 'up';
    return running === undefined || isChosen ? profile : { apiUrl: running.url, apiKey: running.apiKey };
  }

  get #given(): { profile?: string; 'api-url'?: string; 'api-key'?: string } {
    return this.flags as { profile?: string; 'api-url'?: string; 'api-key'?: string };
  }

  /** @throws Failure exit 3 when a profile is named that does not exist. */
  get #profile(): Profile | undefined {
    const kept = readProfiles(this.config.configDir);
    const named = this.#given.profile ?? this.environment.profile;
    const found = ownValue(kept.profiles, named ?? kept.current);
    if (found === undefined && named !== undefined) {
      throw notFound(`There is no profile "${named}".`, 'profile_not_found');
    }
    return found;
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}

/** @throws a usage failure if it is not an http or https URL. */
export function readBaseUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw usage(`${text} is not the URL of a service.`, 'Write it as https://api.example.');
  }
  return text.replace(/\/+$/, '');
}

interface Asked<A, F> {
  readonly client: InlayClient;
  readonly args: Interfaces.InferredArgs<A>;
  readonly flags: Interfaces.InferredFlags<F>;
}

interface PartnerCall<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput, Answer extends object>
  extends CommandHead<A, F> {
  /** Asked before the call, unless `--yes` is given. */
  readonly question?: (asked: Asked<A, F>) => string;
  /** @returns the answer of the API, which is the document of `--json` */
  readonly call: (asked: Asked<A, F>) => Promise<Answer>;
  /** @returns what people see of the answer. @param names of the market of the answer, if it has one */
  readonly show: (answer: Answer, names: MarketNames) => Facts | string;
}

/** @returns a command that asks if it has a question, calls the API, and prints the answer */
export function partnerCall<
  Answer extends object,
  A extends Interfaces.ArgInput = Record<never, never>,
  F extends Interfaces.FlagInput = Record<never, never>,
>(call: PartnerCall<A, F, Answer>): typeof Command {
  return class extends PartnerCommand<typeof Command> {
    static override summary = call.summary;
    static override description = call.description;
    static override examples = call.examples.map(exampleOf);
    static override hiddenAliases = call.hiddenAliases ?? [];
    static override hidden = call.hidden ?? false;
    static override ids = call.ids ?? {};
    static override args = call.args ?? {};
    static override flags = { ...call.flags, ...(call.question === undefined ? {} : yesFlag) };

    async run(): Promise<Answer> {
      const asked: Asked<A, F> = {
        client: this.client,
        args: this.args as Interfaces.InferredArgs<A>,
        flags: this.flags as Interfaces.InferredFlags<F>,
      };
      if (call.question !== undefined) {
        await this.confirm(call.question(asked));
      }
      const answer = await call.call(asked);
      const shown = call.show(answer, await this.namesIn([answer]));
      if (typeof shown === 'string') {
        this.say(shown);
      } else {
        this.printFacts(shown);
      }
      return answer;
    }
  };
}
