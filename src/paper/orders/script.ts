/** The script for the next order on a contract (`paper next`), including words that only tests use. Parses only. */

export type Script =
  | { readonly word: 'fill' | 'timeout' | 'silence' | 'twice' | 'forget' | 'lost' | 'reset' | 'error' | 'garbage' }
  | { readonly word: 'reject'; readonly reason: string }
  | { readonly word: 'partial'; readonly millionths: number }
  /** Executes and responds only after `afterMs`. */
  | { readonly word: 'late'; readonly afterMs: number }
  /** Rests, then fills completely after `afterMs`; never if null. */
  | { readonly word: 'working'; readonly afterMs: number | null }
  /** Rests; after it is cancelled it still fills, `afterMs` later. */
  | { readonly word: 'fill-after-cancel'; readonly afterMs: number };

const PLAIN = ['fill', 'timeout', 'silence', 'twice', 'forget', 'lost', 'reset', 'error', 'garbage'] as const;
const DELAY = /^[0-9]{1,6}$/;

/** @returns undefined if the text is not a script */
export function parseScript(text: string): Script | undefined {
  const colon = text.indexOf(':');
  const word = colon === -1 ? text : text.slice(0, colon);
  const rest = colon === -1 ? undefined : text.slice(colon + 1);
  const plain = PLAIN.find((one) => one === word);
  if (plain !== undefined) {
    return rest === undefined ? { word: plain } : undefined;
  }
  switch (word) {
    case 'reject':
      return rest === undefined || rest === '' || rest.length > 200 ? undefined : { word, reason: rest };
    case 'partial': {
      const match = /^(?:0?\.([0-9]{1,6})|([01])(?:\.0{1,6})?)$/.exec(rest ?? '');
      if (match === null) {
        return undefined;
      }
      const millionths = match[1] === undefined ? Number(match[2]) * 1_000_000 : Number(match[1].padEnd(6, '0'));
      return { word, millionths };
    }
    case 'late':
      return delay(rest, 7_000, (afterMs) => ({ word, afterMs }));
    case 'working':
      return rest === 'never' ? { word, afterMs: null } : delay(rest, 1_500, (afterMs) => ({ word, afterMs }));
    case 'fill-after-cancel':
      return delay(rest, 300, (afterMs) => ({ word, afterMs }));
    default:
      return undefined;
  }
}

function delay(rest: string | undefined, standard: number, make: (afterMs: number) => Script): Script | undefined {
  if (rest !== undefined && !DELAY.test(rest)) {
    return undefined;
  }
  return make(rest === undefined ? standard : Number(rest));
}
