/**
 * Each page as Markdown, for programs that read it. A page that was written in Markdown keeps its source; the reference is
 * converted from its HTML, so that both say the same. The server fills in its own address (`src/server/docs.ts`).
 */
import { SAMPLE_ORIGIN } from './code.ts';
import type { LinkTo } from './markdown.ts';
import { FIRST_PAGE, SECTIONS, type SitePage } from './site-map.ts';

/** The index of all pages, which is also the Markdown of the first page. */
export const INDEX = '/llms.txt';

const PAGES = new Set(SECTIONS.flatMap(({ pages }) => pages.map(({ address }) => address)));

/** @returns where the Markdown of a page is, or the address itself if it is none of a page */
export function markdownAddress(address: string): string {
  const [path = '', anchor] = address.split('#');
  const target = path === FIRST_PAGE.address ? INDEX : PAGES.has(path) ? `${path}.md` : path;
  return anchor === undefined ? target : `${target}#${anchor}`;
}

/** @param body Markdown without the heading of the page */
export function markdownPage({ label, summary }: SitePage, body: string): string {
  return withOwnAddress(`# ${label}\n\n${summary}\n\n${body.trim()}\n`);
}

/** The address in samples becomes that of the service, and so does each address that begins with a slash. */
export function withOwnAddress(markdown: string): string {
  return markdown.replaceAll(SAMPLE_ORIGIN, '{INLAY_PUBLIC_URL}').replaceAll('](/', ']({INLAY_PUBLIC_URL}/');
}

const LINK = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** Links of a document as the site has them, and nowhere else: those in code are code. */
export function linkMarkdown(source: string, linkTo: LinkTo): string {
  return source
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(LINK, (_, text: string, href: string) => {
            const target = linkTo(href);
            return target === null ? text : `[${text}](${markdownAddress(target)})`;
          }),
    )
    .join('');
}

/** @param page HTML that `html` made: every element is closed, and no attribute contains `>`. */
export function htmlAsMarkdown(page: string): string {
  return blocks(parse(page), '')
    .trim()
    .replaceAll(/\n{3,}/g, '\n\n');
}

interface Element {
  readonly name: string;
  readonly attributes: string;
  readonly children: (Element | string)[];
}

function parse(page: string): Element {
  const root: Element = { name: 'body', attributes: '', children: [] };
  const open = [root];
  for (const [, end, name = '', attributes = '', text] of page.matchAll(/<(\/?)(\w+)([^>]*)>|([^<]+)/g)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) {
      parent.children.push(plain(text));
    } else if (end === '/') {
      open.pop();
    } else {
      const element = { name, attributes, children: [] };
      parent.children.push(element);
      open.push(element);
    }
  }
  return root;
}

/** As `html` and the highlighter write them. */
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
};

const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (entity, name: string) => CHARACTERS[name] ?? entity);

const isIn = ({ attributes }: Element, name: string) => new RegExp(`class="(?:[^"]* )?${name}[ "]`).test(attributes);

function blocks({ children }: Element, indent: string): string {
  return children.map((child) => (typeof child === 'string' ? '' : block(child, indent))).join('');
}

function block(element: Element, indent: string): string {
  const { name } = element;
  if (/^h[1-6]$/.test(name)) {
    return `\n\n${'#'.repeat(Number(name[1]))} ${inline(element)}\n\n`;
  }
  switch (name) {
    case 'p':
    case 'figcaption':
    case 'summary':
      return `\n\n${name === 'p' ? inline(element) : `**${inline(element)}**`}\n\n`;
    case 'details':
      return blocks(isIn(element, 'more') ? withoutSummary(element) : element, indent);
    case 'ul':
      return `${element.children
        .filter(isElement('li'))
        .map((item) => listItem(item, indent))
        .join('')}\n`;
    case 'pre':
      return `\n\n\`\`\`\n${textOf(element)}\n\`\`\`\n\n`;
    case 'button':
      return '';
    case 'figure':
      // one language is enough for a program, which can translate
      return isIn(element, 'sample') && !isIn(element, 'curl') ? '' : blocks(element, indent);
    default:
      return blocks(element, indent);
  }
}

const isElement =
  (...names: readonly string[]) =>
  (part: Element | string): part is Element =>
    typeof part === 'object' && names.includes(part.name);

/** A field with its kind and meaning on one line, and the fields inside below it. */
function listItem({ children }: Element, indent: string): string {
  const isFold = isElement('details');
  const words = inline({ name: 'li', attributes: '', children: children.filter((part) => !isFold(part)) });
  const folds = children
    .filter(isFold)
    .map((fold) => blocks(withoutSummary(fold), `${indent}  `).replaceAll(/\n{2,}/g, '\n'));
  return `${indent}- ${words}\n${folds.join('')}`;
}

/** A list says what is in it; the summary would say it again. */
function withoutSummary(fold: Element): Element {
  return { ...fold, children: fold.children.filter((part) => !isElement('summary')(part)) };
}

function inline({ children }: Element): string {
  return children
    .map((child) => {
      if (typeof child === 'string') {
        return child;
      }
      const text = inline(child);
      switch (child.name) {
        case 'code':
          return `\`${text}\``;
        case 'a': {
          const href = /href="([^"]*)"/.exec(child.attributes)?.[1] ?? '';
          // an anchor of the page is none of its Markdown
          return href.startsWith('#') ? text : `[${text}](${markdownAddress(plain(href))})`;
        }
        case 'p':
        case 'span':
          return ` ${isIn(child, 'kind') || isIn(child, 'optional') ? `(${text})` : text}`;
        default:
          return text;
      }
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const textOf = ({ children }: Element): string =>
  children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
