/** Starts a script as bin/ does on a machine whose Node is too old: `launch.js SCRIPT ARGUMENT...`. */
import { relaunch } from '../../bin/bundled-node.js';

const [script] = process.argv.splice(2, 1);
await relaunch(script);
