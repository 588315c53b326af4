import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { afterEach } from 'vitest';
import { IS_LONG } from './extent.mjs';
import { undoAll } from './tempFolder';

afterEach(undoAll);

// To optimize megabytes of WebAssembly costs more than the tests that run it. Set for each file, since the product unsets it
// once it has compiled a grammar.
setFlagsFromString('--liftoff-only');

/** `npm test` tries the same examples every time, so that it fails for what was changed alone; the long run tries others. */
if (!IS_LONG) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260 });
