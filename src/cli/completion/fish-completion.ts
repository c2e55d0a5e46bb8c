/** The completion script of fish, which oclif's plugin does not write: words, flags and their values, each with a description. */
import type { Config } from '@oclif/core';

const FUNCTIONS = `function __BIN_words
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or echo $word
    end
end
function __BIN_at
    set -l words (__BIN_words)
    test "$words" = "$argv"
end
function __BIN_in
    set -l words (__BIN_words)
    set -l wanted (count $argv)
    test (count $words) -ge $wanted; and test "$words[1..$wanted]" = "$argv"
end`;

export function fishCompletion(config: Config): string {
  const { bin } = config;
  const lines = [
    `# fish completion of ${bin}: save as ~/.config/fish/completions/${bin}.fish`,
    FUNCTIONS.replaceAll('BIN', bin),
    `complete -c ${bin} -f`,
  ];
  const words = new Map<string, string>();
  for (const { name, description, hidden } of config.topics) {
    if (hidden !== true) {
      words.set(name.replaceAll(':', ' '), description ?? '');
    }
  }
  const commands = config.commands.filter(({ hidden }) => !hidden);
  for (const { id, summary, description } of commands) {
    words.set(id.replaceAll(':', ' '), summary ?? description ?? '');
  }
  for (const [path, text] of [...words].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const parts = path.split(' ');
    const word = parts.pop();
    lines.push(`complete -c ${bin} -n '__${bin}_at ${parts.join(' ')}' -a '${word}' -d ${quote(text)}`);
  }
  for (const { id, flags } of commands) {
    for (const flag of Object.values(flags)) {
      const values =
        flag.type !== 'option'
          ? ''
          : flag.options === undefined
            ? ' -r'
            : ` -x -a ${quote(flag.options.map(String).join(' '))}`;
      const short = flag.char === undefined ? '' : ` -s ${flag.char}`;
      const text = quote(flag.summary ?? flag.description ?? '');
      lines.push(
        `complete -c ${bin} -n '__${bin}_in ${id.replaceAll(':', ' ')}' -l ${flag.name}${short}${values} -d ${text}`,
      );
    }
  }
  return lines.join('\n');
}

/** Only the first sentence: a terminal shows it next to the word. */
function quote(text: string): string {
  const line = text.split('\n')[0]?.replace(/<%=.*?%>/g, '') ?? '';
  return `'${line.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
