/** How the paper venue says that its contracts are decided: invented rules, as an exchange would word them. The addresses do not exist. */
import type { PaperContract, PaperEvent } from './question.ts';

export interface Rules {
  readonly text: string;
  readonly source: string;
  readonly sourceUrl: string;
}

const SOURCES: Readonly<Record<string, string>> = {
  politics: 'Official results of the electoral authority',
  sports: 'Official results of the competition',
  crypto: 'Reference prices of a public index',
  economics: 'First release of the statistical office',
  finance: 'Closing prices of the primary exchange',
  technology: 'Official announcements of the company',
  science: 'Publication of the institution that is named',
  culture: 'Official announcements of the organiser',
  climate: 'First report of the meteorological service',
};
const OTHER_SOURCE = 'Official announcements';

/** What counts of the time after the regular end; in a league a game may end in a draw. */
const PLAYING_TIME: Readonly<Record<string, string>> = {
  soccer: ', stoppage time included and extra time not,',
  tennis: '',
};

const CANCELLED = 'If it is cancelled, and no result can be determined, the market is void and costs are returned.';

export function rulesOf(event: PaperEvent, contract: PaperContract): Rules {
  return {
    text: textOf(event, contract),
    source: SOURCES[event.category] ?? OTHER_SOURCE,
    sourceUrl: `https://results.example/${event.category}`,
  };
}

function textOf(event: PaperEvent, { label, yesLabel, noLabel }: PaperContract): string {
  const yes = yesLabel ?? 'Yes';
  const no = noLabel ?? 'No';
  if (event.fiveMinute) {
    return `This market resolves to ${yes} if the reference price at the end of the five minutes in the title is at or above the price at their beginning, and to ${no} otherwise. Prices of other sources are not considered.`;
  }
  switch (event.model.type) {
    case 'match':
      return `Each outcome resolves to Yes if the final score of the game “${event.title}”${PLAYING_TIME[event.sport ?? ''] ?? ', overtime included,'} makes it true, and to No otherwise. A game that is postponed keeps its markets until it has been played. ${CANCELLED}`;
    case 'ladder':
      return `“${label}” resolves to Yes if the value that “${event.title}” asks for, as first published by the source, satisfies it when the market closes, and to No otherwise. A value equal to the threshold does not satisfy it, and later revisions change nothing.`;
    case 'field':
      return `Exactly one outcome of “${event.title}” resolves to Yes: the one that the source confirms. All others resolve to No. ${CANCELLED}`;
    default:
      return event.contracts.length > 1
        ? `Each outcome of “${event.title}” is decided by itself: it resolves to Yes if the source confirms it before the market closes, and to No otherwise.`
        : `This market resolves to ${yes} if the source confirms before it closes that the answer to “${event.title}” is yes, and to ${no} otherwise.`;
  }
}
