/**
 * Commands of the service operator that the package for partners does not have. Its package.json lists them, so that a partner who meets
 * one in a text or a file learns what it needs. In the package of the service the list is empty.
 */
import type { Config } from '@oclif/core';
import { Failure, keyText } from './failure.ts';

/** Ids of commands, each with what a key can use instead: words after `inlay`, or null. */
export type ServiceCommands = Readonly<Record<string, string | null>>;

type Listing = Pick<Config, 'pjson'>;

/**
 * @param words of the command line, before the first flag
 * @returns the failure of the command, or of the topic, that the words name; undefined if the package has it or nobody does
 */
export function serviceNeeded({ pjson }: Listing, words: readonly string[]): Failure | undefined {
  const { serviceCommands = {} } = pjson as { readonly serviceCommands?: ServiceCommands };
  const named = words.map((_, place) => words.slice(0, place + 1).join(':'));
  const id = named.findLast((one) => one in serviceCommands);
  const topic = Object.keys(serviceCommands).some((one) => one.startsWith(`${words[0]}:`)) ? words[0] : undefined;
  const known = id ?? (words.length === 1 ? topic : undefined);
  if (known === undefined) {
    return undefined;
  }
  const text = `"inlay ${known.replaceAll(':', ' ')}" needs the database of the service, which this package does not use.`;
  return new Failure('service_needed', text, { next: keyText(serviceCommands[known] ?? undefined) });
}
