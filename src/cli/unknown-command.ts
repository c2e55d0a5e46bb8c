/** Guesses the command, or another word, that a person meant by an unknown one. It runs no command. */
import type { Command, Config } from '@oclif/core';

/** Share of the letters of a typed word that may differ. */
const FAR = 0.5;
/** Letters that may differ in a short word with the same first letter. */
const SLIP = 2;
/** Distance of a word that is only the beginning of the known one; it counts as close. */
const SHORT = 0.1;

/**
 * @param words the words before the first flag.
 * @returns the words of the nearest command, and how many of the typed words name it; undefined if none is near.
 */
export function nearestCommand(
  config: Pick<Config, 'commands'>,
  words: readonly string[],
): { readonly command: readonly string[]; readonly typed: number } | undefined {
  // if the first word is a topic, only its commands are candidates
  const topics = new Set<string | undefined>(
    config.commands.filter(({ id }) => id.includes(':')).map(({ id }) => id.split(':')[0]),
  );
  const found = config.commands
    .filter((command) => !isEarlierName(command))
    .map(({ id }) => id.split(':'))
    .filter((command) => command.length <= words.length && (!topics.has(words[0]) || command[0] === words[0]))
    .map((command) => {
      const typed = words.slice(0, command.length);
      const isShort = typed.every((word, place) => command[place]?.startsWith(word));
      const far = Math.max(...typed.map((word, place) => distance(word, command[place] ?? '') / word.length));
      return { command, typed: command.length, far: isShort ? SHORT : far };
    })
    .sort((one, other) => one.far - other.far || other.typed - one.typed);
  const [nearest] = found;
  const meant = topics.has(words[0]) ? undefined : byLastWord(config, words);
  return meant ?? (nearest !== undefined && nearest.far <= FAR ? nearest : undefined);
}

/** Whether it is listed a second time, under a name that it had before. */
export function isEarlierName({ id, hiddenAliases }: Pick<Command.Loadable, 'id' | 'hiddenAliases'>): boolean {
  return hiddenAliases.includes(id);
}

/** Finds "orders lookup REF" for "lookup REF". */
function byLastWord(config: Pick<Config, 'commands'>, [first]: readonly string[]) {
  const named = config.commands
    .map(({ id }) => id.split(':'))
    .filter((command) => command.length > 1 && command.at(-1) === first);
  const [command] = named;
  return command === undefined || named.length > 1 ? undefined : { command, typed: 1 };
}

/** @returns the known word that an unknown one probably means; undefined if none is near */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ name, far }) => far / word.length <= FAR || (far <= SLIP && name[0] === word[0]))
    .sort((one, other) => one.far - other.far);
  return nearest?.name;
}

/** @returns how many letters must be inserted, removed, changed or swapped with the next one */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (rows[i - 1]?.[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const least = Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(isSwap ? Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1) : least);
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}
