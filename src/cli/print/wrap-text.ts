/** Breaks text into lines. Pure. */

/** @returns lines of at most `width` characters, broken between words; a longer word is cut. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
      while (line.length > width) {
        lines.push(line.slice(0, width));
        line = line.slice(width);
      }
    }
    return [...lines, line];
  });
}

/**
 * Text beside a name: its other lines begin where the first one begins.
 * @param indent characters of the name and of the gap after it
 * @param width characters per line; without one (off a terminal) the text stays on one line
 */
export function hangText(text: string, indent: number, width: number | undefined): string {
  return width === undefined ? text : wrapText(text, Math.max(LEAST, width - indent)).join(`\n${' '.repeat(indent)}`);
}

const LEAST = 20;
