/** Blocks of code: one alone, or the same sample in several languages, of which the page shows the one that the reader chose. */

import { html, type Markup } from '../../../core/markup.ts';
import { highlight } from './highlight.ts';

/** In the order in which they are offered. */
const LANGUAGES = { curl: 'curl', ts: 'TypeScript', python: 'Python' } as const;

export type SampleLanguage = keyof typeof LANGUAGES;

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** A fence ` ```sh curl `, ` ```ts ` or ` ```python ` is a sample; any other is plain code. */
export function sampleLanguage(info: string): SampleLanguage | null {
  const [first = '', second] = info.split(/\s+/);
  if (first === 'sh') {
    return second === 'curl' ? 'curl' : null;
  }
  return first === 'ts' || first === 'python' ? first : null;
}

/** @param title what it is, if a reader could not tell. */
export function codeBlock({ language, code }: CodeBlock, title?: string): Markup {
  return html`<figure class="code">${title === undefined ? null : html`<figcaption>${title}</figcaption>`}
<button type="button" class="copy" data-copy>Copy</button>
<pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>`;
}

/** The same sample in several languages. Without JavaScript all of them are shown, one below the other. */
export function codeTabs(samples: Readonly<Partial<Record<SampleLanguage, string>>>): Markup {
  const shown = (Object.keys(LANGUAGES) as SampleLanguage[]).flatMap((language) => {
    const code = samples[language];
    return code === undefined ? [] : [{ language, code }];
  });
  return html`<div class="samples">
<div class="tabs" role="group" aria-label="Language of the sample">${shown.map(
    ({ language }, index) =>
      html`<button type="button" data-language="${language}" aria-pressed="${index === 0 ? 'true' : 'false'}">${LANGUAGES[language]}</button>`,
  )}</div>
${shown.map(
  ({ language, code }) => html`<figure class="code sample ${language}">
<figcaption>${LANGUAGES[language]}</figcaption>
<button type="button" class="copy" data-copy>Copy</button>
<pre tabindex="0"><code>${highlight(code, language === 'curl' ? 'sh' : language)}</code></pre></figure>`,
)}</div>`;
}
