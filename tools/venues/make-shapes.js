#!/usr/bin/env node
/** `npm run venues:shapes -- NAME DOCUMENT.json [CHANGES.json]`: writes `fixtures/venues/NAME.json` from an OpenAPI document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { EXCHANGES, shapesFile } from './exchanges.js';
import { overlaid, readShapes } from './shapes.js';

const [name, file, changes] = process.argv.slice(2);
if (EXCHANGES[name] === undefined || file === undefined) {
  process.stderr.write(`npm run venues:shapes -- ${Object.keys(EXCHANGES).join('|')} DOCUMENT.json [CHANGES.json]\n`);
  process.exit(2);
}
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const document = changes === undefined ? read(file) : overlaid(read(file), read(changes));
writeFileSync(shapesFile(name), `${JSON.stringify(readShapes(document, EXCHANGES[name].wanted), null, 1)}\n`);
