/**
 * Reads scenario files and refuses them before any step runs: for mistakes, which are reported with file, line and the expected value,
 * and for steps that run commands if the file is not one of ours.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { EXIT } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { Failure } from '../failure.ts';
import { serviceNeeded } from '../service-commands.ts';
import { mistakesOf, type Path, readablePart, shapeMistakes, singleSteps } from './check-scenario.ts';
import { type ScenarioFile, type SingleStep, scenarioFile } from './scenario-file.ts';

type Mistake = { readonly file: string; readonly line: number; readonly message: string };

/** Faults of YAML that leave the structure of the file as its author meant it. */
const SPARED = ['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED'];
/** Faults that a line at the wrong column causes, often many of them at once. */
const MISPLACED = ['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY', 'TAB_AS_INDENT'];
/** Fields that hold steps. */
const LISTS: readonly unknown[] = ['steps', 'finally', 'parallel'];
const MISSING = 'there is no such file';

export interface ReadScenario {
  readonly file: string;
  readonly scenario: ScenarioFile;
}

/**
 * @param given names of variables that the command line fills.
 * @throws Failure with every mistake of every file, exit 2; exit 3 if the only mistakes are missing files.
 */
export function readScenarios(files: readonly string[], given: readonly string[]): ReadScenario[] {
  const read = files.map((file) => readScenario(file, given));
  const mistakes = read.flatMap((one) => ('mistakes' in one ? one.mistakes : []));
  if (mistakes.length > 0) {
    const text = mistakes.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n');
    const isMissing = mistakes.every(({ message }) => message === MISSING);
    throw new Failure(isMissing ? 'not_found' : 'invalid_scenario', text, {
      exitCode: isMissing ? EXIT.notFound : EXIT.usage,
      extra: { mistakes },
      next: 'No step was run.',
    });
  }
  return read.filter((one): one is ReadScenario => 'scenario' in one);
}

function readScenario(file: string, given: readonly string[]): ReadScenario | { mistakes: Mistake[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? MISSING : 'cannot be read';
    return { mistakes: [{ file, line: 1, message: reason }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const at = (path: Path) => lineOf(document, lines, path);
  const broken = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    file,
    line: lines.linePos(pos[0]).line,
    message: `not YAML: ${message}${MISPLACED.includes(code) ? '; look at the indentation of this line and of those around it' : ''}`,
  }));
  const fatal = document.errors.findIndex(({ code }) => !SPARED.includes(code));
  if (fatal !== -1) {
    // the rest of the file is read wrongly after this fault, so its faults are not reported
    return { mistakes: broken.slice(0, fatal + 1) };
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return { mistakes: [{ file, line: 1, message: `not YAML: ${error instanceof Error ? error.message : error}` }] };
  }
  const parsed = scenarioFile.safeParse(value);
  const problems = [...shapeMistakes(value), ...mistakesOf(readablePart(value), given)];
  if (parsed.success && problems.length === 0 && broken.length === 0) {
    return { file, scenario: parsed.data };
  }
  const found = problems.map(({ path, message }) => ({
    file,
    line: at(path),
    message: `${placeOf(value, path)}${message}`,
  }));
  return { mistakes: [...broken, ...found].sort((one, other) => one.line - other.line) };
}

/** Names the place of a mistake for a person: the steps by their names, a part of a step by its fields. */
function placeOf(value: unknown, path: Path): string {
  const names: string[] = [];
  const fields: (string | number)[] = [];
  let inner = value;
  for (const key of path) {
    inner = isJsonObject(inner) || Array.isArray(inner) ? (inner as JsonObject)[key] : undefined;
    if (typeof key === 'number' && LISTS.includes(fields.at(-1))) {
      const list = fields.pop();
      const name = isJsonObject(inner) && typeof inner['name'] === 'string' ? `"${inner['name']}"` : key + 1;
      names.push(`${list === 'finally' ? 'finally step' : 'step'} ${name}`);
    } else {
      fields.push(key);
    }
  }
  return [...names, ...(fields.length > 0 ? [fields.join('.')] : [])].map((part) => `${part}: `).join('');
}

/** The line of the value at the path, or of the nearest enclosing value. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) {
      return lines.linePos(node.range[0]).line;
    }
  }
  return 1;
}

/** @throws Failure service_needed for the first step with a command that this package does not have */
export function expectCommands(scenarios: readonly ReadScenario[], config: Parameters<typeof serviceNeeded>[0]): void {
  for (const { file, scenario } of scenarios) {
    for (const { step } of stepsOf(scenario)) {
      const words = commandOf(step);
      const failure = words === undefined ? undefined : serviceNeeded(config, words);
      if (failure !== undefined) {
        throw new Failure(failure.code, `${file}: the step "${step.name}": ${failure.message}`, {
          next: 'Run the file with the command line of the service. No step was run.',
        });
      }
    }
  }
}

/** @returns the words of the command that the step runs; undefined if it runs none */
function commandOf({ inlay, paper, endpoint }: SingleStep): readonly string[] | undefined {
  const words = (given: string | readonly (string | number)[]) =>
    typeof given === 'string' ? given.trim().split(/\s+/) : given.map(String);
  if (endpoint !== undefined) {
    return ['webhooks', 'add'];
  }
  if (paper !== undefined) {
    return ['paper', ...words(paper)];
  }
  return inlay === undefined ? undefined : words(inlay);
}

function stepsOf({ steps, finally: last = [] }: ScenarioFile): ReturnType<typeof singleSteps> {
  return singleSteps([...steps, ...last], []);
}

/**
 * Steps that run commands act with the rights of the service operator. The scenarios of this package are trusted like its code; any
 * other file may run them only with --allow-commands.
 * @param root folder of package.json
 * @throws Failure exit 2 that names the first such step of each file
 */
export function refuseCommands(scenarios: readonly ReadScenario[], root: string): void {
  const folder = join(root, 'fixtures/scenarios');
  const own = existsSync(folder) ? `${realpathSync(folder)}${sep}` : undefined;
  const refused = scenarios.flatMap(({ file, scenario }) => {
    if (own !== undefined && realpathSync(file).startsWith(own)) {
      return [];
    }
    const found = stepsOf(scenario).find(({ step }) => commandOf(step) !== undefined);
    return found === undefined ? [] : [`${file}: the step "${found.step.name}" runs a command`];
  });
  if (refused.length > 0) {
    throw new Failure('commands_not_allowed', refused.join('\n'), {
      exitCode: EXIT.usage,
      next: 'Commands act with the rights of the service operator. Read the files, then add --allow-commands. No step was run.',
    });
  }
}
