/** Outputs of commands as files to compare with: what differs from run to run is crossed out letter by letter, so that columns stay in line. */
import type { CommandResult, RunCommand } from './run-command.ts';

/** Each with the part that stays. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b(pk_test|sk_live|whsec|ies1)([_.])[\w.-]+/g, '$1$2…'],
  [/\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?Z/g, '$1'],
  [/\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?:Z|\b(?!:))/g, '$1'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, ''],
  [/\b(inl_[A-Za-z]+_)[0-9A-Z]{14}\b/g, '$1'],
  [/\b([a-z]{2,4}_)[0-9a-f]{32}\b/g, '$1'],
  [/\b(op_)[0-9a-hjkmnp-tv-z]{12}\b/g, '$1'],
  [/\b[0-9a-f]{64}\b/g, ''],
  [/\bWzEs[\w-]+/g, ''],
  [/(127\.0\.0\.1:)\d+/g, '$1'],
];
/** Values of JSON that a clock or a machine made. */
const MEASURED =
  /("(?:ageSeconds|expiresInSeconds|durationMs|tookMs|revision|lagSeconds|oldestAgeSeconds|score|recency|level)": )[\w."]+/g;
/** Why an event is on top follows the hour of the day: "new today" joins while the event is young. */
const REASONS = /("reasons": )\[[^\]]*\]/g;

function crossOut(text: string): string {
  const crossed = CHANGING.reduce((kept, [pattern, part]) => {
    return kept.replaceAll(pattern, (found, ...groups: (string | number | undefined)[]) => {
      if (part.endsWith('…')) {
        return `${groups[0]}${groups[1]}…`;
      }
      const [first] = groups;
      const stays = part === '' || typeof first !== 'string' ? '' : first;
      if (stays === 'T' || stays === ' ') {
        return found.replaceAll(/\d/g, '0');
      }
      return stays + 'x'.repeat(found.length - stays.length);
    });
  }, text);
  return crossed
    .replaceAll(MEASURED, '$1…')
    .replaceAll(REASONS, '$1…')
    .replaceAll(/\d+(\.\d+)? ms\b/g, '… ms')
    .replaceAll(/^(duration ms +)\d+$/gm, '$1…');
}

/** Runs commands one after the other and writes down what each printed and how it ended. */
export function openTranscript(run: RunCommand): {
  add(topic: string, command: string, ...argv: string[]): Promise<CommandResult>;
  text(): string;
} {
  const parts: string[] = [];
  return {
    async add(topic, command, ...argv) {
      const result = await run(topic, command, ...argv);
      const words = [...topic.split('/'), command, ...argv].filter((word) => word !== '');
      const title = crossOut(`$ inlay ${words.join(' ')}`);
      const ended = result.exitCode === 0 ? '' : `[exit ${result.exitCode}]\n`;
      const notes = result.stderr === '' ? '' : crossOut(result.stderr).replaceAll(/^(?=.)/gm, '! ');
      parts.push(`${title}\n${crossOut(result.stdout)}${notes}${ended}`);
      return result;
    },
    text: () => parts.join('\n'),
  };
}
