/**
 * The findings of the audit of a21d688 and the tests that show them gone. A test shows a finding when its title begins with the
 * finding's name ("money 3: ..."). `node test/coverage/findings.ts` writes the tables of docs/coverage.md again.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENT = `${ROOT}docs/coverage.md`;
const BEGIN = '<!-- findings: written by test/coverage/findings.ts -->';
const END = '<!-- end of findings -->';

interface Finding {
  readonly name: string;
  readonly about: string;
}

/** Findings that no title of a test names: what shows them, or why they are left to a later change. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'cluster 4': 'the same as live 4',
  'structure 13': '`knip --production`, which `npm test` runs',
};

const ABOUT: Readonly<Record<string, readonly string[]>> = {
  money: [
    'paid at a resolution that was withdrawn',
    'a live sell that cannot be recorded',
    'facts numbered without a bound',
    'a replay is refused while trading is paused',
    'orders after `closesAt`',
    'collateral moved twice',
    'resolution changes compared by clocks',
    'duplicates in `affectedPositionIds`',
    'statements that check entries against themselves',
    'settlements checked against their own resolution',
    'what no check of the report looked at',
    'a closed export window that changes',
    'a restored backup loses facts at partners',
    'a fee that the venue changes after it was read',
    'seals cover entries and lines only',
    'the owner can rewrite the past unnoticed',
    'the service role may change what is final',
    '`settledAt` later than the feed item of the same fact',
    'dates without a zone read in the zone of the host',
    'the clock may step back',
    'orders never compared with the row of their quote',
    'migrations without `lock_timeout`',
    'a default partition that stops new partitions',
    'tenants kept apart by `where operator_id` alone',
    'floats compared to choose the exit venue',
  ],
  live: [
    'a database that loses its last commits buys twice',
    'released while it may still fill',
    'a late fill is never found',
    'no database call has a deadline',
    'a leader that stumbles at its start follows nothing',
    'a wedged leader is never replaced',
    '`orders resolve` cannot record the truth',
    'results of real venues never arrive; read-only books price live quotes',
    'a capped operator sends four orders a second',
    'a working order never ends',
    'freshness trusts the clock of the venue',
    'no back-off for working orders',
    'a venue taken out of the configuration strands its orders',
    '`neverSent` is read by nobody',
    'no fence between the attempt and the wire',
    'the simulation cannot see the rule that it guards',
    'a verified group stays routable when it changes',
    'SIGTERM cuts live answers',
    'one failed spawn ends supervision',
    'the maps of the leader only grow',
    'SIGINT to the launcher alone is swallowed',
    'what the venue never received is held for six minutes',
    'a backend that dies corrupts the next answer on its connection',
    'requests hang as long as the database is frozen',
  ],
  security: [
    'a sandbox key trades live',
    'the reports of one tenant stall everybody',
    'export slots held for ever',
    'demo tenants and weak secrets in production',
    'a scenario file steals keys and runs commands',
    'no deadline for bodies',
    'one client takes the whole price stream',
    'anonymous routes are unmetered',
    'the demo page moves webhooks to another host',
    'revoking a key leaves its sessions alive',
    'minting gives what the scopes of the key do not',
    '`/metrics` is public',
    'a customer writes to the terminal of the service operator',
    'CSV formulas through the separator',
    'no attribution of what was done',
    'refunds of the budget of another minute',
    '`operator_not_permitted` is never metered',
    'the key of a profile goes wherever the URL points',
    'binding to an origin trusts `Host`',
    'aborted uploads are logged as errors',
    'ids of customers differ by entrance',
    'CSP injection in frame origins',
    'addresses of cloud metadata count as public',
    'the paper venue has no authentication',
    'integrity, `no-store`, /64 addresses, the country header',
    '500 on a field named like a method of objects',
    'presentation parameters come back unchecked',
  ],
  contract: [
    '`orders resolve` takes impossible input',
    'scenarios ignore two-step orders',
    'SIGINT to the process alone is swallowed',
    'a malformed cursor of orders or positions',
    'executable prices of a verified group',
    'the basis of a combined two-sided book',
    '`maxStake` below the minimum of the venue',
    'a price after `event: closed`',
    'the breaker stretched the retry schedule',
    '`orders resolve` on an order with nothing unknown',
    'an export of settlements as JSON lines without a file',
    '`order_fills` names the wrong quantity',
    'bodies with names of object methods',
    'a child’s own key and the ceiling of its holder',
  ],
  'contract fuzzed': [
    '500 on names of object methods',
    '500 on dates at the edge of the calendar',
    'undocumented answers',
    'an export that is an object where an array is documented',
    'aborted uploads in the log',
  ],
  cluster: [
    'ingestion dies while it keeps leadership',
    '500 where 503 is meant, on a node being promoted',
    'a replay is acknowledged without replication',
    'no statement deadline',
    'addresses of several hosts',
    'the paper venue moves between workers',
    '`doctor` does not look at synchronous replication',
    'a fail-over that lost commits goes unseen',
    'a pooler in transaction mode',
    'nothing says how to run highly available',
  ],
  structure: [
    'English that no one speaks',
    'rows of money without types',
    'rules that exist several times',
    'files of trading whose names do not say who comes first',
    'SQL statements that cannot be read',
    'documents against code',
    'two dialects of rows',
    'words with several meanings',
    'entry points with rules',
    'a hook that guesses from the URL which requests raised events',
    'circles of files; a trader made in two places',
    'ten prompts of their own',
    'code of tests in the product',
    'small knowledge copied',
    'two conventions for one thing',
  ],
  people: [
    'the banner comes before the catalogue',
    'the first purchase fails on a moving price',
    '`-h` and `-v` are errors',
    '`events list` names the wrong leader',
    'titles are cut, ids are whole, columns are dropped',
    'JSON logs on a terminal, warnings at install, hints that do nothing',
    'no `sell`, `whoami`, `status`, `open`, `--all`; `buy` names no market',
    'the example operator fails on the tenant of the README',
    'nothing says how to install `inlay/client`',
    '`webhooks listen` takes three steps; deliveries have no time',
    '`/docs` is the stock page',
    'price history and book only for the frame; a GET that changes state',
    'spreadsheets without widths, dates, totals and explanations',
    'no time zone',
    '`--theirs` means your own file',
    'words of exports are explained in one document only',
    'three commands for one subject',
    '`orders lookup` names no market',
    'commands that take an order id only',
    'a held order shows `releaseAmount` without a warning',
    'support references in lower case',
    'a customer who never traded cannot be suspended',
    'dollars and cents without a unit',
    '`--report` and `--output`; TAP without a summary',
    '`feed tail` starts at the beginning; no `--last`',
    '`prices watch` shows an id',
    '`top` is plain text and counts its own requests',
    'two ways to name a customer',
  ],
  'people frame': [
    'the words of the main button are cut',
    'charts without history, crosshair, end labels and change',
    'no rules of resolution, no source',
    'positions without value, profit and total',
    'a settled card does not say how it ended',
    'the demo has no room for the ticket',
    'the payoff is hidden until a price is asked for',
    'years and levels as no person writes them, texts left in English',
    'series and team colours',
    'every card looks the same',
    'a score without names',
    'no book, trades, change, countdown, share link, favourites, related markets',
    'errors that strand people',
    'a cash-out is a raw number',
    'skeletons, chips, practice mode, fonts',
  ],
};

const UNNUMBERED: readonly Finding[] = [
  { name: 'contract questionable', about: 'readings, settled' },
  { name: 'contract missing', about: 'facts that readers missed' },
  { name: 'contract backends', about: 'wrong answers after ended backends' },
  { name: 'people words', about: 'phrases that read unnaturally' },
  {
    name: 'people landing',
    about: 'a landing page without picture, code and call to action; a demo in engineers’ words',
  },
  { name: 'structure ways', about: 'an order passes 17 files, a fill 26' },
  { name: 'structure names', about: 'words that are not the field’s' },
];

export const FINDINGS: readonly Finding[] = [
  ...Object.entries(ABOUT).flatMap(([file, lines]) =>
    lines.map((about, index) => ({ name: `${file} ${index + 1}`, about })),
  ),
  ...UNNUMBERED,
];

interface Shown {
  readonly file: string;
  readonly title: string;
}

/** A title, in a call of `test` or in the table of a `test.each`. */
const TITLE = /(['"`])((?:money|live|security|contract|cluster|structure|people) (?:\\.|(?!\1)[^\\\n])+)\1/g;
const NAMES =
  /^((?:(?:money|live|security|contract fuzzed|contract|cluster|structure|people frame|people) \d+|contract (?:questionable|missing|backends)|structure (?:ways|names)|people (?:words|landing))(?:,? (?:and )?(?:(?:money|live|security|contract fuzzed|contract|cluster|structure|people frame|people) )?\d+)*)\b/;

/** The tests by the finding that their title begins with; a title may begin with several ("live 4, cluster 4: ..."). */
export function findTests(): Map<string, Shown[]> {
  const shown = new Map<string, Shown[]>();
  for (const file of listTests()) {
    const text = readFileSync(`${ROOT}test/${file}`, 'utf8');
    for (const [, , raw = ''] of text.matchAll(TITLE)) {
      const title = raw.replaceAll("\\'", "'");
      for (const name of namesOf(title)) {
        shown.set(name, [...(shown.get(name) ?? []), { file, title }]);
      }
    }
  }
  return shown;
}

/** The findings that a title begins with. */
function namesOf(title: string): string[] {
  const head = NAMES.exec(title)?.[1];
  if (head === undefined) {
    return [];
  }
  let family = '';
  return [
    ...head.matchAll(
      /(money|live|security|contract fuzzed|contract|cluster|structure|people frame|people)? ?(\d+|questionable|missing|backends|ways|names|words|landing)/g,
    ),
  ].map(([, named, which]) => {
    family = named ?? family;
    return `${family} ${which}`;
  });
}

function listTests(): string[] {
  return readdirSync(`${ROOT}test`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}

/** The tables as docs/coverage.md holds them. */
export function renderFindings(): string {
  const shown = findTests();
  const rows = FINDINGS.map(({ name, about }) => {
    const tests = shown.get(name) ?? [];
    const byFile = Map.groupBy(tests, ({ file }) => file);
    const cell = [...byFile].map(([file, some]) => `\`${file}\` ${some.map(({ title }) => `"${title}"`).join(', ')}`);
    return `| ${name} | ${about} | ${cell.join('; ') || (OTHERWISE[name] ?? 'not shown')} |`;
  });
  return [BEGIN, '| finding | about | shown by |', '|---|---|---|', ...rows, END].join('\n');
}

/** The tables as they are in docs/coverage.md now. */
export function writtenFindings(): string {
  const text = readFileSync(DOCUMENT, 'utf8');
  return text.slice(text.indexOf(BEGIN), text.indexOf(END) + END.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const written = writtenFindings();
  writeFileSync(
    DOCUMENT,
    written === ''
      ? `${text}\n# Findings of the audit of a21d688\n${renderFindings()}\n`
      : text.replace(written, () => renderFindings()),
  );
}
