#!/usr/bin/env node
/**
 * `npm run venues:drift -- NEW.json [CHANGES.json]`: the changes of a newer OpenAPI or AsyncAPI document of an exchange for us, field by
 * field, with the files that read it. Fields that none of them reads come last. Exits with 1 if a field that we read changes.
 */
import { differences } from './compare.js';
import { EXCHANGES, keptShapes, readersOf } from './exchanges.js';
import { overlaid, readDocument, readShapes } from './shapes.js';

const [file, changes] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('npm run venues:drift -- NEW.json [CHANGES.json]\n');
  process.exit(2);
}
const document = changes === undefined ? readDocument(file) : overlaid(readDocument(file), readDocument(changes));

/** The exchange that has the most routes in the document. */
const [exchange, known] = Object.keys(EXCHANGES)
  .map((name) => [name, keptShapes(name)])
  .map(([name, shapes]) => [name, shapes, Object.keys(shapes.paths).filter((path) => path in document.paths).length])
  .sort(([, , one], [, , other]) => other - one)[0];

const readers = readersOf(exchange);
const lines = differences(known, readShapes(document, EXCHANGES[exchange].wanted)).map((one) => ({
  ...one,
  files: readers(one.name),
}));
const [ours, others] = [lines.filter(({ files }) => files.length > 0), lines.filter(({ files }) => files.length === 0)];
process.stdout.write(`${exchange}: ${known.info.version} is kept, ${document.info.version} is new\n`);
for (const { where, what, files } of ours) {
  process.stdout.write(`${where} ${what}\n    ${files.join(', ')}\n`);
}
for (const { where, what } of others) {
  process.stdout.write(`${where} ${what} (nobody reads it)\n`);
}
process.stdout.write(`${ours.length} that we read, ${others.length} that nobody reads\n`);
process.exit(ours.length > 0 ? 1 : 0);
