/** The samples of a guide as programs: the blocks of one language, one after the other, as its reader would copy them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer, type Tokens } from 'marked';
import { projectRoot } from '../../src/core/environment.ts';
import { type SampleLanguage, sampleLanguage } from '../../tools/site/code.ts';

export interface GuideProgram {
  readonly guide: string;
  readonly language: SampleLanguage;
  readonly code: string;
}

const FOLDER = join(projectRoot, 'docs', 'guides');

/** @returns the blocks of a guide in this language, each for itself */
export function codeBlocks(guide: string, language: string): string[] {
  return new Lexer()
    .lex(readFileSync(join(FOLDER, `${guide}.md`), 'utf8'))
    .flatMap((token) => (token.type === 'code' && (token as Tokens.Code).lang === language ? [token.text] : []));
}

export function guidePrograms(): GuideProgram[] {
  return readdirSync(FOLDER).flatMap((file) => {
    const blocks = new Map<SampleLanguage, string[]>();
    for (const token of new Lexer().lex(readFileSync(join(FOLDER, file), 'utf8'))) {
      if (token.type !== 'code') {
        continue;
      }
      const { lang = '', text } = token as Tokens.Code;
      const language = sampleLanguage(lang);
      if (language !== null) {
        blocks.set(language, [...(blocks.get(language) ?? []), text]);
      }
    }
    return [...blocks].map(([language, parts]) => ({
      guide: file.replace('.md', ''),
      language,
      code: `${parts.join('\n\n')}\n`,
    }));
  });
}
