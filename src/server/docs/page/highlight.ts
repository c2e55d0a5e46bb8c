/** Colours of code, set when a page is made: the browser runs nothing for them. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { html, type Markup, trusted } from '../../../core/markup.ts';

const NAMES: Readonly<Record<string, string>> = { sh: 'bash', ts: 'typescript', js: 'typescript', html: 'xml' };

for (const [name, language] of Object.entries({ bash, json, python, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language);
}

/** @param language of a code fence; code in any other is shown without colours. */
export function highlight(code: string, language: string): Markup {
  const name = NAMES[language] ?? language;
  return hljs.getLanguage(name) === undefined
    ? html`${code}`
    : trusted(hljs.highlight(code, { language: name, ignoreIllegals: true }).value);
}
