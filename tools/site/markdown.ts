/** A document of the repository as a part of a page: headings with anchors, samples as tabs, links to other pages of the site. */
import { Lexer, Marked, type Token, type Tokens } from 'marked';
import { escapeText, html, type Markup, trusted } from '../../src/core/markup.ts';
import { type CodeBlock, codeBlock, codeTabs, type SampleLanguage, sampleLanguage } from './code.ts';
import { statesPicture } from './order-states.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** A heading with the text below it, as plain text. */
export interface Passage extends Heading {
  readonly body: string;
}

export interface RenderedDocument {
  readonly body: Markup;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/** A row that begins with such a name can be linked to, as the rows of error codes are. */
const CODE_NAME = /^<code>([a-z]+(?:_[a-z]+)+)<\/code>$/;

/** Where a link of the document leads on the site; null if the page does not exist, and then only its text is shown. */
export type LinkTo = (href: string) => string | null;

/** @param inserts Markdown that replaces a comment `<!-- name -->`. */
export function insertParts(source: string, inserts: Readonly<Record<string, string>>): string {
  return source.replace(/<!-- (\w+) -->/g, (comment, name: string) => inserts[name] ?? comment);
}

/** @param source without the heading of the page */
export function renderMarkdown(source: string, linkTo: LinkTo): RenderedDocument {
  const tokens = new Lexer().lex(source);
  const passages = passagesOf(tokens);
  return {
    body: trusted(writeTokens(tokens, linkTo)),
    headings: passages.filter(({ level }) => level === 2 || level === 3),
    passages,
  };
}

/** One line of Markdown, such as a description in the OpenAPI document. */
export function renderLine(source: string): Markup {
  return trusted(createWriter(() => null).parseInline(source) as string);
}

function writeTokens(tokens: readonly Token[], linkTo: LinkTo): string {
  const writer = createWriter(linkTo);
  return groupSamples(tokens)
    .map((part) => ('samples' in part ? codeTabs(part.samples).text : writer.parser([part.token] as Token[])))
    .join('\n');
}

type Part = { readonly token: Token } | { readonly samples: Partial<Record<SampleLanguage, string>> };

/** Samples that follow each other are one sample in several languages. */
function groupSamples(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const language = token.type === 'code' ? sampleLanguage(String(token['lang'] ?? '')) : null;
    const last = parts.at(-1);
    if (language === null) {
      parts.push({ token });
    } else if (last !== undefined && 'samples' in last && last.samples[language] === undefined) {
      last.samples[language] = (token as Tokens.Code).text;
    } else {
      parts.push({ samples: { [language]: (token as Tokens.Code).text } });
    }
  }
  return parts;
}

function createWriter(linkTo: LinkTo): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = anchorOf(tokens.map(plainText).join(''));
        return html`<h${depth} id="${id}"><a class="anchor" href="#${id}">${trusted(this.parser.parseInline(tokens))}</a></h${depth}>\n`
          .text;
      },
      code({ text, lang = '' }) {
        const block: CodeBlock = { language: lang.split(/\s+/)[0] ?? '', code: text };
        return (block.language === 'mermaid' ? statesPicture(text) : codeBlock(block)).text;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = linkTo(href);
        return target === null ? text : `<a href="${escapeText(target)}">${text}</a>`;
      },
      image: () => '',
      // A list to go through: its boxes are drawn, because ticks would not be stored here.
      checkbox: () => '',
      listitem({ tokens, task }) {
        return `<li${task ? ' class="task"' : ''}>${this.parser.parse(tokens)}</li>\n`;
      },
      // The documents contain no HTML of their own; text that looks like it stays text.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeText(text)),
      table({ header, rows }) {
        // On a phone the cells stand below each other, each after the name of its column; roles keep it a table there.
        const cell = ({ tokens, header: isHeader }: Tokens.TableCell, index: number) => {
          const text = this.parser.parseInline(tokens);
          if (isHeader) {
            return text === '' ? '<td role="cell"></td>' : `<th role="columnheader">${text}</th>`;
          }
          const name = index === 0 ? CODE_NAME.exec(text)?.[1] : undefined;
          const column = index === 0 || text === '' ? '' : (header[index]?.tokens.map(plainText).join('') ?? '');
          return `<td role="cell"${name === undefined ? '' : ` id="${name}"`}${column === '' ? '' : ` data-column="${escapeText(column)}"`}>${text}</td>`;
        };
        const row = (cells: Tokens.TableCell[]) => `<tr role="row">${cells.map(cell).join('')}</tr>`;
        return `<div class="table"><table role="table"><thead role="rowgroup">${row(header)}</thead><tbody role="rowgroup">${rows.map(row).join('')}</tbody></table></div>`;
      },
    },
  });
}

/** The first has the text above all headings. */
function passagesOf(tokens: readonly Token[]): Passage[] {
  const passages: { id: string; text: string; level: number; body: string }[] = [
    { id: '', text: '', level: 1, body: '' },
  ];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plainText(token);
      passages.push({ id: anchorOf(text), text, level: Number(token['depth']), body: '' });
    } else if (token.type !== 'space') {
      const last = passages.at(-1);
      if (last !== undefined) {
        last.body = `${last.body} ${plainText(token)}`.trim();
      }
    }
  }
  return passages;
}

/** As GitHub makes them, so that a link works in the repository and on the site. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** The text of a token, without marks. */
function plainText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.flatMap(({ tokens }) => tokens.map(plainText)).join(' ')).join(' ');
  }
  if (token.type === 'list') {
    return (token as Tokens.List).items.map(plainText).join(' ');
  }
  const inner = 'tokens' in token && token.tokens !== undefined ? token.tokens.map(plainText).join('') : undefined;
  return inner ?? ('text' in token ? String(token['text']) : '');
}
