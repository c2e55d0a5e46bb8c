#!/usr/bin/env node
/** `npm run client`: writes src/client/api-types.ts and answer-fields.ts from the OpenAPI document of this source. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(script)));

if (isTooOld()) {
  await relaunch(script);
}
const { readDocuments } = await import('../client-types/read-document.ts');
const { generateTypes } = await import('../client-types/generate-types.ts');
const { generateAnswers } = await import('../client-types/generate-answers.ts');
const { partners } = await readDocuments();
writeFileSync(join(root, 'src', 'client', 'api-types.ts'), await generateTypes(partners));
writeFileSync(join(root, 'src', 'client', 'answer-fields.ts'), generateAnswers(partners));
