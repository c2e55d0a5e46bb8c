/** HTML from templates: every inserted value is escaped, unless a template or a renderer that escapes made it. */

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

type Part = Markup | string | number | null | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Builds HTML. `null` and `undefined` insert nothing; a list inserts its parts in order. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, next, index) => text + write(parts[index - 1]) + next));
}

/** Marks text as HTML, for the output of a renderer that escapes. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function write(part: Part): string {
  if (part === null || part === undefined) {
    return '';
  }
  if (part instanceof Markup) {
    return part.text;
  }
  return typeof part === 'object' ? part.map(write).join('') : escapeText(String(part));
}
