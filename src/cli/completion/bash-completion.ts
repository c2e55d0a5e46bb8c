/** The completion script of bash: words, flags and their values. That of oclif fails after the first argument or value; this one also runs in bash 3. */
import type { Config } from '@oclif/core';

/** BIN, WORDS, FLAGS, VALUES and TAKES are filled in. A path is the words of a command so far, separated by spaces. */
const SCRIPT = `# bash completion of BIN: source <(BIN completion bash)
_BIN_words() {
  case "$1" in
WORDS
  esac
}
_BIN_flags() {
  case "$1" in
FLAGS
  esac
}
_BIN_values() {
  case "$1" in
VALUES
  esac
}
_BIN_takes() {
  case "$1" in
TAKES
  *) return 1 ;;
  esac
}
_BIN_complete() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" path='' word i choices=''
  # --flag=value comes as three words
  if [[ "$cur" == = ]]; then cur=''; elif [[ "$prev" == = ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ " $(_BIN_words "$path") " == *" $word "* ]] || break
    path="\${path:+$path }$word"
  done
  if [[ "$prev" == -* ]] && _BIN_takes "$path $prev"; then
    choices="$(_BIN_values "$path $prev")"
  elif [[ "$cur" == -* ]]; then
    choices="$(_BIN_flags "$path")"
  elif ((i == COMP_CWORD)); then
    choices="$(_BIN_words "$path")"
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$cur"))
}
# file names where nothing of ours fits
complete -o default -F _BIN_complete BIN
`;

export function bashCompletion(config: Config): string {
  const commands = config.commands.filter(({ hidden }) => !hidden);
  const below = new Map<string, Set<string>>();
  for (const { id } of commands) {
    const words = id.split(':');
    for (const [index, word] of words.entries()) {
      const path = words.slice(0, index).join(' ');
      below.set(path, (below.get(path) ?? new Set()).add(word));
    }
  }
  const flags = commands.flatMap(({ id, flags: declared }) =>
    Object.values(declared).map((flag) => ({ path: id.replaceAll(':', ' '), flag })),
  );
  const valued = flags.flatMap(({ path, flag }) => (flag.type === 'option' ? [{ path, flag }] : []));
  const spelt = ({ name, char }: { name: string; char?: string | undefined }) => [
    `--${name}`,
    ...(char === undefined ? [] : [`-${char}`]),
  ];
  const parts = {
    WORDS: [...below].map(([path, words]) => says([path], [...words].sort())),
    FLAGS: commands.map(({ id, flags: declared }) => {
      const names = Object.values(declared).flatMap((flag) => spelt(flag));
      return says([id.replaceAll(':', ' ')], [...names.sort(), '--help']);
    }),
    VALUES: valued.flatMap(({ path, flag }) =>
      flag.options === undefined
        ? []
        : [
            says(
              spelt(flag).map((name) => `${path} ${name}`),
              flag.options.map(String),
            ),
          ],
    ),
    TAKES: valued.map(
      ({ path, flag }) =>
        `  ${spelt(flag)
          .map((name) => `'${path} ${name}'`)
          .join(' | ')}) ;;`,
    ),
  };
  return SCRIPT.replaceAll('BIN', config.bin).replace(/^(WORDS|FLAGS|VALUES|TAKES)$/gm, (name) =>
    parts[name as keyof typeof parts].join('\n'),
  );
}

const says = (cases: readonly string[], words: readonly string[]): string =>
  `  ${cases.map((text) => `'${text}'`).join(' | ')}) echo '${words.join(' ')}' ;;`;
