#!/usr/bin/env node
/** `npm run venues:shapes -- NAME DOCUMENT.json [CHANGES.json]`: writes `fixtures/venues/NAME.json` from an OpenAPI or AsyncAPI document. */
import { writeFileSync } from 'node:fs';
import { EXCHANGES, shapesFile } from './exchanges.js';
import { overlaid, readDocument, readShapes } from './shapes.js';

const [name, file, changes] = process.argv.slice(2);
if (EXCHANGES[name] === undefined || file === undefined) {
  process.stderr.write(`npm run venues:shapes -- ${Object.keys(EXCHANGES).join('|')} DOCUMENT.json [CHANGES.json]\n`);
  process.exit(2);
}
const document = changes === undefined ? readDocument(file) : overlaid(readDocument(file), readDocument(changes));
writeFileSync(shapesFile(name), `${JSON.stringify(readShapes(document, EXCHANGES[name].wanted), null, 1)}\n`);
