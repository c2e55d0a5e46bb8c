/** Blocks of code: one alone, or the same sample in several languages; the page shows the language that the reader chose. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { html, type Markup, trusted } from '../../src/core/markup.ts';

/** The address in samples. A page puts its own in this place, so that a sample names the service from which it was read. */
export const SAMPLE_ORIGIN = 'http://127.0.0.1:8080';

/** In the order in which they are offered. */
const LANGUAGES = { curl: 'curl', ts: 'TypeScript', python: 'Python' } as const;
/** Names of code fences that the highlighter knows by another name. */
const NAMES: Readonly<Record<string, string>> = {
  sh: 'bash',
  ts: 'typescript',
  js: 'typescript',
  html: 'xml',
  py: 'python',
};

for (const [name, language] of Object.entries({ bash, json, python, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language);
}

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

/** @param title names the sample, if a reader could not recognise it */
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

/** Colours are set here, so that the browser runs no script for them. Code in an unknown language has none. */
function highlight(code: string, language: string): Markup {
  const name = NAMES[language] ?? language;
  const text =
    hljs.getLanguage(name) === undefined
      ? html`${code}`.text
      : hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
  const parts = text.split(SAMPLE_ORIGIN);
  if (parts.length !== code.split(SAMPLE_ORIGIN).length) {
    throw new Error(`The highlighter cut an address in two: ${code}`);
  }
  return trusted(parts.join(`<span class="origin">${SAMPLE_ORIGIN}</span>`));
}
