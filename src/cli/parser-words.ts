/** What the parser of the command line refuses, in our words: what was given, and what is allowed. Its own text is never shown. */

/** Matched against one complaint of the parser on one line. The first pattern that fits gives the sentence. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:Parsing (--[\w-]+): )?Expected an integer greater than or equal to (\S+) but received: ?(.*)$/,
    '$1 takes a whole number of at least $2, not "$3".',
  ],
  [
    /^(?:Parsing (--[\w-]+): )?Expected an integer less than or equal to (\S+) but received: ?(.*)$/,
    '$1 takes a whole number of at most $2, not "$3".',
  ],
  [/^(?:Parsing (--[\w-]+): )?Expected an integer but received: ?(.*)$/, '$1 takes a whole number, not "$2".'],
  [/^Expected (--[\w-]+)=(.*) to be one of: (.*)$/, '$1 takes one of $3, not "$2".'],
  [/^Expected (.*) to be one of: (.*)$/, 'Expected one of $2, not "$1".'],
  [/^Nonexistent flags?: (.*)$/, 'The command has no $1.'],
  [/^Flag (--[\w-]+) expects (?:a value|one of these values: (.*))$/, '$1 needs a value.'],
  [/^Unexpected arguments?: (.*)$/, 'The command takes no further word: $1'],
  [/^Missing required flag ([\w-]+)$/, '--$1 is missing'],
  [/^(--[\w-]+)=.* cannot also be provided when using (--[\w-]+)$/, '$1 and $2 exclude each other'],
  [/^All of the following must be provided when using (--[\w-]+): (--[\w-]+)$/, '$1 goes with $2'],
];

/** @param message what the parser threw, with colour codes, a usage block and a hint at help. @returns it on one line */
export function parserWords(message: string): string {
  const control = String.fromCharCode(27);
  const lines = message
    .replaceAll(new RegExp(`${control}\\[[0-9;]*m`, 'g'), '')
    // the flag stands on a line of its own before what its value is refused for
    .replaceAll(/(Parsing --[\w-]+)\s*\n\s*/g, '$1: ')
    .split('\n')
    .filter((line) => !line.startsWith('See more help') && !line.startsWith('USAGE'))
    .map((line) =>
      line
        .trim()
        .replace(/^(\S+) {2,}(.*?)\.?$/, '$1 ($2)')
        .replace(/ {2,}/, ': '),
    )
    .filter((line) => line !== '' && !/^The following errors? occurred:$/.test(line))
    .map(inOurWords);
  return lines
    .join('; ')
    .replace(/^Missing \d+ required args?:; /, 'Missing: ')
    .replaceAll(/Parsing (--[\w-]+): /g, '$1: ')
    .replaceAll(':; ', ': ');
}

function inOurWords(complaint: string): string {
  const found = SENTENCES.find(([pattern]) => pattern.test(complaint));
  return found === undefined ? complaint : complaint.replace(...found);
}
